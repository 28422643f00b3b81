import Acoustics
import Testing

@testable import Fitting

@Suite("Gain for an ear that hears normally") struct NeedlessGainTests {
  /// The same threshold from 250 to 8000 Hz, dB HL.
  private func flat(_ level: Double, _ changes: [Double: Double] = [:]) throws -> Audiogram {
    let flat = [250.0, 500, 1000, 2000, 3000, 4000, 8000].map { ($0, level) }
    return try Audiogram(air: Dictionary(uniqueKeysWithValues: flat).merging(changes) { $1 })
  }

  private func cautions(_ left: Audiogram, _ plan: FittingPlan) throws -> [AudiogramReview.Finding] {
    AudiogramReview(Binaural(left: left, right: StandardAudiogram.n3.audiogram), plan: plan).findings
      .filter { $0.kind == .needlessGain }
  }

  @Test(
    "every rule leaves an ear of 0 dB HL at 1 dB or less, and nothing is said",
    arguments: PrescribedRule.all)
  func everyRule(rule: PrescribedRule) throws {
    let plan = try FittingPlan(target: .rule(rule))
    let curves = try plan.rule(for: .left).curves(for: flat(0), bands: .standard)
    for curve in curves { #expect(curve.knots.allSatisfy { $0.gain <= 1 + 1e-9 }) }
    #expect(try cautions(flat(0), plan).isEmpty)
  }

  @Test("version 2 of the usual rule, which amplified such an ear, is told of")
  func formerVersion() throws {
    let plan = try FittingPlan(target: .rule(PrescribedRule.former[3]))
    let found = try #require(try cautions(flat(0), plan).first)
    // 1 dB at 65 dB SPL at 1 and 1.5 kHz, and half of the 25 dB down to 40 dB SPL.
    #expect(found.severity == .caution && found.ears == [.left] && found.frequencies == [1000])
    #expect(
      found.sentence
        == "The left ear hears normally from 500 to 4000 Hz (better than 20 dB HL) and would get up to 13.5 dB"
        + " of gain at 1000 Hz, which it does not need.")
  }

  @Test("gain by the rule, by a table of targets and by fine tuning is told of alike")
  func whoeverGivesIt() throws {
    // NAL-R at 15 dB HL: 0.05·45 + 0.31·15 + 1 = 7.9 dB at 1 and 1.5 kHz.
    let rule = try #require(try cautions(flat(15), FittingPlan(target: .rule(.nalR))).first)
    #expect(rule.sentence.contains("up to 7.9 dB of gain at 1000 Hz"))
    let table = try TargetTable(points: [
      .init(frequency: 500, gains: SpeechLevels(all: 0)),
      .init(frequency: 2000, gains: SpeechLevels(soft: 6, ordinary: 4, loud: 2)),
    ])
    let tables = FittingPlan.Target.tables(Binaural(both: table), source: "NAL-NL2")
    let targets = try #require(try cautions(flat(0), FittingPlan(target: tables)).first)
    #expect(targets.sentence.contains("up to 6 dB of gain at 2000 Hz"))
    let tuning = try FineTuning(points: [.init(frequency: 1000, changes: SpeechLevels(all: 2))])
    let plan = try FittingPlan(target: .rule(.halfGain), fineTuning: Binaural(both: tuning))
    #expect(try cautions(flat(0), plan).first?.sentence.contains("up to 2 dB of gain") == true)
    // 1 dB is what the published rules give, and no more than anybody may add.
    let little = try FineTuning(points: [.init(frequency: 1000, changes: SpeechLevels(all: 1))])
    #expect(
      try cautions(flat(0), FittingPlan(target: .rule(.halfGain), fineTuning: Binaural(both: little)))
        .isEmpty)
  }

  @Test(
    "an ear with one threshold from 20 dB HL on at 500 to 4000 Hz, measured or not heard, needs its gain")
  func needsIt() throws {
    let plan = try FittingPlan(target: .rule(.nalR))
    // Mild from 20 dB HL on (World Report on Hearing 2021, table 1.3).
    #expect(try cautions(flat(20), plan).isEmpty)
    #expect(try cautions(flat(15, [3000: 20]), plan).isEmpty)
    #expect(try cautions(flat(15, [3000: 19]), plan).count == 1)
    #expect(try cautions(flat(15, [8000: 60, 250: 40]), plan).count == 1)
    let points = try flat(15).points.map { point in
      var point = point
      point.hasResponse = point.frequency != 4000
      return point
    }
    #expect(try cautions(Audiogram(points: points), plan).isEmpty)
    #expect(try cautions(Audiogram(points: []), plan).isEmpty)
  }

  @Test("without a plan an audiogram is looked at as before")
  func noPlan() throws {
    #expect(AudiogramReview(Binaural(both: try flat(0))).findings.isEmpty)
  }
}
