import Dispatch
import Records
import Synchronization

/// Connections of one login: made when one is needed and none is idle, given back after each transaction.
///
/// - Threads: any.
final class PostgresPool: Sendable {
  private let address: String
  private let role: String?
  private let patience: Double
  private let silence: Double?
  private let size: Int
  private let free: DispatchSemaphore
  private let idle = Mutex<[PostgresConnection]>([])

  /// - Parameters:
  ///   - role: Role that each connection takes on, one of which the login is a member.
  ///   - size: Largest number of connections.
  ///   - patience: Longest wait for one, s.
  ///   - silence: As of each connection.
  init(_ address: String, role: String?, size: Int, patience: Double, silence: Double?) {
    precondition(size >= 1)
    (self.address, self.role, self.size, self.patience) = (address, role, size, patience)
    self.silence = silence
    free = DispatchSemaphore(value: size)
  }

  /// Runs a body with a connection that nobody uses meanwhile. One that broke is replaced, one with an open transaction takes it back, before
  /// anybody has it again.
  ///
  /// - Parameter failing: The caller's error where there is no connection.
  func with<Outcome, Failure: Error>(
    failing: (StorageError) -> Failure, _ body: (PostgresConnection) throws(Failure) -> Outcome
  ) throws(Failure) -> Outcome {
    let connection: PostgresConnection
    do throws(StorageError) { connection = try checkOut() } catch { throw failing(error) }
    defer { checkIn(connection) }
    return try body(connection)
  }

  private func checkOut() throws(StorageError) -> PostgresConnection {
    guard free.wait(timeout: .now() + patience) == .success else {
      throw .busy("each of \(size) connections was in use for \(patience) s")
    }
    do throws(StorageError) {
      // The last one given back is the likeliest to be warm.
      while let connection = idle.withLock({ $0.popLast() }) {
        if connection.isAlive { return connection }
      }
      return try PostgresConnection(address, role: role, silence: silence)
    } catch {
      free.signal()
      throw error
    }
  }

  private func checkIn(_ connection: PostgresConnection) {
    if connection.isClean { idle.withLock { $0.append(connection) } }
    free.signal()
  }
}
