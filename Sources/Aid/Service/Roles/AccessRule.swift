import AuricleClient
import Base
import Control
import Glibc

/// Users who may connect, and the roles that they have without a proof.
///
/// Of a person's own daemon the user and root alone may connect. Of the system's, members of three groups may:
/// those of its own group are wearers, those of the two others may prove to be audiologists or developers. Group
/// `audio` gives no right over an aid.
package struct AccessRule: Sendable, Hashable {
  /// The user that the daemon runs as.
  package let userID: UInt32
  /// The group of wearers; nil: a person's own daemon.
  package let groupID: UInt32?
  /// Groups whose members may prove a role.
  package var provers: [Role: UInt32] = [:]
  package var owner = Configuration.Owner.wearer
  /// Name of the clinic that the machine was handed over to; nil: it was to none.
  package var clinic: String?

  package init(userID: UInt32, groupID: UInt32?) { (self.userID, self.groupID) = (userID, groupID) }

  /// For a person's own daemon.
  package static var person: AccessRule { AccessRule(userID: geteuid(), groupID: nil).withProvers }
  /// For the system's daemon.
  package static var system: AccessRule { AccessRule(userID: geteuid(), groupID: getegid()).withProvers }

  /// Name of the group whose members may prove a role.
  package static func groupName(of role: Role) -> String { ProofRequest.group(of: role.rawValue) }

  /// The same on the machine of a clinic, or of its owner.
  ///
  /// - Parameters:
  ///   - clinic: Name of the clinic that the machine was handed over to; nil: it was to none.
  ///   - owner: As the configuration says.
  func on(deviceOf clinic: String?, configured owner: Configuration.Owner) -> AccessRule {
    var rule = self
    rule.clinic = clinic
    rule.owner = clinic == nil ? owner : .clinic
    return rule
  }

  private var withProvers: AccessRule {
    var rule = self
    for role in Role.provable { rule.provers[role] = Accounts.group(named: Self.groupName(of: role)) }
    return rule
  }

  /// Roles that a peer has without a proof.
  func roles(of peer: Peer) -> Set<Role> {
    let (isRoot, isOwn) = (peer.userID == 0, peer.userID == userID)
    let isMember = groupID.map(peer.isMember) ?? false
    // The system's daemon runs as a user of its own, who is nobody's ears.
    let isWearer = groupID == nil ? isOwn : isMember
    switch owner {
    case .wearer: return isRoot || isOwn || isMember ? [.wearer, .operator, .owner] : []
    case .clinic:
      let isOperator = isRoot || (isOwn && groupID != nil)
      return Set((isWearer ? [.wearer] : []) + (isOperator ? [.operator] : []))
    }
  }

  /// True for one who may prove a role.
  func mayProve(_ role: Role, _ peer: Peer) -> Bool { provers[role].map(peer.isMember) ?? false }

  /// Permissions of the socket's folder.
  var folderMode: UInt32 { groupID == nil ? 0o700 : 0o750 }
  /// Permissions of the socket: who may write may connect (unix(7)).
  var socketMode: UInt32 { groupID == nil ? 0o600 : 0o660 }
  /// Groups beside the socket's own whose members may connect.
  var furtherGroups: [UInt32] {
    guard let groupID else { return [] }
    return Set(provers.values).subtracting([groupID]).sorted()
  }

  /// Says to a peer which role it lacks, and how to get it.
  func refusal(of method: MethodDescription, to peer: Peer) -> ControlFailure {
    let wanted = method.access.roles ?? []
    let held = Role.columns.filter(peer.roles.contains).map(\.rawValue)
    let provable = Role.provable.filter { wanted.contains($0) && mayProve($0, peer) }
    let remedy: String =
      if let role = provable.first {
        "Prove it: add --as \(role.rawValue) to the command."
      } else if groupID == nil, peer.userID != userID {
        "Ask as the user who runs the daemon."
      } else if let clinic {
        "This device belongs to \(clinic): ask the clinic, or whoever runs the machine; auricle device shows more."
      } else {
        "Ask as one of them; auricle roles shows who may do what, and how."
      }
    return ControlFailure(
      Failure(
        method.name, found: "user \(peer.userID), \(held.isEmpty ? "no role" : English.list(held, "and"))",
        expected: method.access.words, remedy: remedy, exit: .noPermission), .notPermitted)
  }
}

extension Peer {
  func isMember(of group: UInt32) -> Bool { groupID == group || groups.contains(group) }
}
