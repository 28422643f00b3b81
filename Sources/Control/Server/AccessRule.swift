import Glibc

/// Who may connect, and who of those may change something. Everybody connected may read.
public struct AccessRule: Sendable, Hashable {
  /// The user that the daemon runs as.
  public let userID: UInt32
  /// The group whose members may connect and change; nil: nobody but the user and root.
  public let groupID: UInt32?

  /// - Parameter groupID: Nil for a person's own daemon.
  public init(userID: UInt32, groupID: UInt32?) {
    self.userID = userID
    self.groupID = groupID
  }

  /// For a person's own daemon.
  public static var person: AccessRule { AccessRule(userID: geteuid(), groupID: nil) }
  /// For the system's daemon: members of its group may use it.
  public static var group: AccessRule { AccessRule(userID: geteuid(), groupID: getegid()) }

  public func mayChange(_ peer: Peer) -> Bool {
    if peer.userID == 0 || peer.userID == userID { return true }
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
