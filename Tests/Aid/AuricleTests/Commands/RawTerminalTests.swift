import Glibc
import Testing

@testable import AuricleCommands

/// A terminal of the test's own (pty(7)).
@Suite("Terminal whose keys are read one by one", .serialized) struct RawTerminalTests {
  /// Both ends, the second as a program has it.
  private func pair() throws -> (screen: Int32, terminal: Int32) {
    let screen = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // TIOCSPTLCK, unlocked, and TIOCGPTN (ioctl_tty(2), asm-generic/ioctls.h), of which Swift has no names.
    var (lock, number): (Int32, UInt32) = (0, 0)
    try #require(ioctl(screen, 0x4004_5431, &lock) == 0 && ioctl(screen, 0x8004_5430, &number) == 0)
    let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(terminal >= 0)
    return (screen, terminal)
  }

  private func settings(_ terminal: Int32) -> termios {
    var settings = termios()
    tcgetattr(terminal, &settings)
    return settings
  }

  /// Keys that stop or end a process, by their places in termios(3).
  private func keys(_ settings: termios) -> [Int32: UInt8] {
    withUnsafeBytes(of: settings.c_cc) { bytes in
      [VSUSP: bytes[Int(VSUSP)], VQUIT: bytes[Int(VQUIT)], VINTR: bytes[Int(VINTR)]]
    }
  }

  /// All that was drawn: a pty passes it on a while after it was written, and in parts.
  private func shown(_ screen: Int32, _ terminal: Int32) throws -> String {
    let end = "the end of what was drawn"
    try #require(write(terminal, end, end.utf8.count) == end.utf8.count)
    var text = ""
    var bytes = [UInt8](repeating: 0, count: 4096)
    while !text.hasSuffix(end) {
      let count = read(screen, &bytes, bytes.count)
      try #require(count > 0)
      text += String(decoding: bytes.prefix(count), as: UTF8.self)
    }
    return String(text.dropLast(end.count))
  }

  @Test(
    "Ctrl-Z and Ctrl-\\ neither stop nor end it, Ctrl-C stays a signal, and afterwards all is as before")
  func keysThatStop() throws {
    let (screen, terminal) = try pair()
    defer {
      close(screen)
      close(terminal)
    }
    let before = settings(terminal)
    #expect(keys(before) == [VSUSP: 0x1A, VQUIT: 0x1C, VINTR: 3])
    let raw = RawTerminal(input: terminal, output: terminal)
    #expect(keys(settings(terminal)) == [VSUSP: 0, VQUIT: 0, VINTR: 3])
    #expect(settings(terminal).c_lflag & tcflag_t(ISIG | ICANON | ECHO) == tcflag_t(ISIG))
    #expect(write(screen, "\u{1A}", 1) == 1)
    var key: UInt8?
    while key == nil { key = raw.key() }
    #expect(key == 0x1A)
    raw.restore()
    #expect(keys(settings(terminal)) == keys(before) && settings(terminal).c_lflag == before.c_lflag)
    // Into the other screen and out of it, once each (xterm's private mode 1049).
    let text = try shown(screen, terminal)
    #expect(text.contains("\u{1B}[?1049h") && text.hasSuffix("\u{1B}[?1049l"))
  }

  @Test("Ctrl-S and Ctrl-Q are keys, which stop no drawing, and afterwards they are as before")
  func flow() throws {
    let (screen, terminal) = try pair()
    defer {
      close(screen)
      close(terminal)
    }
    let before = settings(terminal)
    #expect(before.c_iflag & tcflag_t(IXON) != 0)
    let raw = RawTerminal(input: terminal, output: terminal)
    try #require(settings(terminal).c_iflag & tcflag_t(IXON) == 0)
    try press("\u{13}\u{11}", screen, terminal)
    let keys = [raw.key(), raw.key()]
    #expect(keys == [0x13, 0x11])
    try press("\u{13}", screen, terminal)
    raw.draw("drawn behind Ctrl-S")
    let text = try shown(screen, terminal)
    #expect(text.hasSuffix("drawn behind Ctrl-S"))
    raw.restore()
    #expect(settings(terminal).c_iflag == before.c_iflag)
  }

  @Test(
    "an arrow or function key with Ctrl, Shift or Alt is one key without a meaning; page keys stay what they are with one",
    arguments: [
      ("\u{1B}[1;5A", 0), ("\u{1B}[1;2P", 0), ("\u{1B}[1;3B", 0), ("\u{1B}[15~", 0),
      ("\u{1B}[A", RawTerminal.up), ("\u{1B}[B", RawTerminal.down), ("\u{1B}[5~", RawTerminal.pageUp),
      ("\u{1B}[6;5~", RawTerminal.pageDown),
    ] as [(String, UInt8)])
  func keyWithModifier(_ bytes: String, _ expected: UInt8) throws {
    let (screen, terminal) = try pair()
    defer {
      close(screen)
      close(terminal)
    }
    let raw = RawTerminal(input: terminal, output: terminal)
    defer { raw.restore() }
    // The next key is read as ever.
    for (typed, key) in [(bytes, expected), ("x", UInt8(ascii: "x"))] {
      try press(typed, screen, terminal)
      let found = raw.key()
      #expect(found == key)
    }
  }

  @Test("a sequence that breaks off is not waited for")
  func brokenSequence() throws {
    let (screen, terminal) = try pair()
    defer {
      close(screen)
      close(terminal)
    }
    let raw = RawTerminal(input: terminal, output: terminal)
    defer { raw.restore() }
    try press("\u{1B}[1;", screen, terminal)
    let found = raw.key()
    #expect(found == 0)
    let next = raw.key()
    #expect(next == nil)
  }

  /// Presses keys, and waits until all wait to be read: a pty passes them on a while after they were written.
  private func press(_ keys: String, _ screen: Int32, _ terminal: Int32) throws {
    let count = keys.utf8.count
    try #require(write(screen, keys, count) == count)
    var waiting: Int32 = 0
    while waiting < count {
      // FIONREAD (ioctl_tty(2), asm-generic/ioctls.h).
      let status = ioctl(terminal, 0x541B, &waiting)
      try #require(status == 0)
    }
  }

  @Test("a second signal finds it as it was before, and what follows does not change it again")
  func secondSignal() throws {
    let (screen, terminal) = try pair()
    defer {
      close(screen)
      close(terminal)
    }
    let before = settings(terminal)
    let raw = RawTerminal(input: terminal, output: terminal)
    RawTerminal.restoreInUse(waitingForScreen: false)
    #expect(settings(terminal).c_lflag == before.c_lflag)
    raw.restore()
    let text = try shown(screen, terminal)
    #expect(text.components(of: "\u{1B}[?1049l") == 2)
  }
}

extension String {
  /// Number of parts between occurrences.
  fileprivate func components(of separator: String) -> Int {
    split(separator: separator, omittingEmptySubsequences: false).count
  }
}
