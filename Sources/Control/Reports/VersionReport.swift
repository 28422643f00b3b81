/// Which program answers.
public struct VersionReport: Sendable, Codable, Hashable {
  /// `0.1.0`.
  public let version: String
  /// Commit it was built from, if known.
  public let commit: String?
  /// Swift version it was built with.
  public let swift: String
  /// Version of the messages on the control socket.
  public let protocolVersion: ProtocolVersion

  public init(version: String, commit: String?, swift: String) {
    self.version = version
    self.commit = commit
    self.swift = swift
    protocolVersion = .current
  }

  enum CodingKeys: String, CodingKey {
    case version, commit, swift
    case protocolVersion = "protocol"
  }
}
