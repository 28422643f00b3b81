import Base
import Control
import Engine

extension ProgramsReport {
  /// What the table of programs says; nothing of what is heard.
  package static var table: ProgramsReport {
    ProgramsReport(
      programs: ListeningProgram.allCases.map { program in
        Program(
          word: program.word, name: program.name, purpose: program.purpose,
          values: Dictionary(
            ProgramTable.rows.compactMap { row in row[program].map { (row.quantity.rawValue, $0) } },
            uniquingKeysWith: { $1 }))
      },
      quantities: ProgramTable.rows.map { row in
        Quantity(
          key: row.quantity.rawValue, name: row.name, unit: Quantity.Unit(row.unit),
          reason: row.reason)
      }, heard: nil)
  }
}

extension ProgramsReport.Quantity.Unit {
  init(_ unit: ProgramQuantity.Unit) {
    self =
      switch unit {
      case .decibels: .decibels
      case .hertz: .hertz
      case .seconds: .seconds
      case .share: .share
      case .isOn: .isOn
      }
  }
}

/// What the automatic program hears and what it makes of it, in words.
struct SceneText {
  private let scene: ProgramReport.Scene?
  private let program: ListeningProgram
  private let candidate: ListeningProgram?
  private let isSounding: Bool

  /// - Parameters:
  ///   - program: That is heard.
  ///   - candidate: What the sounds speak for, if not for that.
  init(
    _ scene: ProgramReport.Scene?, _ program: ListeningProgram, candidate: ListeningProgram?,
    isSounding: Bool
  ) {
    self.scene = scene
    self.program = program
    self.candidate = candidate
    self.isSounding = isSounding
  }

  /// `hears speech in noise for 12 s (72 dB SPL, 5 dB above its background): conversation in noise`.
  var sentence: String {
    guard isSounding else { return "hears nothing while sound is off: \(program.name)" }
    guard let scene else { return "is listening: \(program.name) meanwhile" }
    var levels: [String] = []
    if let level = scene.level { levels.append("\(NumberText.fixed(level, 0)) dB SPL") }
    if let above = scene.aboveBackground {
      levels.append("\(NumberText.fixed(above, 0)) dB above its background")
    }
    let heard =
      "hears \(Self.words(scene.kind))\(scene.isWindy ? " and wind" : "") for "
      + NumberText.duration(scene.duration) + (levels.isEmpty ? "" : " (\(levels.joined(separator: ", ")))")
    guard scene.confidence >= Double(AutomaticProgram.leastConfidence) else {
      return "\(heard), but is not sure: stays with \(program.name)"
    }
    guard let candidate else { return "\(heard): \(program.name)" }
    return "\(heard): stays with \(program.name) until \(candidate.name) has fitted for "
      + NumberText.duration(AutomaticProgram.patience(for: candidate))
  }

  private static func words(_ kind: String) -> String {
    switch kind {
    case "quiet": "quiet"
    case "speech": "speech in quiet"
    case "speech-in-noise": "speech in noise"
    default: kind
    }
  }
}
