import CommonTesting
import Control
import Glibc
import Testing

@testable import Service

@Suite("Starting again after a crash") struct GuardianTests {
  @Test("three starts in any minute, not a fourth")
  func budget() {
    var budget = RestartBudget()
    #expect([0, 10, 50].map { budget.takes(at: $0) } == [true, true, true])
    // At 60 the first is a minute ago, and what was refused does not count.
    #expect([59.9, 60].map { budget.takes(at: $0) } == [false, true])
    #expect([69.9, 70, 70.1].map { budget.takes(at: $0) } == [false, true, false])
  }

  @Test("what ended it is told in words")
  func words() {
    func cause(_ signal: Int32) -> String { RestartCause(signal: signal, time: 0, count: 1).words }
    #expect(cause(SIGILL) == "illegal instruction, SIGILL")
    #expect(cause(SIGKILL) == "SIGKILL, sent by somebody or because memory ran out")
  }

  @Test("a daemon takes up what its guardian says on the command line, and nothing else")
  func word() throws {
    let ending = open("/dev/null", O_RDONLY)
    defer { close(ending) }
    let cause = RestartCause(signal: SIGSEGV, time: 1_700_000_000.25, count: 3)
    let ward = try #require(Guardian.Ward(Guardian.Ward.word(ending: ending, cause: cause)))
    #expect(ward.ending == ending && ward.cause == cause && ward.guardian == getppid())
    #expect(Guardian.Ward(Guardian.Ward.word(ending: ending, cause: nil))?.cause == nil)
    // Not a number, a time that is none, a descriptor that is not open, too few words.
    for word in ["", "x:0:0:0", "\(ending):0:0:nan", "9999:0:0:0", "\(ending):0:0", "\(ending):0:0:0:0"] {
      #expect(Guardian.Ward(word) == nil, "\(word)")
    }
  }

  @Test(
    "a kept mute, and a kept stop, is there until it is forgotten, for its owner alone",
    arguments: [KeptSilence.Kind.mute, .stop])
  func silence(_ kind: KeptSilence.Kind) throws {
    let folder = TemporaryFolder()
    let socket = folder.file("control.sock")
    let silence = KeptSilence(kind, besideSocket: socket)
    #expect(!silence.isKept && !KeptState.isLeft(besideSocket: socket))
    try silence.keep()
    try silence.keep()
    #expect(silence.isKept && KeptState.isLeft(besideSocket: socket))
    var status = stat()
    stat(folder.file(kind == .mute ? "control.sock.muted" : "control.sock.stopped"), &status)
    #expect(status.st_mode & 0o777 == 0o600)
    try silence.forget()
    try KeptState.forget(besideSocket: socket, standard: socket)
    #expect(!silence.isKept)
  }

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

  @Test(
    "in a standard folder that a stranger made nothing is kept, and nothing counts, whoever's it is",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func strangersFolder() throws {
    let folder = TemporaryFolder()
    for name in ["open", "open/strangers"] { mkdir(folder.file(name), 0o755) }
    chmod(folder.file("open"), 0o1777)
    // A file that this user has once left there can be given another name by whoever has the folder.
    folder.write("", to: "open/strangers/control.sock.muted")
    chown(folder.file("open/strangers"), 65_534, 65_534)
    let silence = KeptSilence(
      .mute, besideSocket: folder.file("named"), standard: folder.file("open/strangers/control.sock"))
    #expect(!silence.isKept)
    try silence.keep()
    try silence.forget()
    #expect(folder.names == ["open"])
    #expect(TemporaryFolder.names(in: folder.file("open/strangers")) == ["control.sock.muted"])
  }

  @Test(
    "something else in the place of a mute or a stop is no word of anybody: it cannot be kept, and stays where it is",
    arguments: [KeptSilence.Kind.mute, .stop])
  func noMark(_ kind: KeptSilence.Kind) throws {
    let folder = TemporaryFolder()
    let socket = folder.file("control.sock")
    let silence = KeptSilence(kind, besideSocket: socket)
    mkdir(silence.path, 0o700)
    #expect(throws: Failure.self) { try silence.keep() }
    try silence.forget()
    #expect(!silence.isKept && !KeptState.isLeft(besideSocket: socket))
    #expect(folder.names == [kind == .mute ? "control.sock.muted" : "control.sock.stopped"])
  }

  /// Path of a socket in a folder in which everybody may make files, and keeps their own.
  private func sharedSocket(in folder: TemporaryFolder) -> String {
    let shared = folder.file("shared")
    mkdir(shared, 0o700)
    chmod(shared, 0o1777)
    return shared + "/a.sock"
  }

  @Test(
    "in a shared folder a mute or a stop whose place is taken is kept beside it, counts there and is forgotten",
    arguments: [KeptSilence.Kind.mute, .stop])
  func taken(_ kind: KeptSilence.Kind) throws {
    let folder = TemporaryFolder()
    let socket = sharedSocket(in: folder)
    let silence = KeptSilence(kind, besideSocket: socket)
    mkdir(silence.path, 0o700)
    #expect(!silence.isKept)
    try silence.keep()
    try silence.keep()
    #expect(silence.isKept && KeptState.isLeft(besideSocket: socket))
    #expect(TemporaryFolder.names(in: folder.file("shared")).count == 2)
    try silence.forget()
    #expect(!silence.isKept && !KeptState.isLeft(besideSocket: socket))
    #expect(
      TemporaryFolder.names(in: folder.file("shared"))
        == [kind == .mute ? "a.sock.muted" : "a.sock.stopped"])
  }

