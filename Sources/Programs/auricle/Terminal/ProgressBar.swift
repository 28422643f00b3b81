import Glibc

/// Shows how far a long task has come: a moving bar on a terminal, a line at every tenth otherwise.
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
  /// What stands on the screen, in thousandths on a terminal, in tenths otherwise.
  private var shown = -1
  private var share = 0.0
  private var isFinished = false

  /// - Parameters:
  ///   - label: What is being done.
  ///   - isTerminal: Whether lines can be written over.
  ///   - write: Takes the text; standard error for a command whose answer goes to standard output.
  init(_ label: String, isTerminal: Bool, write: @escaping (String) -> Void) {
    self.label = label
    self.isTerminal = isTerminal
    self.write = write
  }

  /// On standard error.
  init(_ label: String) {
    self.init(label, isTerminal: isatty(STDERR_FILENO) == 1) { text in
      let bytes = [UInt8](text.utf8)
      _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
  }

  /// Shows `share`, 0...1, when it would look different from before. Never goes back.
  mutating func update(_ share: Double) {
    guard !isFinished, share.isFinite else { return }
    let step = Int(min(max(share, 0), 1) * (isTerminal ? 1000 : 10))
    guard step > shown else { return }
    shown = step
    self.share = min(max(share, 0), 1)
    write(isTerminal ? "\r" + line : "\(label): \(Int(self.share * 100)) %\n")
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
