import Base
import Prescriptions

/// Who asked for something that the audit trail keeps.
package struct Actor: Sendable, Hashable {
  /// How the request came.
  package enum Channel: String, Sendable, CaseIterable {
    /// Through the daemon's control socket.
    case socket
    /// From a command that opened the book itself, because no daemon ran.
    case command
    /// Nobody: time passed.
    case clock
  }

  package let channel: Channel
  /// The user's number in the system.
  package let userID: UInt32
  /// The process's number; 0 when unknown.
  package let processID: Int32

  package init(channel: Channel, userID: UInt32, processID: Int32) {
    self.channel = channel
    self.userID = userID
    self.processID = processID
  }
}

/// The two clocks that the book reads.
package struct BookClock: Sendable {
  /// What the system says the time is. Anybody may have set it.
  package let wall: @Sendable () -> Instant
  /// s since the system started, sleep included. Nobody can set it.
  package let running: @Sendable () -> Int

  package init(wall: @escaping @Sendable () -> Instant, running: @escaping @Sendable () -> Int) {
    self.wall = wall
    self.running = running
  }

  /// The system's.
  package static let system = BookClock(
    wall: { Instant(seconds: Int(SystemTime.wall.rounded(.down))) }, running: { Int(SystemTime.running) })
}
