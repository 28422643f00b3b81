public import Control
import HearingAid

extension ProgramsReport {
  /// What the table of programs says; nothing of what is heard.
  public static var table: ProgramsReport {
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
          key: row.quantity.rawValue, name: row.quantity.name, unit: Quantity.Unit(row.quantity.unit),
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
