/// What was found when the machine was examined, as `auricle doctor --json` prints it.
public struct DoctorReport: Sendable, Codable, Equatable {
  public static let schema = 100

  public let schema: Int
  public let findings: [Finding]

  public init(findings: [Finding]) {
    schema = Self.schema
    self.findings = findings
  }

  /// Whether nothing stands in the way of sound.
  public var isHealthy: Bool { !findings.contains { $0.verdict == .bad } }

  /// One fact about the machine.
  public struct Finding: Sendable, Codable, Hashable {
    public enum Verdict: String, Sendable, Codable, CaseIterable {
      case good
      /// Sound will flow, but worse than it could.
      case warning
      /// Sound will not flow, or not safely.
      case bad
    }

    /// What was looked at, `real-time priority`.
    public let subject: String
    public let verdict: Verdict
    /// What was found, without a full stop.
    public let found: String
    /// What to do about it, whole sentences.
    public let remedy: String?

    public init(_ subject: String, _ verdict: Verdict, found: String, remedy: String? = nil) {
      self.subject = subject
      self.verdict = verdict
      self.found = found
      self.remedy = remedy
    }
  }
}