  @Test("a pipe in the place of a mute in a shared folder does not hold the daemon up, whoever reads it")
  func pipeInItsPlace() throws {
    let folder = TemporaryFolder()
    let silence = KeptSilence(.mute, besideSocket: sharedSocket(in: folder))
    for hasReader in [false, true] {
      mkfifo(silence.path, 0o600)
      let reader = hasReader ? open(silence.path, O_RDONLY | O_NONBLOCK) : -1
      defer { close(reader) }
      try silence.keep()
      #expect(silence.keptPlace?.hasPrefix(silence.path + ".") == true)
      // The pipe goes too, as it is this user's.
      try silence.forget()
      #expect(TemporaryFolder.names(in: folder.file("shared")) == [])
    }
  }

  @Test("a second name of a file of one's own is no mark: others can make one in a shared folder")
  func secondName() {
    let folder = TemporaryFolder()
    let silence = KeptSilence(.mute, besideSocket: sharedSocket(in: folder))
    folder.write("", to: "own")
    link(folder.file("own"), silence.path)
    #expect(!silence.isKept)
  }

  @Test(
    "in a shared folder another user's files are no mute, no stop, no end that was told and no configuration",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func strangers() throws {
    let folder = TemporaryFolder()
    let socket = sharedSocket(in: folder)
    for end in ["muted", "stopped", "ended", "configuration"] {
      folder.write("", to: "shared/a.sock.\(end)")
      chown("\(socket).\(end)", 65_534, 65_534)
    }
    #expect(!KeptState.isLeft(besideSocket: socket))
    let (mute, end) = (
      KeptSilence(.mute, besideSocket: socket), ToldEnd(besideSocket: socket, standard: nil)
    )
    #expect(!mute.isKept && !end.isKept)
    try mute.keep()
    try end.keep()
    #expect(mute.isKept && end.isKept)
    try mute.forget()
    let lines = end.forgetOrTell()
    #expect(!mute.isKept && !end.isKept && lines.isEmpty)
  }

  @Test(
    "what a daemon has kept in a folder of its own is found by other users' commands",
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func othersCommands() {
    let folder = TemporaryFolder()
    mkdir(folder.file("own"), 0o755)
    folder.write("", to: "own/control.sock.muted")
    for name in ["own", "own/control.sock.muted"] { chown(folder.file(name), 65_534, 65_534) }
    #expect(KeptState.isLeft(besideSocket: folder.file("own/control.sock")))
    // Not where others could have put it.
    chmod(folder.file("own"), 0o1777)
    #expect(!KeptState.isLeft(besideSocket: folder.file("own/control.sock")))
  }

  @Test(
    "a mute or a stop that stays kept says why, and what to do; the others are forgotten all the same",
    .enabled(if: SmallDisk.isPossible, "mounting is for root"), arguments: [KeptSilence.Kind.mute, .stop])
  func staying(_ kind: KeptSilence.Kind) throws {
    let disk = try #require(SmallDisk(size: "64k"))
    let folder = TemporaryFolder()
    let socket = disk.path + "/control.sock"
    let silence = KeptSilence(kind, besideSocket: socket)
    try silence.keep()
    let isReadOnly = disk.makeReadOnly()
    try #require(isReadOnly)
    let failure = try #require(throws: Failure.self) { try silence.forget() }
    #expect(
      failure.message
        == "\(silence.path): it cannot be removed: read-only file system. Remove it before the next start.")
    folder.write("", to: "standard.configuration")
    #expect(throws: failure) {
      try KeptState.forget(besideSocket: socket, standard: folder.file("standard"))
    }
    #expect(silence.isKept && folder.names == [])
  }

