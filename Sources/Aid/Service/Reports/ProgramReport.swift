/// Which program is heard, how volume and tone are turned, and what the aid takes its surroundings for.
package struct ProgramReport: Sendable, Codable, Hashable {
  /// Word of what was chosen: a program, or `automatic`.
  package let chosen: String
  /// Word of the program that is heard.
  package let inForce: String
  /// The same, for people.
  package let name: String
  /// dB relative to the prescription.
  package let volume: Adjustment
  /// dB, treble against bass.
  package let tone: Adjustment
  /// Nil while nothing is heard, or nothing was made out yet.
  package var scene: Scene?
  /// What the aid hears and what it makes of it, one sentence without a full stop; nil unless the choice is automatic.
  package var reason: String?
  /// What the wearer should know, whole sentences: that nothing is remembered.
  package var notes: [String]

  enum CodingKeys: String, CodingKey {
    case chosen, name, volume, tone, scene, reason, notes
    case inForce = "in_force"
  }

  /// One thing that the wearer turns.
  package struct Adjustment: Sendable, Codable, Hashable {
    /// dB.
    package let value: Double
    /// How far it may be turned, dB.
    package let least: Double
    package let most: Double

    enum CodingKeys: String, CodingKey {
      case value = "value_db"
      case least = "least_db"
      case most = "most_db"
    }
  }

  /// What surrounds the wearer.
  package struct Scene: Sendable, Codable, Hashable {
    /// `quiet`, `speech`, `speech-in-noise`, `noise` or `music`.
    package let kind: String
    /// How sure that is, 0…1.
    package let confidence: Double
    /// For how long, s.
    package let duration: Double
    /// dB SPL.
    package let level: Double?
    /// How far the sound rises above its own background, dB.
    package let aboveBackground: Double?
    package let isWindy: Bool

    init(
      kind: String, confidence: Double, duration: Double, level: Double?, aboveBackground: Double?,
      isWindy: Bool
    ) {
      self.kind = kind
      self.confidence = confidence.isFinite ? confidence : 0
      self.duration = duration.isFinite ? duration : 0
      self.level = level?.finite
      self.aboveBackground = aboveBackground?.finite
      self.isWindy = isWindy
    }

    enum CodingKeys: String, CodingKey {
      case kind, confidence
      case duration = "duration_seconds"
      case level = "level_db_spl"
      case aboveBackground = "above_background_db"
      case isWindy = "windy"
    }
  }
}

/// What each listening program changes, and why, as `auricle programs --json` prints it.
package struct ProgramsReport: Sendable, Codable, Equatable {
  package static let schema = 100

  package private(set) var schema = Self.schema
  package let programs: [Program]
  /// What each quantity is and why it has its values.
  package let quantities: [Quantity]
  /// What is heard; nil: no daemon runs.
  package let heard: ProgramReport?

  /// The same with what is heard.
  package func with(heard: ProgramReport?) -> ProgramsReport {
    ProgramsReport(programs: programs, quantities: quantities, heard: heard)
  }

  package struct Program: Sendable, Codable, Hashable {
    package let word: String
    package let name: String
    package let purpose: String
    /// By the key of the quantity; one that is missing is as the configuration says.
    package let values: [String: Double]
  }

  package struct Quantity: Sendable, Codable, Hashable {
    /// How a number is shown.
    package enum Unit: String, Sendable, Codable {
      case decibels = "dB"
      case hertz = "Hz"
      case seconds = "s"
      case share
      case isOn = "on"
    }

    package let key: String
    package let name: String
    package let unit: Unit
    package let reason: String
  }
}
