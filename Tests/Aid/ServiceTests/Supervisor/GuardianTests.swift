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
