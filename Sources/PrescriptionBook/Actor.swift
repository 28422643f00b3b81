/// Who asked for something that the audit trail keeps.
public struct Actor: Sendable, Hashable {
  /// How the request came.
  public enum Channel: String, Sendable, CaseIterable {
    /// Through the daemon's control socket.
    case socket
    /// From a command that opened the book itself, because no daemon ran.
    case command
    /// Nobody: time passed.
    case clock
  }

  public let channel: Channel
  /// The user's number in the system.
  public let userID: UInt32
  /// The process's number; 0 when unknown.
  public let processID: Int32

  public init(channel: Channel, userID: UInt32, processID: Int32) {
    self.channel = channel
    self.userID = userID
    self.processID = processID
  }
}
