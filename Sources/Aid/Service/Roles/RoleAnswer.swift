import Control

/// The role that a connection has, or the challenge that must be met for it.
package struct RoleAnswer: Sendable, Codable, Hashable {
  static let words =
    "'role' and 'until_unix_seconds' once it is granted; before that 'challenge' and 'expires_in_seconds'"

  package var role: Role?
  /// End of the role, s since 1970-01-01 UTC.
  package var untilUnixSeconds: Double?
  /// 64 hexadecimal digits.
  package var challenge: String?
  package var expiresInSeconds: Double?
}
