import Base
import Glibc

/// Progress of a long task: a moving bar on a terminal, nothing anywhere else.
///
///     var bar = ProgressBar("rendering")
///     bar.update(0.25)
///     bar.end()
///
/// - Threads: one at a time.
struct ProgressBar {
  /// Width of the bar itself, characters.
  static let width = 30

  private let label: String
  private let isTerminal: Bool
  private let write: (String) -> Void
  /// Share shown on the screen, in thousandths.
  private var shown = -1
  private var share = 0.0
  private var hasEnded = false

  /// - Parameters:
  ///   - label: Name of the task.
  ///   - isTerminal: True where a line can be overwritten.
  ///   - write: Takes the text; standard error for a command whose answer goes to standard output.
  init(
    _ label: String, isTerminal: Bool = isatty(STDERR_FILENO) == 1,
    write: @escaping (String) -> Void = StandardError.write
  ) { (self.label, self.isTerminal, self.write) = (label, isTerminal, write) }

  /// Shows `share`, 0...1, when it would look different from before. Never goes back.
  mutating func update(_ share: Double) {
    guard isTerminal, !hasEnded, share.isFinite else { return }
    let share = min(max(share, 0), 1)
    guard Int(share * 1000) > shown else { return }
    (shown, self.share) = (Int(share * 1000), share)
    write("\r" + line)
  }

  /// Says something meanwhile, on a line of its own; the bar goes on below it.
  mutating func say(_ text: String) {
    guard isTerminal, !hasEnded, shown >= 0 else { return write("\(text)\n") }
    let rest = String(repeating: " ", count: max(0, line.count - text.count))
    write("\r\(text)\(rest)\n\(line)")
  }

  /// The bar as it stands on a terminal.
  private var line: String {
    let percent = Int(share * 100)
    let filled = Int(share * Double(Self.width))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
    return
      "\(label) [\(bar)] \(String(repeating: " ", count: percent < 10 ? 2 : percent < 100 ? 1 : 0))\(percent) %"
  }

  /// Ends where it is, so that a message can follow on its own line.
  mutating func end() {
    guard !hasEnded else { return }
    hasEnded = true
    if isTerminal, shown >= 0 { write("\n") }
  }
}
