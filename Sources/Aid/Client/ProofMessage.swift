import Base

/// Request of a proof, a client's first line to auricle-auth.
///
///     {"challenge":"6b86…","role":"audiologist","daemon":"user"}
package struct ProofRequest: Decodable, Sendable, Equatable {
  /// The daemon that made the challenge.
  package enum Daemon: String, Decodable, Sendable {
    case system
    /// Of the client's own user.
    case user
  }

  /// Digits of a challenge, hexadecimal.
  package static let challengeDigits = 64

  /// From the daemon's answer to `role.begin`.
  package let challenge: String
  /// The role that the challenge is for; the daemon compares.
  package let role: String
  /// Nil: the system's.
  package let daemon: Daemon?

  package init(challenge: String, role: String, daemon: Daemon? = nil) {
    (self.challenge, self.role, self.daemon) = (challenge, role, daemon)
  }

  /// Name of the group whose members may prove a role.
  package static func group(of role: String) -> String { "auricle-\(role)" }

  /// Without its line break.
  package var line: [UInt8] {
    let json: JSONValue = [
      "challenge": .text(challenge), "role": .text(role), "daemon": daemon.map { .text($0.rawValue) },
    ]
    return [UInt8](json.minified.utf8)
  }

  /// The fault of a request that cannot be carried out, a clause; nil: none.
  package var fault: String? {
    let isChallenge =
      challenge.utf8.count == Self.challengeDigits && Hexadecimal.bytes(challenge) != nil
    let isRole = 1...32 ~= role.utf8.count && role.utf8.allSatisfy { 0x61...0x7A ~= $0 }
    if isChallenge, isRole { return nil }
    return isChallenge
      ? "a role that is not one lowercase word"
      : "a challenge that is not \(Self.challengeDigits) hexadecimal digits"
  }
}

/// Answer of a client to a prompt: `{"text":"…"}`.
package struct ProofAnswer: Decodable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  /// Name of the group whose members may prove a role.
  package static func group(of role: String) -> String { "auricle-\(role)" }

  /// Without its line break.
  package var line: [UInt8] { [UInt8]("{\"text\":\(JSONValue.text(text).minified)}".utf8) }
}

/// A line of auricle-auth to its client.
package enum ProofMessage: Sendable, Equatable {
  /// A question, to be answered with a ``ProofAnswer``.
  ///
  /// - echo: True when what is typed may be seen.
  case prompt(String, echo: Bool)
  case message(String)
  case errorMessage(String)
  /// The last line: the role is given until then, s since 1970-01-01 UTC.
  case proved(until: Double)
  /// The last line: no role.
  ///
  /// - reason: A sentence.
  /// - remedy: Sentences.
  case refused(reason: String, remedy: String?)

  /// Nil for a line that is none of these.
  package init?(line: [UInt8]) {
    guard let json = try? JSONValue(line) else { return nil }
    func text(_ key: String) -> String? {
      if case .text(let text) = json[key]?.content { text } else { nil }
    }
    if let prompt = text("prompt") {
      self = .prompt(prompt, echo: json["echo"] == .boolean(true))
    } else if let message = text("message") {
      self = .message(message)
    } else if let message = text("error_message") {
      self = .errorMessage(message)
    } else if text("result") == "proved", case .number(let until) = json["until_unix_seconds"]?.content {
      self = .proved(until: until)
    } else if text("result") == "refused", let reason = text("reason") {
      self = .refused(reason: reason, remedy: text("remedy"))
    } else {
      return nil
    }
  }

  /// Name of the group whose members may prove a role.
  package static func group(of role: String) -> String { "auricle-\(role)" }

  /// Without its line break.
  package var line: [UInt8] {
    let json: JSONValue =
      switch self {
      case .prompt(let text, let echo): ["prompt": .text(text), "echo": .boolean(echo)]
      case .message(let text): ["message": .text(text)]
      case .errorMessage(let text): ["error_message": .text(text)]
      case .proved(let until): ["result": "proved", "until_unix_seconds": .finite(until)]
      case .refused(let reason, let remedy):
        ["result": "refused", "reason": .text(reason), "remedy": remedy.map(JSONValue.text)]
      }
    return [UInt8](json.minified.utf8)
  }
}
