import CLinux
import Control
import Glibc

/// Process at the other end of a connection, as the kernel vouches for it.
package struct Peer: Sendable {
  package let processID: Int32
  package let userID: UInt32
  package let groupID: UInt32
  /// Supplementary groups.
  package private(set) var groups: [UInt32] = []
  /// Number of the connection of the server, counted from 1; 0: none.
  package private(set) var connection: UInt64 = 0
  /// Roles at the moment of a request.
  var roles: Set<Role> = []
  /// The proof of one of them; nil: none was needed.
  var grant: RoleGrant?
}

/// Roles come and go; the peer of a connection stays the same.
extension Peer: Hashable {
  package static func == (one: Peer, other: Peer) -> Bool { one.identity == other.identity }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }

  private var identity: [UInt64] {
    [connection, UInt64(userID), UInt64(groupID), UInt64(bitPattern: Int64(processID))]
      + groups.map(UInt64.init)
  }
}

extension Peer {
  /// Of a connected Unix socket (SO_PEERCRED and SO_PEERGROUPS, unix(7)); nil when the kernel does not say.
  init?(of descriptor: Int32, connection: UInt64 = 0) {
    var (processID, userID, groupID) = (pid_t(), uid_t(), gid_t())
    guard clinux_peer_credentials(descriptor, &processID, &userID, &groupID) >= 0 else { return nil }
    self.init(
      processID: processID, userID: userID, groupID: groupID, groups: Self.groups(of: descriptor),
      connection: connection)
  }

  private static func groups(of descriptor: Int32) -> [UInt32] {
    var size = socklen_t()
    // ERANGE where there are any: `size` now says how much is needed.
    getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, nil, &size)
    var groups = [UInt32](repeating: 0, count: Int(size) / MemoryLayout<UInt32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &size) == 0 else { return [] }
    return Array(groups.prefix(Int(size) / MemoryLayout<UInt32>.size))
  }
}
