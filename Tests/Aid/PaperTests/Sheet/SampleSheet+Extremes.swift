import Acoustics
import Fitting
import Prescriptions

@testable import Paper

/// Prescriptions at the ends of what a card allows.
extension SampleSheet {
  /// A name of 80 bytes, the most that a card carries, of words of nine letters.
  static let longName = String(repeating: "Sternberg ", count: 7) + "Sternbergs"

  /// Everything as long as a card allows, and more findings than a page has room for.
  static func longest() throws -> PrescriptionReport {
    var report = try report(
      clinic: longName, prescriber: longName, given: longName, family: longName, reference: longName,
      environment: .other(longName), serial: 999_999_999, supersedes: 999_999_998,
      plan: plan(source: longName, tuning: tuning(10)), wearerMayAccept: true)
    report.findings = (0..<20).flatMap { _ in report.findings }
    return report
  }

  /// As little as a card allows: no thresholds, targets, findings, end or reference.
  static func bare() throws -> PrescriptionReport {
    let none = try Audiogram(points: [])
    var report = try report(
      clinic: "A", prescriber: "B", given: "C", family: "D", reference: nil, environment: .quiet, serial: 1,
      supersedes: nil, audiograms: Binaural(both: none), plan: plan(adaptation: 1),
      adjustment: PatientAdjustment.none, hasEnd: false)
    report.targets = Binaural(both: [])
    report.findings = []
    return report
  }

  /// One word without a break, of the widest letter.
  static func unbreakable() throws -> PrescriptionReport {
    let word = String(repeating: "W", count: 80)
    return try report(
      clinic: word, prescriber: word, given: word, family: word, environment: .other(word))
  }

  /// As many targets as two tables can have, at frequencies of their own.
  static func crowded() throws -> PrescriptionReport {
    func table(from first: Double) throws -> TargetTable {
      try TargetTable(
        points: (0..<TargetTable.greatestCount).map {
          point(first + 700 * Double($0), soft: -12.5, ordinary: -13.5, loud: -14.5, maximumOutput: 100)
        })
    }
    let plan = try FittingPlan(
      target: .tables(Binaural(left: table(from: 125), right: table(from: 130)), source: "made up"))
    return try report(plan: plan)
  }

  /// The usual one and these.
  static func all() throws -> [PrescriptionReport] {
    [try report(), try longest(), try bare(), try unbreakable()]
  }
}
