import Base
import CommonTesting
import EngineTesting
import Glibc
import Testing

@testable import Service

@Suite("Trace of a daemon") struct DaemonTraceTests {
  private let folder = TemporaryFolder()
  private var socket: String { folder.file("control.sock") }

  @Test(
    "beside a socket that a service manager keeps no number stands, and none of a process that has ended counts"
  )
  func absent() {
    #expect(DaemonTrace(ofSocket: socket) == .absent)
    // The greatest number of a process is 2^22 (proc(5), pid_max).
    folder.write("4194305\n", to: "control.sock.lock")
    #expect(DaemonTrace(ofSocket: socket) == .absent)
  }

  @Test("the number of a process that runs is the daemon's, with a guardian's behind it or without")
  func running() {
    for text in ["\(getpid())\n", "\(getpid())\n1\n", "\(getpid())"] {
      folder.write(text, to: "control.sock.lock")
      #expect(DaemonTrace(ofSocket: socket) == .running(getpid()))
    }
  }

  @Test("the number of another program, which has it since the daemon was killed, is nobody's")
  func anotherProgram() {
    // The first process, which no daemon of ours is.
    folder.write("1\n", to: "control.sock.lock")
    #expect(DaemonTrace(ofSocket: socket) == .absent)
  }

  @Test("what is no number, a lock that cannot be read and a name without a file tell nothing")
  func unknown() {
    for text in ["", "somebody\n", "-1\n", "0\n", "99999999999999999999\n"] {
      folder.write(text, to: "control.sock.lock")
      #expect(DaemonTrace(ofSocket: socket) == .unknown, "\(text)")
    }
    unlink(folder.file("control.sock.lock"))
    mkdir(folder.file("control.sock.lock"), 0o700)
    #expect(DaemonTrace(ofSocket: socket) == .unknown)
    #expect(DaemonTrace(ofSocket: "@auricle") == .unknown)
  }

  @Test("a file that may not be read is known to be locked or not, by the kernel's list of locks")
  func held() throws {
    let path = folder.file("control.sock.lock")
    #expect(DaemonTrace.isHeld(path) == nil)
    do {
      let lock = try LockFile(path)
      #expect(DaemonTrace.isHeld(path) == true)
      withExtendedLifetime(lock) {}
    }
    // A program that another test starts at this moment has its descriptor until it is that program.
    #expect(eventually { DaemonTrace.isHeld(path) == false })
  }

  @Test("a socket is left where the lock beside it names no daemon, not where a service manager keeps it")
  func left() {
    folder.write("", to: "control.sock")
    #expect(!DaemonTrace.isLeft(socket))
    folder.write("\(getpid())\n", to: "control.sock.lock")
    #expect(!DaemonTrace.isLeft(socket) && DaemonTrace.systemsSocket(insteadOf: socket) == nil)
    folder.write("4194305\n", to: "control.sock.lock")
    #expect(DaemonTrace.isLeft(socket))
    unlink(socket)
    #expect(!DaemonTrace.isLeft(socket) && DaemonTrace.systemsSocket(insteadOf: socket) == nil)
    // It stands in place of a person's own, not of itself.
    #expect(DaemonTrace.systemsSocket(insteadOf: "/run/auricle/control.sock") == nil)
  }
}
