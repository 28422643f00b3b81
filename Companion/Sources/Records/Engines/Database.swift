import Almanac

/// Identity and time of a transaction. Statements see them as `subject_id()` and `clock_now()`, in ms since 1970, on both engines: who asks
/// and when is never a parameter that a statement could forget.
public struct Session: Sendable, Hashable {
  /// Nil: nobody.
  public let subject: String?
  public let now: Instant

  public init(subject: String?, at now: Instant) { (self.subject, self.now) = (subject, now) }
}

/// A database of either engine.
///
/// - Threads: any, one transaction at a time; a call waits for the disk.
public protocol Database: Sendable {
  /// Runs a body in one transaction: all of it is kept, or nothing. What is kept is on the disk when the call returns.
  ///
  /// - Parameter failing: The caller's error for a database that did not do it.
  /// - Throws: The body's error, after taking everything back, and what `failing` makes of a ``StorageError``; everything may
  ///   be kept then where it is ``StorageError/unanswered(_:)``.
  func transaction<Outcome, Failure: Error>(
    _ session: Session, _ body: (any Transaction) throws(Failure) -> Outcome,
    failing: (StorageError) -> Failure
  ) throws(Failure) -> Outcome

  /// Runs one statement in a transaction of its own, in one round trip where the engine is a server.
  ///
  /// - Returns: Its rows.
  /// - Throws: ``StorageError``.
  func once(
    _ session: Session, _ statement: Statement, _ parameters: [String: Value]
  ) throws(StorageError) -> [Row]

  /// Runs statements of a migration, which have no parameters, as one step. One that another program has applied by then is passed over.
  func apply(_ migration: Migration) throws(StorageError)
}

extension Database {
  /// The same, of a body that throws nothing but the database's errors.
  public func transaction<Outcome>(
    _ session: Session, _ body: (any Transaction) throws(StorageError) -> Outcome
  ) throws(StorageError) -> Outcome {
    try transaction(session, body, failing: { $0 })
  }
}

/// The two engines.
public enum Engine: String, Sendable, Hashable, CaseIterable { case sqlite, postgres }

/// Statements within a transaction.
public protocol Transaction {
  /// Rows of a statement.
  func rows(_ statement: Statement, _ parameters: [String: Value]) throws(StorageError) -> [Row]
  /// Runs a statement.
  ///
  /// - Returns: Rows that it changed.
  @discardableResult func run(
    _ statement: Statement, _ parameters: [String: Value]
  ) throws(StorageError) -> Int
}
