/// What each listening program changes, and why, as `auricle programs --json` prints it.
public struct ProgramsReport: Sendable, Codable, Equatable {
  public static let schema = 100

  public let schema: Int
  public let programs: [Program]
  /// What each quantity is and why it has its values.
  public let quantities: [Quantity]
  /// What is heard; nil: no daemon runs.
  public let heard: ProgramReport?

  public init(programs: [Program], quantities: [Quantity], heard: ProgramReport?) {
    schema = Self.schema
    self.programs = programs
    self.quantities = quantities
    self.heard = heard
  }

  /// The same with what is heard.
  public func with(heard: ProgramReport?) -> ProgramsReport {
    ProgramsReport(programs: programs, quantities: quantities, heard: heard)
  }

  public struct Program: Sendable, Codable, Hashable {
    public let word: String
    public let name: String
    public let purpose: String
    /// By the key of the quantity; one that is missing is as the configuration says.
    public let values: [String: Double]

    public init(word: String, name: String, purpose: String, values: [String: Double]) {
      self.word = word
      self.name = name
      self.purpose = purpose
      self.values = values
    }
  }

  public struct Quantity: Sendable, Codable, Hashable {
    /// How a number is shown.
    public enum Unit: String, Sendable, Codable {
      case decibels = "dB"
      case hertz = "Hz"
      case seconds = "s"
      case share
      case isOn = "on"
    }

    public let key: String
    public let name: String
    public let unit: Unit
    public let reason: String

    public init(key: String, name: String, unit: Unit, reason: String) {
      self.key = key
      self.name = name
      self.unit = unit
      self.reason = reason
    }
  }
}
