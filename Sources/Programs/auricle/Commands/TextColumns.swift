import Base
import Synchronization

/// Lines of text that a person reads in `auricle setup`, whose steps are other commands: broken between words, as its questions are.
///
/// Commands that are called by themselves leave that to the terminal, and their lines whole to programs that search them.
///
/// - Threads: any.
enum TextColumns {
  /// Columns of a line: a terminal has 80.
  static let width = 78

  private static let isLimited = Atomic<Bool>(false)

  /// Limits the lines of every command in this process from now on.
  static func limit() { isLimited.store(true, ordering: .relaxed) }

  /// A text as it is written.
  static func broken(_ text: String) -> String {
    isLimited.load(ordering: .relaxed) ? English.wrapped(text, to: width) : text
  }
}
