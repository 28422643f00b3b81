import Base
import Control
import Engine

/// The program that is heard, volume and tone as turned, and the surroundings as classified.
package struct ProgramReport: Sendable, Codable, Hashable {
  /// Word of the choice: a program, or `automatic`.
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
  /// The surroundings and the automatic choice that follows, one sentence without a full stop; nil unless the choice is
  /// automatic.
  package var reason: String?
  /// Notes for the wearer, whole sentences: that nothing is remembered.
  package var notes: [String]

  /// One thing that the wearer turns.
  package struct Adjustment: Sendable, Codable, Hashable {
    /// dB.
    package let valueDB: Double
    /// Limits, dB.
    package let leastDB: Double
    package let mostDB: Double
  }

  /// Surroundings of the wearer.
  package struct Scene: Sendable, Codable, Hashable {
    /// `quiet`, `speech`, `speech-in-noise`, `noise` or `music`.
    package let kind: String
    /// Confidence, 0…1.
    package let confidence: Double
    /// Time since it began, s.
    package let durationSeconds: Double
    /// dB SPL.
    package let levelDBSPL: Double?
    /// Level above the sound's own background, dB.
    package let aboveBackgroundDB: Double?
    package let isWindy: Bool
  }
}

/// Changes made by each listening program, and their reasons, as `auricle programs --json` prints it.
package struct ProgramsReport: Sendable, Codable, Equatable {
  package private(set) var schema = 100
  package let programs: [Program]
  /// Each quantity, and the reason for its values.
  package let quantities: [Quantity]
  /// Program that is heard; nil: no daemon runs.
  package var heard: ProgramReport?

  package struct Program: Sendable, Codable, Hashable {
    package let word: String
    package let name: String
    package let purpose: String
    /// By the key of the quantity; one that is missing is as the configuration says.
    package let values: [String: Double]
  }

  package struct Quantity: Sendable, Codable, Hashable {
    package typealias Unit = ProgramQuantity.Unit

    package let key: String
    package let name: String
    package let unit: Unit
    package let reason: String
  }
}

extension ProgramsReport {
  /// The table of programs.
  package static func table(heard: ProgramReport? = nil) -> ProgramsReport {
    ProgramsReport(
      programs: ListeningProgram.allCases.map { program in
        Program(
          word: program.word, name: program.name, purpose: program.purpose,
          values: Dictionary(
            ProgramTable.rows.compactMap { row in row[program].map { (row.quantity.rawValue, $0) } },
            uniquingKeysWith: { $1 }))
      },
      quantities: ProgramTable.rows.map { row in
        Quantity(key: row.quantity.rawValue, name: row.name, unit: row.unit, reason: row.reason)
      }, heard: heard)
  }
}

extension ProgramReport.Scene {
  /// `speech in noise for 12 s (72 dB SPL, 5 dB above its background)`.
  var words: String {
    let name =
      switch kind {
      case "speech": "speech in quiet"
      case "speech-in-noise": "speech in noise"
      default: kind
      }
    let levels = [
      levelDBSPL.map { "\(NumberText.fixed($0, 0)) dB SPL" },
      aboveBackgroundDB.map { "\(NumberText.fixed($0, 0)) dB above its background" },
    ].compactMap(\.self).joined(separator: ", ")
    return "\(name)\(isWindy ? " and wind" : "") for \(NumberText.duration(durationSeconds))"
      + (levels.isEmpty ? "" : " (\(levels))")
  }
}
