import Base
import Book
import Control

/// A role that a connection has for a time.
struct RoleGrant: Sendable, Hashable {
  /// ``means`` of a proof by a clinic's pass.
  static let pass = "pass"
  /// Reason for the end of something that went on by a role, a clause.
  static let ended = "the role of its client has ended"

  let role: Role
  /// Proof of it: `PAM`, `pass`.
  let means: String
  /// Its end, monotonic s.
  let due: Double

  /// For the audit trail.
  var authority: Authority { Authority(role: role.rawValue, means: means) }

  /// Longest time for which it outlasts its own end, s. Own choice: twice what both ears' hearing test takes with its pauses.
  private static let longestHold = 3600.0

  /// The same for as long as something goes on that was begun by it, within bounds: what is paused goes on for ever.
  ///
  /// - Parameter now: Monotonic, s.
  func held(from now: Double) -> RoleGrant {
    RoleGrant(role: role, means: means, due: max(due, now + Self.longestHold))
  }
}

/// Proofs of roles that are waited for: a challenge for a connection, which whoever asked the person for their
/// password gives back.
struct RoleProofs: Sendable {
  /// Longest time between challenge and proof, s: a person finds their password, or their finger.
  static let patience = 60.0

  /// A proof that is waited for.
  struct Awaited: Sendable {
    let challenge: String
    let role: Role
    let peer: Peer
    let due: Double
  }

  /// Of each connection the latest, so that there are never more than connections.
  private(set) var awaited: [Awaited] = []

  /// Waits for the proof of a role.
  mutating func await(_ role: Role, of peer: Peer, challenge: String, now: Double) {
    forget(peer)
    awaited.append(Awaited(challenge: challenge, role: role, peer: peer, due: now + Self.patience))
  }

  /// The proof that was waited for, once.
  ///
  /// - Returns: Nil when the challenge is not known, is over, or was another user's.
  mutating func take(_ challenge: String, of userID: UInt32, now: Double) -> Awaited? {
    awaited.removeAll { $0.due <= now }
    guard
      let index = awaited.firstIndex(where: { $0.challenge == challenge && $0.peer.userID == userID })
    else { return nil }
    return awaited.remove(at: index)
  }

  /// Waits no longer for a connection's proof.
  mutating func forget(_ peer: Peer) { awaited.removeAll { $0.peer == peer } }
}

/// Occurrences that anybody can bring about, and that are noted: a few at once, then one now and then, so that nobody
/// can fill log or audit trail.
struct NoteLimit: Sendable {
  /// Noted at once of a user, and time after which one more is, s. Own choice.
  static let (burst, interval) = (5.0, 30.0)
  /// Users that are told apart; the rest share one allowance.
  static let users = 32

  private struct Allowance: Sendable {
    var left = NoteLimit.burst
    var since: Double
    /// Not noted since the last one that was.
    var silent = 0
  }

  private var allowances: [UInt32?: Allowance] = [:]

  /// Takes an occurrence that a user brought about.
  ///
  /// - Returns: Those that were passed over before this one; nil: this one is passed over too.
  mutating func take(_ userID: UInt32, now: Double) -> Int? {
    let isKnown = allowances[userID] != nil
    let key = isKnown || allowances.count < Self.users ? userID : nil
    var allowance = allowances[key] ?? Allowance(since: now)
    allowance.left = min(Self.burst, allowance.left + (now - allowance.since) / Self.interval)
    allowance.since = now
    defer { allowances[key] = allowance }
    guard allowance.left >= 1 else {
      allowance.silent += 1
      return nil
    }
    allowance.left -= 1
    defer { allowance.silent = 0 }
    return allowance.silent
  }
}
