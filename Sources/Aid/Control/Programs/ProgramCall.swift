import Base

/// A request about listening programs, volume and tone.
package enum ProgramCall: Sendable, Hashable {
  /// What each program changes, and which one is heard.
  case list
  /// Hears by another program: its word.
  case use(String)
  case volume(Turn)
  case tone(Turn)

  /// How volume or tone is turned.
  package enum Turn: Sendable, Hashable {
    /// By so many dB.
    case by(Double)
    /// Back to what is prescribed.
    case reset
  }

  /// Turns accepted, dB: more than from any limit to the other.
  package static let turns = -60.0...60.0

  /// Names of all methods.
  package static let methods = ["program.list", "program.use", "program.volume", "program.tone"]

  /// The method's name.
  package var method: String {
    switch self {
    case .list: "program.list"
    case .use: "program.use"
    case .volume: "program.volume"
    case .tone: "program.tone"
    }
  }

  /// Whether the call acts on the aid, which not everybody may do.
  package var isChange: Bool { self != .list }

  /// Parameters by name; nil when the call has none.
  package var parameters: RPCValue? {
    switch self {
    case .list: nil
    case .use(let word): .object(["program": .string(word)])
    case .volume(let turn), .tone(let turn):
      switch turn {
      case .by(let change): .object(["change_db": .number(change)])
      case .reset: .object(["reset": .bool(true)])
      }
    }
  }

  /// Reads a method with its parameters; nil when the method is none of these.
  ///
  /// - Throws: ``ControlFailure`` with code `invalidParameters`.
  init?(method: String, fields: [String: RPCValue]) throws(ControlFailure) {
    switch method {
    case "program.list": self = .list
    case "program.use": self = .use(try CallParameters(fields).text("program"))
    case "program.volume": self = .volume(try Self.turn(fields))
    case "program.tone": self = .tone(try Self.turn(fields))
    default: return nil
    }
  }

  private static func turn(_ fields: [String: RPCValue]) throws(ControlFailure) -> Turn {
    let change = try CallParameters(fields).optionalNumber("change_db", turns)
    switch (change, fields["reset"]) {
    case (let change?, nil): return .by(change)
    case (nil, .bool(true)): return .reset
    default:
      throw ControlFailure(
        .invalidParameters,
        "params: found neither or both of change_db and reset, expected one: a number of dB, or true.")
    }
  }
}

/// What the daemon answers to a ``ProgramCall`` that succeeds.
package enum ProgramReply: Sendable, Equatable {
  case list(ProgramsReport)
  /// To a change: what is heard then, with what was done.
  case changed(ProgramAnswer)
}

extension ProgramReply: Encodable {
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .list(let report): try report.encode(to: encoder)
    case .changed(let answer): try answer.encode(to: encoder)
    }
  }
}

/// What was done, and what is heard then, as `auricle use --json` prints it.
package struct ProgramAnswer: Sendable, Codable, Hashable {
  package static let schema = 100

  package let schema: Int
  /// One or more whole sentences for the person who asked.
  package let message: String
  package let program: ProgramReport

  package init(message: String, program: ProgramReport) {
    schema = Self.schema
    self.message = message
    self.program = program
  }
}

extension ControlClient {
  /// Changes program, volume or tone.
  package func change(_ call: ProgramCall) throws(Failure) -> ProgramAnswer {
    try ask(.program(call), for: ProgramAnswer.self)
  }

  /// What each program changes, and which one is heard.
  package func programs() throws(Failure) -> ProgramsReport {
    try ask(.program(.list), for: ProgramsReport.self)
  }
}
