/// A request about listening programs, volume and tone.
public enum ProgramCall: Sendable, Hashable {
  /// What each program changes, and which one is heard.
  case list
  /// Hears by another program: its word.
  case use(String)
  case volume(Turn)
  case tone(Turn)

  /// How volume or tone is turned.
  public enum Turn: Sendable, Hashable {
    /// By so many dB.
    case by(Double)
    /// Back to what is prescribed.
    case reset
  }

  /// Turns accepted, dB: more than from any limit to the other.
  public static let turns = -60.0...60.0

  /// Names of all methods.
  public static let methods = ["program.list", "program.use", "program.volume", "program.tone"]

  /// The method's name.
  public var method: String {
    switch self {
    case .list: "program.list"
    case .use: "program.use"
    case .volume: "program.volume"
    case .tone: "program.tone"
    }
  }

  /// Whether the call acts on the aid, which not everybody may do.
  public var isChange: Bool { self != .list }

  /// Parameters by name; nil when the call has none.
  public var parameters: JSONValue? {
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
  init?(method: String, fields: [String: JSONValue]) throws(ControlFailure) {
    switch method {
    case "program.list": self = .list
    case "program.use": self = .use(try CallParameters(fields).text("program"))
    case "program.volume": self = .volume(try Self.turn(fields))
    case "program.tone": self = .tone(try Self.turn(fields))
    default: return nil
    }
  }

  private static func turn(_ fields: [String: JSONValue]) throws(ControlFailure) -> Turn {
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
