import Base
import CLinux
import Control
import Glibc

/// The methods that a server offers: the one list from which parameters are read, access is checked, and
/// the manual page is made.
package struct MethodTable: Sendable {
  /// In the order of registration.
  private var methods: [any ControlMethod.Type] = []

  package var descriptions: [MethodDescription] { methods.map { $0.description } }

  package init(_ methods: [any ControlMethod.Type] = []) { for method in methods { register(method) } }

  /// Adds a method.
  package mutating func register(_ method: any ControlMethod.Type) {
    precondition(!methods.contains { $0.name == method.name }, "\(method.name) is registered already")
    methods.append(method)
  }

  /// Reads a call: its method is looked up, and its parameters are checked.
  ///
  /// - Throws: ``ControlFailure`` that names what is wrong.
  func read(_ call: Request.Call) throws(ControlFailure) -> any ControlMethod {
    guard let method = methods.first(where: { $0.name == call.method }) else { throw unknown(call.method) }
    return try method.init(parameters: call.parameters)
  }

  /// Methods of former versions of the protocol, and their successor; those who call them learn more than
  /// that they are unknown.
  private static let former = [
    "feedback.borrow": "feedback.measure", "feedback.renew": "feedback.measure",
    "feedback.return": "feedback.stop",
  ]

  private func unknown(_ name: String) -> ControlFailure {
    if let successor = Self.former[name] {
      return ControlFailure(
        .unknownMethod,
        "method: found \"\(name)\", which ended with protocol 1.2, expected \"\(successor)\": the daemon measures "
          + "feedback itself. Install auricle and auricled of the same version.")
    }
    let names = descriptions.map(\.name)
    let hint = Spelling.nearest(to: name, among: names).map { " Did you mean \"\($0)\"?" } ?? ""
    return ControlFailure(
      .unknownMethod, "method: found \"\(name.prefix(64))\", expected \(English.list(names, "or")).\(hint)")
  }
}

/// Users who may connect, and of those the ones that each ``Access`` means.
package struct AccessRule: Sendable, Hashable {
  /// The user that the daemon runs as.
  package let userID: UInt32
  /// The group whose members may connect and change; nil: nobody but the user and root.
  package let groupID: UInt32?

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
    return ControlFailure(
      Failure(
        method, found: "a request of user \(peer.userID)", expected: "user \(userID) or root\(group)",
        remedy: groupID == nil
          ? "Ask as the user who runs the daemon." : "Ask as one of them, or join the group.",
        exit: .noPermission), .notPermitted)
  }
}

/// Process at the other end of a connection, as the kernel vouches for it.
package struct Peer: Sendable, Hashable {
  package let processID: Int32
  package let userID: UInt32
  package let groupID: UInt32
  /// Supplementary groups.
  package private(set) var groups: [UInt32] = []
  /// Number of the connection of the server, counted from 1; 0: none.
  package private(set) var connection: UInt64 = 0
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