  @Test("the mark of an end that was told leaves what is kept where it is, and goes when that is forgotten")
  func toldEnd() throws {
    let folder = TemporaryFolder()
    let socket = folder.file("control.sock")
    let end = ToldEnd(besideSocket: socket, standard: nil)
    try end.keep()
    // Alone it is nothing that was left.
    #expect(end.isKept && !KeptState.isLeft(besideSocket: socket))
    try KeptSilence(.stop, besideSocket: socket).keep()
    #expect(KeptState.isLeft(besideSocket: socket))
    try KeptState.forget(besideSocket: socket, standard: nil)
    #expect(folder.names == [])
  }

  @Test(
    "the mark lies beside the standard socket too, where the configuration is kept, unless another daemon has that"
  )
  func toldEndBesideBoth() throws {
    let folder = TemporaryFolder()
    let end = ToldEnd(besideSocket: folder.file("named"), standard: folder.file("standard"))
    try end.keep()
    #expect(folder.names.sorted() == ["named.ended", "standard.ended"])
    // Either of them is enough.
    unlink(folder.file("named.ended"))
    #expect(end.isKept)
    let lines = end.forgetOrTell()
    #expect(!end.isKept && folder.names == [] && lines.isEmpty)
    folder.write("", to: "standard.lock")
    try end.keep()
    #expect(folder.names.sorted() == ["named.ended", "standard.lock"])
    try KeptState.forget(besideSocket: folder.file("named"), standard: folder.file("standard"))
    #expect(folder.names == ["standard.lock"])
  }

  @Test("the mark is left beside the standard socket also where the folder of the other one has gone")
  func toldEndWithoutFolder() {
    let folder = TemporaryFolder()
    let end = ToldEnd(besideSocket: folder.file("gone/named"), standard: folder.file("standard"))
    #expect(throws: Failure.self) { try end.keep() }
    #expect(end.isKept && folder.names == ["standard.ended"])
  }

  @Test(
    "a configuration that is kept beside the standard socket goes with that of another one, unless a daemon has the standard one"
  )
  func standardSocket() throws {
    let folder = TemporaryFolder()
    for name in ["standard.configuration", "standard.lock", "named.configuration", "named.stopped"] {
      folder.write("", to: name)
    }
    try KeptState.forget(besideSocket: folder.file("named"), standard: folder.file("standard"))
    #expect(folder.names == ["standard.configuration", "standard.lock"])
    unlink(folder.file("standard.lock"))
    try KeptState.forget(besideSocket: folder.file("named"), standard: folder.file("standard"))
    #expect(folder.names == [])
  }
}

@Suite struct ProcessLimitsTests {
  @Test("the soft limit of open files is raised to the kernel's default within the hard one, never lowered")
  func raised() {
    #expect(ProcessLimits.raised(soft: 16, hard: 4096) == 1024)
    #expect(ProcessLimits.raised(soft: 16, hard: 32) == 32)
    #expect(ProcessLimits.raised(soft: 2048, hard: 4096) == 2048)
  }

  @Test("what is too little is told with the limit, what it takes and how to raise it")
  func messages() {
    #expect(
      ProcessLimits.tooFewFiles(32).message
        == "auricled: found a limit of 32 open files, expected at least 192. "
        + "Raise it: ulimit -n, or LimitNOFILE= in the service's unit.")
    #expect(
      ProcessLimits.tooLittleAddressSpace(200 << 20).message
        == "auricled: found a limit of 200 MiB of address space, expected at least 1024 MiB. "
        + "Raise it: ulimit -v, or LimitAS= in the service's unit.")
  }
}
