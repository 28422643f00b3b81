import Base
import Control

/// Methods by which somebody proves to be audiologist or developer.
///
/// The person's password never comes here: auricle-auth asks for it, in a process of its own that PAM's modules may
/// hang or crash, and brings the outcome.
package enum RoleMethods {
  package struct Begin: DaemonMethod {
    package static let description = MethodDescription(
      "role.begin", for: .any,
      "Asks for a role on this connection. A developer has it at once while a clinic's pass is open; otherwise the"
        + " challenge is for auricle-auth, which asks for the password.",
      [MethodParameter("role", .text, "audiologist or developer")], answer: RoleAnswer.words)

    let role: String

    package init(_ role: Role) { self.role = role.rawValue }

    package func check() throws(ControlFailure) {
      guard Role.provable.contains(where: { $0.rawValue == role }) else {
        throw .parameter(
          "role", found: "\"\(role.prefix(64))\"",
          expected: English.list(Role.provable.map { "\"\($0.rawValue)\"" }, "or"))
      }
    }

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<RoleAnswer> {
      let role = Role(rawValue: role) ?? .developer
      if role == .developer, let end = state.known.developerModeEnds {
        if let grant = peer.grant, grant.role == role, grant.means == RoleGrant.pass {
          return .now(state.answer(grant))
        }
        return .now(state.grant(role, to: peer, means: RoleGrant.pass, for: end - state.now.wall))
      }
      guard state.facts.rule.mayProve(role, peer) else {
        state.noteRefusal(Self.name, to: peer)
        throw Self.refusal(role, peer)
      }
      let challenge = state.facts.challenge()
      state.proofs.await(role, of: peer, challenge: challenge, now: state.now.monotonic)
      return .now(RoleAnswer(challenge: challenge, expiresInSeconds: RoleProofs.patience))
    }

    private static func refusal(_ role: Role, _ peer: Peer) -> Failure {
      let group = AccessRule.groupName(of: role)
      let pass = role == .developer ? "scan the pass that a clinic has signed, or " : ""
      return Failure(
        "role \(role.rawValue)", found: "user \(peer.userID), who is not in group \(group)",
        expected: "a member of it",
        remedy: "To have it, \(pass)let the operator add the user to the group and log in again.",
        exit: .noPermission)
    }
  }

  package struct Prove: DaemonMethod {
    package static let description = MethodDescription(
      "role.prove", for: [.operator],
      "Says that the user with the challenge is who they say; from auricle-auth alone, which runs as root, or as the user"
        + " of a person's own daemon for that user.",
      parameters + [
        MethodParameter("means", .text, "of the proof: 1 to 16 letters, digits or hyphens"),
        MethodParameter(
          "role", .text, "the role that the user may have by the accounts' database: that of the challenge"),
      ],
      answer: RoleAnswer.words, conduct: .sparing)

    fileprivate static let parameters = [
      MethodParameter("challenge", .text, "as role.begin answered it"),
      MethodParameter("user_id", .whole(0...Int(UInt32.max)), "the user who has proved it"),
    ]

    let challenge: String
    let userId: UInt32
    let means: String
    let role: String

    package func check() throws(ControlFailure) {
      let isWord = means.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      guard isWord, (1...16).contains(means.utf8.count) else {
        throw .parameter("means", found: "another text", expected: "1 to 16 letters, digits or hyphens")
      }
    }

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<RoleAnswer> {
      let awaited = try state.takeProof(
        challenge, of: userId, from: peer, Self.name, noting: "proved by \(means)")
      guard role == awaited.role.rawValue else {
        state.noteRefusal("role \(awaited.role.rawValue) (a proof for another one)", to: awaited.peer)
        throw Failure(
          Self.name, found: "a proof for the role \(role.prefix(32))",
          expected: "one for \(awaited.role.rawValue)",
          remedy: "Ask for the role again.", exit: .noPermission)
      }
      return .now(
        state.grant(
          awaited.role, to: awaited.peer, means: means,
          for: state.configuration.configuration.control.roleTime))
    }
  }

  package struct Deny: DaemonMethod {
    package static let description = MethodDescription(
      "role.deny", for: [.operator],
      "Says that the user with the challenge did not prove it; from auricle-auth alone, as role.prove.",
      Prove.parameters + [MethodParameter("reason", .text, "for the log, at most 80 characters of it")],
      answer: "", conduct: .sparing)

    let challenge: String
    let userId: UInt32
    let reason: String

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<[String: Bool]>
    {
      let shown = reason.prefix(80).map { $0.isASCII && !$0.isNewline ? $0 : "?" }
      let words = String(shown)
      let awaited = try state.takeProof(challenge, of: userId, from: peer, Self.name, noting: words)
      state.noteRefusal("role \(awaited.role.rawValue) (\(words))", to: awaited.peer)
      return .now([:])
    }
  }

  package struct End: DaemonMethod {
    package static let description = MethodDescription(
      "role.end", for: .any,
      "Gives the role of this connection back, which ends what goes on by it: debug mode, a recording, a feedback test or a procedure"
        + " that needs it.", answer: "")

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<[String: Bool]> {
      state.endRole(of: peer)
      return .now([:])
    }
  }
}
