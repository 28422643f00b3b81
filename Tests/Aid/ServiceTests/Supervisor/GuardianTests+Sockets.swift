import CommonTesting
import Glibc
import Testing

@testable import Service

/// A mute or a stop beside the socket of one daemon, where others have theirs.
extension GuardianTests {
  /// Lock of a daemon that was killed: the greatest number of a process is 2^22 (proc(5), pid_max).
  private static let killed = "4194305\n"

  @Test(
    "where nobody names the socket a mute, or a stop, is there for a start at any, and is forgotten wherever it lies",
    arguments: [KeptSilence.Kind.mute, .stop])
  func silenceElsewhere(_ kind: KeptSilence.Kind) throws {
    let folder = TemporaryFolder()
    let names = ["standard", "first", "second"]
    func silence(at name: String) -> KeptSilence {
      KeptSilence(kind, besideSocket: folder.file(name), standard: folder.file("standard"))
    }
    for former in names {
      for next in names {
        try silence(at: former).keep()
        folder.write(Self.killed, to: former + ".lock")
        #expect(silence(at: next).isKept, "\(former), then \(next)")
        try silence(at: next).forget()
        #expect(!silence(at: next).isKept && folder.names == [former + ".lock"], "\(former), then \(next)")
        unlink(folder.file(former + ".lock"))
      }
    }
  }

  @Test("a mute of one daemon is neither counted nor forgotten by another one that runs beside it")
  func silenceOfAnother() throws {
    let folder = TemporaryFolder()
    let standard = folder.file("standard")
    let other = KeptSilence(.mute, besideSocket: folder.file("other"), standard: standard)
    let own = KeptSilence(.mute, besideSocket: standard, standard: standard)
    try other.keep()
    // A lock without a number tells that a daemon may run.
    folder.write("", to: "other.lock")
    #expect(!own.isKept && !KeptState.isLeft(besideSocket: standard))
    try own.forget()
    #expect(folder.names == ["other.lock", "other.muted", "standard.muted"])
    folder.write("", to: "standard.lock")
    try own.keep()
    #expect(own.isKept && other.isKept)
    try other.forget()
    #expect(own.isKept && !other.isKept)
    #expect(folder.names == ["other.lock", "standard.lock", "standard.muted"])
    // Nor is one put in the place of the other daemon's.
    try own.forget()
    try other.keep()
    #expect(folder.names == ["other.lock", "other.muted", "standard.lock"])
  }

  @Test(
    "a daemon whose socket is named takes away what it left beside the standard one, and nothing else counts there or is kept",
    arguments: [KeptSilence.Kind.mute, .stop], [false, true])
  func silenceOfNamed(_ kind: KeptSilence.Kind, byCommand: Bool) throws {
    let folder = TemporaryFolder()
    let (aid, standard) = (folder.file("aid"), folder.file("standard"))
    let named = KeptSilence(
      kind, besideSocket: aid, standard: standard, isNamed: true, configuration: "/b.toml")
    func forget() throws {
      if byCommand {
        try KeptState.forget(
          besideSocket: aid, standard: standard, isNamed: true, configuration: "/b.toml")
      } else {
        try named.forget()
      }
    }
    folder.write(Self.killed, to: "aid.lock")
    // Whichever file its configuration had when nobody named its socket.
    try KeptSilence(kind, besideSocket: aid, standard: standard, configuration: "/a.toml").keep()
    #expect(named.isKept)
    try forget()
    let next = KeptSilence(kind, besideSocket: standard, standard: standard, configuration: "/a.toml")
    #expect(!named.isKept && !next.isKept && folder.names == ["aid.lock"])
    try named.keep()
    #expect(folder.names == ["aid.\(kind.rawValue)", "aid.lock"].sorted())
    try forget()
    try next.keep()
    #expect(!named.isKept)
    try forget()
    #expect(next.isKept)
  }

  @Test(
    "a mute of one configuration file neither silences a daemon of another one nor is forgotten or replaced by it",
    arguments: [KeptSilence.Kind.mute, .stop])
  func silenceOfAnotherConfiguration(_ kind: KeptSilence.Kind) throws {
    let folder = TemporaryFolder()
    func silence(at name: String, of configuration: String) -> KeptSilence {
      KeptSilence(
        kind, besideSocket: folder.file(name), standard: folder.file("standard"),
        configuration: configuration)
    }
    let (usual, other) = (silence(at: "standard", of: "/a.toml"), silence(at: "b", of: "/b.toml"))
    // It was killed, and another start of it may come.
    folder.write(Self.killed, to: "b.lock")
    try other.keep()
    #expect(other.isKept && silence(at: "c", of: "/b.toml").isKept && !usual.isKept)
    try usual.forget()
    let (own, beside) = ("b.\(kind.rawValue)", "standard.\(kind.rawValue)")
    #expect(other.isKept && folder.names == [own, beside, "b.lock"].sorted())
    // Beside its own socket its own comes first.
    try usual.keep()
    #expect(usual.isKept && other.isKept)
    try other.forget()
    #expect(usual.isKept && !other.isKept && folder.names == [beside, "b.lock"].sorted())
    try other.keep()
    #expect(other.isKept && usual.isKept && !silence(at: "c", of: "/b.toml").isKept)
    try usual.forget()
    #expect(folder.names == [own, "b.lock"].sorted())
  }

  @Test(
    "beside a socket that is not the standard one every mute counts and goes, however the path was written, whichever the configuration file",
    arguments: [KeptSilence.Kind.mute, .stop])
  func silenceByAnotherPath(_ kind: KeptSilence.Kind) throws {
    let folder = TemporaryFolder()
    mkdir(folder.file("run"), 0o755)
    symlink("run", folder.file("link"))
    let standard = folder.file("standard")
    func silence(at path: String, of configuration: String?) -> KeptSilence {
      KeptSilence(
        kind, besideSocket: folder.file(path), standard: standard, isNamed: true,
        configuration: configuration)
    }
    for configuration in [nil, "/a.toml"] {
      try silence(at: "run/aid", of: "/b.toml").keep()
      let next = silence(at: "link/aid", of: configuration)
      #expect(next.isKept)
      try KeptState.forget(
        besideSocket: folder.file("link/aid"), standard: standard, isNamed: true,
        configuration: configuration)
      #expect(!next.isKept && TemporaryFolder.names(in: folder.file("run")) == [])
    }
  }

  @Test("a mark is taken away from the standard socket also where another daemon has that by then")
  func silenceBesideAnother() throws {
    let folder = TemporaryFolder()
    let silence = KeptSilence(.stop, besideSocket: folder.file("named"), standard: folder.file("standard"))
    try silence.keep()
    #expect(folder.names == ["named.stopped", "standard.stopped"])
    folder.write("", to: "standard.lock")
    try silence.forget()
    #expect(folder.names == ["standard.lock"])
  }

  @Test("without the standard socket's folder a mute is kept beside the daemon's own socket alone")
  func silenceWithoutFolder() throws {
    let folder = TemporaryFolder()
    let silence = KeptSilence(
      .mute, besideSocket: folder.file("named"), standard: folder.file("gone/control.sock"))
    try silence.keep()
    #expect(silence.isKept && folder.names == ["named.muted"])
    try silence.forget()
    #expect(!silence.isKept && folder.names == [])
  }
}
