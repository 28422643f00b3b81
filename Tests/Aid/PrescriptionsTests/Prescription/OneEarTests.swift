import Acoustics
import Fitting
import Testing

@testable import Prescriptions

@Suite("Prescription for one ear") struct OneEarTests {
  private static let none = (try? Audiogram(points: [])) ?? StandardAudiogram.n3.audiogram
  private let forge: Forge

  init() throws { forge = try Forge() }

  private func prescription(_ ears: Binaural<Audiogram>, _ plan: FittingPlan) throws -> Prescription {
    let plain = try forge.prescription()
    return try Prescription(
      serial: 12, patient: plain.patient, prescriber: plain.prescriber, environment: .quiet,
      audiograms: ears,
      plan: plan, issued: plain.issued)
  }

  private func read(_ prescription: Prescription) throws -> Prescription? {
    let text = try forge.clinic.sign(prescription).text
    guard case .prescription(let signed) = try Card.read(text, trusting: forge.trusted, at: Forge.issued)
    else {
      return nil
    }
    return signed.content
  }

  @Test(
    "by every rule an ear that was not tested gets none, and the card comes back",
    arguments: PrescribedRule.all)
  func rules(rule: PrescribedRule) throws {
    let ears = Binaural(left: StandardAudiogram.n3.audiogram, right: Self.none)
    let made = try prescription(ears, try FittingPlan(target: .rule(rule)))
    #expect(try read(made) == made)
    let report = PrescriptionReport(made, verdict: nil)
    #expect(!report.targets.left.isEmpty && report.targets.right.isEmpty)
    #expect(report.findings.contains { $0.kind == .notTested && $0.ears == [.right] })
  }

  @Test("half gain needs a single threshold, the other rules one on each side of 500 to 2000 Hz")
  func fewThresholds() throws {
    let few = Binaural(both: try Audiogram(air: [1000: 40]))
    _ = try prescription(few, try FittingPlan(target: .rule(.halfGain)))
    #expect(throws: PrescriptionError.self) {
      try prescription(few, try FittingPlan(target: .rule(.nalRP)))
    }
  }

  @Test("two ears that were not tested make no prescription by a rule")
  func neither() throws {
    let error = try #require(throws: PrescriptionError.self) {
      try prescription(Binaural(both: Self.none), try FittingPlan(target: .rule(.nalRP)))
    }
    #expect("\(error)".contains("neither ear has air-conduction thresholds"))
  }

  @Test(
    "a table for one ear comes back; the other ear has no targets, which is said when it has thresholds")
  func table() throws {
    let gains = SpeechLevels(soft: 20.0, ordinary: 15, loud: 10)
    let table = try TargetTable(points: [.init(frequency: 1000, gains: gains)])
    let plan = try FittingPlan(target: .tables(Binaural(left: table, right: .none), source: "NAL-NL2"))
    let made = try prescription(Binaural(both: StandardAudiogram.n3.audiogram), plan)
    #expect(try read(made) == made)
    let report = PrescriptionReport(made, verdict: nil)
    #expect(report.targets.right.isEmpty)
    #expect(report.findings.filter { $0.ears == [.right] }.map(\.kind) == [.noTargets])
    // The aid gives that ear 0 dB at every level.
    let curves = try plan.rule(for: .right).curves(for: StandardAudiogram.n3.audiogram, bands: .standard)
    #expect(
      curves.allSatisfy { curve in
        [SoundPressureLevel(20), SoundPressureLevel(100)].allSatisfy { curve.gain(at: $0) == 0 }
      })
  }

  @Test("an ear without targets that is tuned gets its fine tuning alone, and report and caution say so")
  func tuned() throws {
    let tuning = try FineTuning(points: [.init(frequency: 1000, changes: SpeechLevels(all: 10))])
    let table = try TargetTable(points: [.init(frequency: 1000, gains: SpeechLevels(all: 15))])
    let plan = try FittingPlan(
      target: .tables(Binaural(left: table, right: .none), source: "NAL-NL2"),
      fineTuning: Binaural(both: tuning))
    let made = try prescription(Binaural(both: StandardAudiogram.n3.audiogram), plan)
    let report = PrescriptionReport(made, verdict: nil)
    // One point holds at all frequencies, and it is added to 0 dB.
    #expect(report.targets.right.map(\.frequency) == PrescriptionReport.targetFrequencies)
    #expect(
      report.targets.right.allSatisfy { $0.gains == SpeechLevels(all: 10) && $0.maximumOutput != nil })
    #expect(
      report.findings.first { $0.kind == .noTargets }?.sentence
        == "The right ear has thresholds but no targets, and gets its fine tuning alone.")
  }
}
