import Synchronization

/// Keys on their way from the supervisor to the procedure's thread, in their order, each with its time.
///
/// - Threads: any.
final class ProcedureInbox: Sendable {
  private let keys = Mutex<[(key: ProcedureKey, at: Double)]>([])
  /// Keys that wait at most; a procedure looks fifty times a second.
  private static let room = 100

  /// - Parameter at: Monotonic s.
  func put(_ key: ProcedureKey, at: Double) {
    keys.withLock { if $0.count < Self.room { $0.append((key, at)) } }
  }

  func take() -> [(key: ProcedureKey, at: Double)] {
    keys.withLock { keys in
      defer { keys = [] }
      return keys
    }
  }
}
