import CLinux
import Glibc

/// Who is at the other end of a connection, as the kernel vouches for it.
public struct Peer: Sendable, Hashable {
  public let processID: Int32
  public let userID: UInt32
  public let groupID: UInt32
  /// Supplementary groups.
  public let groups: [UInt32]
  /// Which connection of the server it is, counted from 1; 0: none.
  public let connection: UInt64

  public init(
    processID: Int32, userID: UInt32, groupID: UInt32, groups: [UInt32] = [], connection: UInt64 = 0
  ) {
    self.processID = processID
    self.userID = userID
    self.groupID = groupID
    self.groups = groups
    self.connection = connection
  }

  /// Of a connected Unix socket (SO_PEERCRED and SO_PEERGROUPS, unix(7)); nil when the kernel does not say.
  init?(of descriptor: Int32, connection: UInt64 = 0) {
    var (processID, userID, groupID) = (pid_t(), uid_t(), gid_t())
    guard clinux_peer_credentials(descriptor, &processID, &userID, &groupID) >= 0 else { return nil }
    self.init(
      processID: processID, userID: userID, groupID: groupID, groups: Self.groups(of: descriptor),
      connection: connection)
  }

  private static func groups(of descriptor: Int32) -> [UInt32] {
    var groups = [UInt32](repeating: 0, count: 64)
    var size = socklen_t(groups.count * MemoryLayout<UInt32>.size)
    if getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &size) != 0 {
      // ERANGE: `size` now says how much is needed.
      guard errno == ERANGE else { return [] }
      groups = [UInt32](repeating: 0, count: Int(size) / MemoryLayout<UInt32>.size)
      guard getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &size) == 0 else { return [] }
    }
    return Array(groups.prefix(Int(size) / MemoryLayout<UInt32>.size))
  }
}
