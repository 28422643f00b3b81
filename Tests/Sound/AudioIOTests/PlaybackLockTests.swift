import CommonTesting
import Glibc
import Testing

@testable import AudioIO

@Suite("Lock of a device that plays") struct PlaybackLockTests {
  @Test("a device is one program's until it lets go; another device of the card is free")
  func exclusive() {
    let folder = TemporaryFolder()
    let file = folder.file("controlC0")
    folder.write("", to: "controlC0")
    var first: PlaybackLock? = PlaybackLock(card: 0, device: 0, path: file)
    let isHeld = first != nil
    #expect(isHeld)
    let isTaken = PlaybackLock(card: 0, device: 0, path: file) == nil
    #expect(isTaken)
    let isOtherTaken = PlaybackLock(card: 0, device: 3, path: file) == nil
    #expect(!isOtherTaken)
    first = nil
    let isStillTaken = PlaybackLock(card: 0, device: 0, path: file) == nil
    #expect(!isStillTaken)
  }

  /// F_OFD_SETLK is 37 (fcntl.h), and the lock's form that of `struct flock` with 64-bit offsets.
  @Test("of two programs one holds it, until it is killed")
  func killed() throws {
    let folder = TemporaryFolder()
    let file = folder.file("controlC0")
    folder.write("", to: "controlC0")
    let program =
      "import fcntl, os, struct, time; file = open('\(file)', 'r+'); "
      + "fcntl.fcntl(file, 37, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 2, 1, 0)); "
      + "print(os.getpid(), flush=True); time.sleep(600)"
    let output = try #require(popen("exec python3 -c \"\(program)\"", "r"))
    var line = [CChar](repeating: 0, count: 32)
    fgets(&line, Int32(line.count), output)
    let child = atoi(line)
    try #require(child > 1)
    let isTaken = PlaybackLock(card: 0, device: 2, path: file) == nil
    #expect(isTaken)
    kill(child, SIGKILL)
    pclose(output)
    let isStillTaken = PlaybackLock(card: 0, device: 2, path: file) == nil
    #expect(!isStillTaken)
  }

  @Test("where the card's file cannot be opened there is nothing to hold")
  func missing() {
    let isTaken = PlaybackLock(card: 0, device: 0, path: "/nonexistent/controlC0") == nil
    #expect(!isTaken)
  }
}
