import Base
import Glibc

/// Progress of a long task: a moving bar on a terminal, nothing anywhere else.
///
///     var bar = ProgressBar("rendering", isTerminal: isatty(STDERR_FILENO) == 1, write: …)
///     bar.update(0.25)
///     bar.finish()
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
  private var isFinished = false

  /// - Parameters:
  ///   - label: Name of the task.
  ///   - isTerminal: True where a line can be overwritten.
  ///   - write: Takes the text; standard error for a command whose answer goes to standard output.
  init(_ label: String, isTerminal: Bool, write: @escaping (String) -> Void) {
    self.label = label
    self.isTerminal = isTerminal
    self.write = write
  }

  /// On standard error.
  init(_ label: String) {
    self.init(label, isTerminal: isatty(STDERR_FILENO) == 1) { StandardError.write($0) }
  }

  /// Shows `share`, 0...1, when it would look different from before. Never goes back.
  mutating func update(_ share: Double) {
    guard isTerminal, !isFinished, share.isFinite else { return }
    let step = Int(min(max(share, 0), 1) * 1000)
    guard step > shown else { return }
    shown = step
    self.share = min(max(share, 0), 1)
    write("\r" + line)
  }

  /// Says something meanwhile, on a line of its own; the bar goes on below it.
  mutating func say(_ text: String) {
    guard isTerminal, !isFinished, shown >= 0 else { return write("\(text)\n") }
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

  /// Ends with a full bar.
  mutating func finish() {
    update(1)
    end()
  }

  /// Ends where it is, so that a message can follow on its own line.
  mutating func end() {
    guard !isFinished else { return }
    isFinished = true
    if isTerminal, shown >= 0 { write("\n") }
  }
}
