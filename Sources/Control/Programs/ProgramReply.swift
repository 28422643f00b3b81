/// What the daemon answers to a ``ProgramCall`` that succeeds.
public enum ProgramReply: Sendable, Equatable {
  case list(ProgramsReport)
  /// To a change: what is heard then, with what was done.
  case changed(ProgramAnswer)
}

extension ProgramReply: Encodable {
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .list(let report): try report.encode(to: encoder)
    case .changed(let answer): try answer.encode(to: encoder)
    }
  }
}

/// What was done, and what is heard then, as `auricle use --json` prints it.
public struct ProgramAnswer: Sendable, Codable, Hashable {
  public static let schema = 100

  public let schema: Int
  /// One or more whole sentences for the person who asked.
  public let message: String
  public let program: ProgramReport

  public init(message: String, program: ProgramReport) {
    schema = Self.schema
    self.message = message
    self.program = program
  }
}
