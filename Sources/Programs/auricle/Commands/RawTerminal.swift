import Glibc
import Synchronization

/// Size of the terminal, characters.
struct TerminalSize: Equatable {
  let columns: Int
  let rows: Int

  /// Of standard output; nil where it is no terminal, or one that does not say.
  static var current: TerminalSize? { of(STDOUT_FILENO) }

  /// - Parameter descriptor: Of a terminal.
  static func of(_ descriptor: Int32) -> TerminalSize? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}

/// A terminal whose keys are read one by one, on its other screen; as it was before after ``restore()``.
///
/// Ctrl-C stays a signal, which ``Interruption`` notes; a second one finds the terminal as it was before. Ctrl-Z, Ctrl-\, Ctrl-S and Ctrl-Q are keys
/// without a meaning: a process that is stopped, or waits for a screen that takes nothing, would leave the tones of a test on that nobody answers.
struct RawTerminal {
  /// Keys that send several bytes, as ``key()`` tells them.
  static let (up, down, pageUp, pageDown): (UInt8, UInt8, UInt8, UInt8) = (0x80, 0x81, 0x82, 0x83)

  /// Keys are read there.
  private let input: Int32
  /// The screen is drawn there.
  private let output: Int32

  /// Other screen, cursor hidden (xterm's private modes 1049 and 25), and back.
  private static let (enter, leave): (StaticString, StaticString) = (
    "\u{1B}[?1049h\u{1B}[?25l\u{1B}[J", "\u{1B}[?25h\u{1B}[?1049l"
  )
  /// The terminal in use, for ``restoreInUse(waitingForScreen:)``: its settings before, and its descriptors; −1: it is as it was.
  private nonisolated(unsafe) static let settingsInUse = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  private static let inputInUse = Atomic<Int32>(-1)
  private static let outputInUse = Atomic<Int32>(-1)

  /// - Parameters:
  ///   - input: A terminal, standard input unless given.
  ///   - output: The same terminal, standard output unless given.
  init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
    (self.input, self.output) = (input, output)
    var settings = termios()
    tcgetattr(input, &settings)
    Self.settingsInUse.initialize(to: settings)
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    settings.c_iflag &= ~tcflag_t(IXON)
    // No key: _POSIX_VDISABLE, which is 0 here (termios(3)).
    withUnsafeMutableBytes(of: &settings.c_cc) { ($0[Int(VSUSP)], $0[Int(VQUIT)]) = (0, 0) }
    fflush(nil)
    Self.outputInUse.store(output, ordering: .releasing)
    Self.inputInUse.store(input, ordering: .releasing)
    tcsetattr(input, TCSANOW, &settings)
    draw("\(Self.enter)")
  }

  /// Columns and rows; of one that does not say, the usual ones.
  var size: TerminalSize { TerminalSize.of(output) ?? TerminalSize(columns: 80, rows: 24) }

  /// Writes text and escape sequences, behind whatever was printed before.
  func draw(_ text: String) {
    fflush(nil)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      // A terminal that has gone is found by its keys.
      guard count > 0 || errno == EINTR else { return }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  /// The next key that was pressed; nil: none was. Several bytes after an escape (ECMA-48: CUU, CUD; xterm: page keys) count as
  /// one key, 0 where it is not known, as of an arrow with Ctrl, Shift or Alt.
  func key() -> UInt8? {
    var polled = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, 0) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    // A terminal that has gone ends the view.
    guard read(input, &bytes, 1) > 0 else { return UInt8(ascii: "q") }
    guard bytes[0] == 0x1B else { return bytes[0] }
    guard poll(&polled, 1, 0) > 0 else { return 0 }
    // Of an arrow that is held, several come at once: one is read.
    guard read(input, &bytes, 2) == 2, bytes[0] == UInt8(ascii: "[") else { return 0 }
    let first = bytes[1]
    var last = first
    // Parameters, and what stands behind them, before the final byte (ECMA-48, 5.4). A sequence that breaks off is not waited for.
    while (0x20...0x3F).contains(last) {
      guard poll(&polled, 1, 0) > 0, read(input, &bytes, 1) == 1 else { return 0 }
      last = bytes[0]
    }
    switch last {
    case UInt8(ascii: "A") where first == last: return Self.up
    case UInt8(ascii: "B") where first == last: return Self.down
    case UInt8(ascii: "~") where first == UInt8(ascii: "5"): return Self.pageUp
    case UInt8(ascii: "~") where first == UInt8(ascii: "6"): return Self.pageDown
    default: return 0
    }
  }

  /// Shows the screen as it was, and takes lines again.
  func restore() {
    fflush(nil)
    Self.restoreInUse(waitingForScreen: true)
  }

  /// The same for whichever terminal is in use: for the handler of a signal as well, so it takes no lock and allocates nothing.
  ///
  /// - Parameter waitingForScreen: False where nothing may wait for a terminal that takes nothing.
  static func restoreInUse(waitingForScreen: Bool) {
    let input = inputInUse.exchange(-1, ordering: .acquiring)
    guard input >= 0 else { return }
    tcsetattr(input, TCSANOW, settingsInUse)
    var screen = pollfd(
      fd: outputInUse.load(ordering: .acquiring), events: Int16(POLLOUT), revents: 0)
    guard waitingForScreen || poll(&screen, 1, 0) > 0 else { return }
    _ = write(screen.fd, leave.utf8Start, leave.utf8CodeUnitCount)
  }
}
