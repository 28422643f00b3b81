import Base
import CLinux
import Control
import Glibc

/// Users who may connect, and of those the ones that each ``Access`` means.
package struct AccessRule: Sendable, Hashable {
  /// The user that the daemon runs as.
  package let userID: UInt32
  /// The group whose members may connect and change; nil: nobody but the user and root.
  package let groupID: UInt32?

  /// - Parameter groupID: Nil for a person's own daemon.
  package init(userID: UInt32, groupID: UInt32?) {
    self.userID = userID
    self.groupID = groupID
  }

  /// For a person's own daemon.
  package static var person: AccessRule { AccessRule(userID: geteuid(), groupID: nil) }
  /// For the system's daemon: members of its group may use it.
  package static var group: AccessRule { AccessRule(userID: geteuid(), groupID: getegid()) }

  package func allows(_ access: Access, to peer: Peer) -> Bool {
    if access == .any || peer.userID == 0 || peer.userID == userID { return true }
    guard let groupID else { return false }
    return peer.groupID == groupID || peer.groups.contains(groupID)
  }

  /// Permissions of the socket's folder.
  var folderMode: UInt32 { groupID == nil ? 0o700 : 0o750 }
  /// Permissions of the socket: who may write may connect (unix(7)).
  var socketMode: UInt32 { groupID == nil ? 0o600 : 0o660 }

  /// Says to a peer why it may not.
  func refusal(of method: String, by peer: Peer) -> ControlFailure {
    let group = groupID.map { ", or a member of group \($0)" } ?? ""
    let failure = Failure(
      method, found: "a request of user \(peer.userID)", expected: "user \(userID) or root\(group)",
      remedy: groupID == nil
        ? "Ask as the user who runs the daemon." : "Ask as one of them, or join the group.",
      exit: .noPermission)
    return ControlFailure(.notPermitted, failure.message, failure: failure)
  }
}

/// Who is at the other end of a connection, as the kernel vouches for it.
package struct Peer: Sendable, Hashable {
  package let processID: Int32
  package let userID: UInt32
  package let groupID: UInt32
  /// Supplementary groups.
  package let groups: [UInt32]
  /// Which connection of the server it is, counted from 1; 0: none.
  package let connection: UInt64

  package init(
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
