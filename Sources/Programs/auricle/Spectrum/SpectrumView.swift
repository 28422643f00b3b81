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
  /// Sentences in place of the keys' legend, until the next key.
  private var message: String?
  /// Reason for which no live sound comes, sentences; nil: it comes.
  private var silence: String?
  /// Moment from which on no spectrum has come, or of the last question why, monotonic s; nil: one has just come.
  private var last: Double?

  init(ear: Ear, style: Style) { (screen.ear, screen.style) = (ear, style) }

  /// Shows spectra until q, Ctrl-C or the end of a recording that nobody looks at any more.
  mutating func show(_ spectra: inout SpectrumSource) throws(Failure) -> ExitStatus {
    let terminal = RawTerminal()
    defer { terminal.restore() }
    while !Interruption.hasCome {
      let next = try spectra.next(timeout: 0.05)
      take(next)
      if isLate(SystemTime.monotonic) { tell(try spectra.silence()) }
      // A recording is shown as fast as it was heard.
      if !spectra.isLive { usleep(40_000) }
      while let key = terminal.key() { guard press(key) else { return .done } }
      draw(isOver: !spectra.isLive && next == nil)
    }
    return .done
  }

  // MARK: - Spectra

  /// Shows a spectrum; nil: none came.
  mutating func take(_ next: SpectrumReport?) {
    guard let next else { return }
    (silence, last) = (nil, nil)
    if !isFrozen { report = next }
  }

  /// True where no spectrum has come for so long that the daemon is asked why; then the time begins anew.
  mutating func isLate(_ now: Double) -> Bool {
    let begun = last ?? now
    let isLate = now - begun > SpectrumSource.patience
    last = isLate ? now : begun
    return isLate
  }

  /// Shows a reason for which no spectrum comes; nil: one may come.
  mutating func tell(_ reason: Failure?) {
    silence = reason.map { [$0.found + ".", $0.remedy].compactMap(\.self).joined(separator: " ") }
  }

  // MARK: - Keys

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
    return true
  }

  /// Writes the moment that is shown to a file.
  ///
  /// - Returns: A sentence.
  private func save() -> String {
    guard let report else { return "There is nothing to save yet." }
    let name = "auricle-spectrum-\(Instant.now.localText.prefix(19).filter(\.isNumber))"
    // Two moments can be of one second.
    var (path, number) = (name + ".jsonl", 1)
    while access(path, F_OK) == 0 {
      number += 1
      path = "\(name)-\(number).jsonl"
    }
    do throws(Failure) {
      let file = try SpectrumFile(path, replacing: false)
      try file.append(report)
      try file.publish()
      return "Saved \(path)."
    } catch { return error.message }
  }

  // MARK: - Screen

  private func draw(isOver: Bool) {
    let lines = lines(TerminalSize.current ?? TerminalSize(columns: 80, rows: 24), isOver: isOver)
    // Home, each line with its rest erased, and all below (ECMA-48: CUP, EL, ED).
    let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n")
    Swift.print("\u{1B}[H" + text + "\u{1B}[J", terminator: "")
    fflush(nil)
  }

  /// Lines of the screen.
  ///
  /// - Parameter isOver: True behind the last spectrum of a recording.
  func lines(_ size: TerminalSize, isOver: Bool) -> [String] {
    var screen = screen
    (screen.columns, screen.rows) = (size.columns, size.rows)
    screen.note = isFrozen ? ", frozen" : silence == nil ? "" : ", no sound"
    let words = message ?? silence
    guard let report else {
      return Array(Self.broken(words ?? "Waiting for sound.", at: size.columns).prefix(size.rows))
    }
    let lines = screen.lines(report)
    if let words { return Self.ended(lines, with: words, columns: size.columns) }
    guard isOver, !isFrozen, lines.count > 1 else { return lines }
    return Array(lines.dropLast()) + [String(Self.end.prefix(size.columns))]
  }

  private static let end = "End of the recording.  e ear  b band  p parts  s save  q quit"

  /// A screen with words in place of as many of its last lines as they take: they are not cut off, for advice stands at their end.
  private static func ended(_ lines: [String], with words: String, columns: Int) -> [String] {
    let words = broken(words, at: columns)
    return Array(lines.dropLast(words.count)) + words.suffix(lines.count)
  }

  /// Sentences as lines, without anything that acts on a terminal.
  private static func broken(_ words: String, at columns: Int) -> [String] {
    let line = LogLine.printable(words.split(whereSeparator: \.isNewline).joined(separator: " "))
    return English.lines(line, of: max(columns, 1)).map { String($0.prefix(columns)) }
  }
}
