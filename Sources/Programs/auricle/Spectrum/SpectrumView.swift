import Acoustics
import Base
import Control
import Glibc
import Prescriptions
import Service

/// The live view of a spectrum on a terminal, with keys.
struct SpectrumView {
  private var screen = SpectrumScreen(columns: 80, rows: 24)
  private var isFrozen = false
  private var report: SpectrumReport?
  /// Sentence in place of the key's legend, until the next key.
  private var message: String?

  init(ear: Ear, style: Style) { (screen.ear, screen.style) = (ear, style) }

  /// Shows spectra until q, Ctrl-C or the end of a recording that nobody looks at any more.
  mutating func show(_ spectra: inout SpectrumSource) throws(Failure) -> ExitStatus {
    let terminal = RawTerminal()
    defer { terminal.restore() }
    while !Interruption.hasCome {
      let next = try spectra.next(timeout: 0.05)
      if let next, !isFrozen { report = next }
      // A recording is shown as fast as it was heard.
      if !spectra.isLive { usleep(40_000) }
      while let key = terminal.key() { guard press(key) else { return .done } }
      draw(isOver: !spectra.isLive && next == nil)
    }
    return .done
  }

  /// - Returns: False at the end.
  private mutating func press(_ key: UInt8) -> Bool {
    message = nil
    let count = report?.frequencies.bandsHz.count ?? 0
    switch key {
    case UInt8(ascii: "q"), 3: return false
    case UInt8(ascii: "e"): screen.ear = screen.ear.opposite
    case UInt8(ascii: "b"):
      let next = (screen.band ?? -1) + 1
      screen.band = next < count ? next : nil
    case UInt8(ascii: "B"):
      let next = (screen.band ?? count) - 1
      screen.band = next >= 0 ? next : nil
    case UInt8(ascii: "p"): screen.showsParts.toggle()
    case UInt8(ascii: "f"): isFrozen.toggle()
    case UInt8(ascii: "s"): message = save()
    default: break
    }
    screen.note = isFrozen ? ", frozen" : ""
    return true
  }

  /// Writes the moment that is shown to a file.
  ///
  /// - Returns: A sentence.
  private func save() -> String {
    guard let report else { return "There is nothing to save yet." }
    let digits = Instant.now.localText.prefix(19).filter(\.isNumber)
    let path = "auricle-spectrum-\(digits).jsonl"
    do throws(Failure) {
      let file = try SpectrumFile(path)
      try file.append(report)
      try file.publish()
      return "Saved \(path)."
    } catch { return error.message }
  }

  private mutating func draw(isOver: Bool) {
    let size = TerminalSize.current ?? TerminalSize(columns: 80, rows: 24)
    (screen.columns, screen.rows) = (size.columns, size.rows)
    guard let report else {
      Swift.print("\u{1B}[HWaiting for sound.\u{1B}[K\u{1B}[J", terminator: "")
      fflush(nil)
      return
    }
    var lines = screen.lines(report)
    if let message { lines[lines.count - 1] = String(message.prefix(size.columns)) }
    if isOver, lines.count > 1, !isFrozen, message == nil {
      lines[lines.count - 1] = "End of the recording.  e ear  b band  p parts  s save  q quit"
    }
    // Home, each line with its rest erased, and all below (ECMA-48: CUP, EL, ED).
    let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n")
    Swift.print("\u{1B}[H" + text + "\u{1B}[J", terminator: "")
    fflush(nil)
  }
}

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
/// Ctrl-C stays a signal, which ``Interruption`` notes.
struct RawTerminal {
  /// Keys that send several bytes, as ``key()`` tells them.
  static let (up, down, pageUp, pageDown): (UInt8, UInt8, UInt8, UInt8) = (0x80, 0x81, 0x82, 0x83)

  private let former: termios
  /// Keys are read there.
  private let input: Int32
  /// The screen is drawn there.
  private let output: Int32

  /// - Parameters:
  ///   - input: A terminal, standard input unless given.
  ///   - output: The same terminal, standard output unless given.
  init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
    (self.input, self.output) = (input, output)
    var settings = termios()
    tcgetattr(input, &settings)
    former = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(input, TCSANOW, &settings)
    // Other screen, cursor hidden (xterm's private modes 1049 and 25).
    draw("\u{1B}[?1049h\u{1B}[?25l\u{1B}[J")
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
  /// one key, 0 where it is not known.
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
    switch bytes[1] {
    case UInt8(ascii: "A"): return Self.up
    case UInt8(ascii: "B"): return Self.down
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      let digit = bytes[1]
      while read(input, &bytes, 1) == 1, bytes[0] != UInt8(ascii: "~") {}
      return digit == UInt8(ascii: "5") ? Self.pageUp : digit == UInt8(ascii: "6") ? Self.pageDown : 0
    default: return 0
    }
  }

  func restore() {
    var former = former
    draw("\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(input, TCSANOW, &former)
  }
}
