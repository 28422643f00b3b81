import Control

/// A method of the prescription book, carried out by the daemon, or by a command while no daemon runs.
package protocol BookMethod: ControlMethod {
  associatedtype Reply

  /// Longest wait for the disk, s; nil: as for every call.
  static var patience: Double? { get }

  /// True for a method that begins a book where there is none.
  static var beginsBook: Bool { get }

  /// The answer while there is no book, so that asking makes none; nil: there has to be one.
  static var answerWithoutBook: Reply? { get }

  /// - Throws: ``BookRefusal``; the book is then as it was.
  func answer(in session: BookSession) throws(BookRefusal) -> Reply
}

extension BookMethod {
  package static var patience: Double? { nil }
  package static var beginsBook: Bool { false }
  package static var answerWithoutBook: Reply? { nil }
}
