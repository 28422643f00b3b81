import Base

/// A part that a person plays for an aid. Some stand for themselves, others must be proved.
package enum Role: String, Sendable, Codable, CaseIterable {
  /// Whoever hears by the aid.
  case wearer
  /// Whoever fits it. To be proved.
  case audiologist
  /// Whoever looks into it. To be proved, by the person's password or by a clinic's pass.
  case developer
  /// Whoever runs the machine.
  case `operator`
  /// The wearer of a device of their own, who is its operator too; not of one that a clinic has handed out.
  case owner

  /// Roles that a client may ask for on its connection.
  package static let provable: [Role] = [.audiologist, .developer]

  /// Roles that stand in the table as columns; the owner is a wearer.
  package static let columns: [Role] = [.wearer, .audiologist, .developer, .operator]
}

/// Roles that may call a method.
///
///     MethodDescription("prescription.use", for: [.wearer, .audiologist], …)
package struct Access: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// Nil: everybody who may connect.
  package let roles: Set<Role>?

  /// Everybody who may connect.
  package static let any = Access(roles: nil)

  private init(roles: Set<Role>?) { self.roles = roles }

  package init(arrayLiteral roles: Role...) { self.init(roles: Set(roles)) }

  /// True for one who has one of the roles.
  package func allows(_ held: Set<Role>) -> Bool { roles.map { !$0.isDisjoint(with: held) } ?? true }

  /// Roles in words: `wearer, audiologist or operator`, `the wearer of their own device`.
  package var words: String {
    guard let roles else { return "everybody who may connect" }
    let named = Role.columns.filter(roles.contains).map(\.rawValue)
    let owner = roles.contains(.owner) && !roles.contains(.wearer) ? ["wearer of their own device"] : []
    return English.list(named + owner, "or")
  }
}
