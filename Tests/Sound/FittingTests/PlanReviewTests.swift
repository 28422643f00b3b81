import Acoustics
import Testing

@testable import Fitting

@Suite("Review of a plan's gain") struct PlanReviewTests {
  typealias Kind = AudiogramReview.Finding.Kind

  private static let frequencies: [Double] = [250, 500, 1000, 2000, 4000, 8000]

  private func flat(_ level: Double) throws -> Audiogram {
    try Audiogram(air: Dictionary(uniqueKeysWithValues: Self.frequencies.map { ($0, level) }))
  }

  /// Targets at all frequencies, but for some.
  private func table(
    _ gains: SpeechLevels<Double>, _ changes: [Double: SpeechLevels<Double>] = [:]
  ) throws -> TargetTable {
    try TargetTable(points: Self.frequencies.map { .init(frequency: $0, gains: changes[$0] ?? gains) })
  }

  private func findings(
    _ table: TargetTable, _ audiogram: Audiogram, tuning: FineTuning = .none
  ) throws -> [AudiogramReview.Finding] {
    let plan = try FittingPlan(
      target: .tables(Binaural(both: table), source: "NAL-NL2"), fineTuning: Binaural(both: tuning))
    return AudiogramReview(Binaural(both: audiogram), plan: plan).findings.filter { $0.ears == [.left] }
  }

  @Test("targets that fall with level and stay below the loss are passed over")
  func good() throws {
    let found = try findings(table(SpeechLevels(soft: 30, ordinary: 20, loud: 10)), flat(60))
    #expect(found.isEmpty)
  }

  @Test("targets that rise with level are reported with the frequencies and the greatest rise")
  func rising() throws {
    let swapped = [
      2000.0: SpeechLevels(soft: 20.0, ordinary: 30, loud: 10),
      4000: SpeechLevels(soft: 10, ordinary: 30, loud: 60),
    ]
    let found = try findings(table(SpeechLevels(soft: 30, ordinary: 20, loud: 10), swapped), flat(60))
    #expect(found.map(\.kind) == [.risingGain] && found.map(\.severity) == [.caution])
    #expect(found.first?.frequencies == [2000, 4000])
    #expect(
      found.first?.sentence
        == "The left ear would get more gain the louder speech is at 2000 and 4000 Hz, by up to 50 dB; the"
        + " columns of the targets may be in the wrong order.")
  }

  @Test("a rise within 1 dB is rounding, and one that fine tuning makes is reported without the columns")
  func tuning() throws {
    let rounded = SpeechLevels(soft: 19.5, ordinary: 20, loud: 20.5)
    #expect(try findings(table(rounded), flat(60)).isEmpty)
    let tuning = try FineTuning(points: [
      .init(frequency: 2000, changes: SpeechLevels(soft: -2, ordinary: 0, loud: 2))
    ])
    let plan = try FittingPlan(target: .rule(.nalR), fineTuning: Binaural(both: tuning))
    let found = AudiogramReview(Binaural(both: try flat(60)), plan: plan).findings
    #expect(found.map(\.kind) == [.risingGain, .risingGain])
    // A linear rule has one gain, so that the rise is the tuning's own: 2 − (−2).
    #expect(found.first?.sentence.hasSuffix("louder speech is at 2000 Hz, by up to 4 dB.") == true)
  }

  @Test(
    "more gain than the loss and one step of an audiometer is reported, for the place where it is greatest")
  func excessive() throws {
    let much = [1000.0: SpeechLevels(all: 36.0), 4000.0: SpeechLevels(all: 60.0)]
    let found = try findings(table(SpeechLevels(all: 35), much), flat(30))
    #expect(found.map(\.kind) == [.excessiveGain])
    #expect(
      found.first?.sentence
        == "The left ear would get more gain than it has lost at 1000 and 4000 Hz, up to 60 dB for 30 dB HL, which"
        + " no rule asks for.")
    // An ear that hears normally has one finding, its own.
    #expect(try findings(table(SpeechLevels(all: 60)), flat(10)).map(\.kind) == [.needlessGain])
  }

  @Test(
    "gain more than half an octave beyond the thresholds is reported, and what a neighbour stands for is not"
  )
  func gainBeyondThresholds() throws {
    func found(_ points: [Double: Double]) throws -> AudiogramReview.Finding? {
      let all = points.merging([500: 20, 4000: 20]) { given, _ in given }
      let table = try TargetTable(
        points: all.sorted { $0.key < $1.key }.map {
          .init(frequency: $0.key, gains: SpeechLevels(all: $0.value))
        })
      return try findings(table, flat(60)).first { $0.kind == .untestedGain }
    }
    // Thresholds reach from 250 to 8000 Hz: half an octave further are 177 and 11,314 Hz.
    #expect(try found([180: 30, 10_000: 30, 11_200: 30]) == nil)
    let finding = try found([125: 12.5, 12_500: 40, 16_000: 40])
    #expect(finding?.severity == .caution && finding?.frequencies == [125, 12_500, 16_000])
    #expect(
      finding?.sentence
        == "The left ear would get gain at 125, 12500 and 16000 Hz, up to 40 dB, more than half an octave beyond its"
        + " thresholds, where its loss is not known.")
    // Up to 1 dB nobody hears as louder.
    #expect(try found([125: 0.9, 12_500: -10]) == nil)
  }

  @Test("a table that leaves out a part of 500 to 4000 Hz is reported, and one beyond it is not")
  func tooFew() throws {
    let gains = SpeechLevels(soft: 20.0, ordinary: 15, loud: 10)
    func sentence(_ frequencies: [Double]) throws -> String? {
      let table = try TargetTable(points: frequencies.map { .init(frequency: $0, gains: gains) })
      return try findings(table, flat(50)).first { $0.kind == .tooFewTargets }?.sentence
    }
    #expect(try sentence([500, 4000]) == nil)
    #expect(
      try sentence([4000])
        == "The left ear has targets at 4000 Hz alone; speech needs them from 500 to 4000 Hz.")
    #expect(
      try sentence([250, 1000, 3000])
        == "The left ear has targets from 250 to 3000 Hz alone; speech needs them from 500 to 4000 Hz.")
  }

  @Test("no rule is reported for any standard audiogram", arguments: PrescribedRule.all)
  func rules(rule: PrescribedRule) throws {
    // Fine tuning of nothing has every frequency looked at.
    let points = Self.frequencies.map { FineTuning.Point(frequency: $0, changes: SpeechLevels(all: 0)) }
    let tuning = try FineTuning(points: points)
    let plan = try FittingPlan(target: .rule(rule), fineTuning: Binaural(both: tuning))
    for standard in StandardAudiogram.allCases {
      let kinds = AudiogramReview(Binaural(both: standard.audiogram), plan: plan).findings.map(\.kind)
      #expect(!kinds.contains(.risingGain) && !kinds.contains(.excessiveGain), "\(standard)")
      #expect(!kinds.contains(.lowLimit) && !kinds.contains(.highLimit), "\(standard)")
    }
  }

  @Test("an ear without thresholds, which gets no gain, is reported as not tested alone")
  func untested() throws {
    let plan = try FittingPlan(
      target: .tables(Binaural(both: table(SpeechLevels(soft: 10, ordinary: 30, loud: 60))), source: "x"))
    let ears = Binaural(left: try Audiogram(points: []), right: try flat(70))
    let found = AudiogramReview(ears, plan: plan).findings.filter { $0.ears == [.left] }
    #expect(found.map(\.kind) == [.notTested])
  }

  @Test(
    "of an ear without thresholds, tuning and lowering are reported as not heard, and its tinnitus sound as heard"
  )
  func prescribedInVain() throws {
    let tuning = try FineTuning(points: [.init(frequency: 1000, changes: SpeechLevels(all: 10))])
    let lowering = try FrequencyLowering(cutoff: 2000, ratio: 2)
    let sound = try TinnitusSound(shape: .broadband, level: SoundPressureLevel(40))
    func sentences(_ plan: FittingPlan) throws -> [String] {
      let ears = Binaural(left: try Audiogram(points: []), right: try flat(50))
      let found = AudiogramReview(ears, plan: plan).findings.filter { $0.ears == [.left] }
      #expect(found.allSatisfy { $0.kind == .notTested && $0.severity == .caution })
      return found.map(\.sentence)
    }
    let none = "The left ear has no air-conduction thresholds and gets no gain."
    #expect(
      try sentences(FittingPlan(target: .rule(.nalR), fineTuning: Binaural(both: tuning)))
        == [none, "The left ear was not tested, so that its fine tuning is not heard."])
    #expect(
      try sentences(
        FittingPlan(
          target: .rule(.nalR), fineTuning: Binaural(both: tuning), lowering: Binaural(both: lowering),
          tinnitusSound: Binaural(both: sound)))
        == [
          none,
          "The left ear was not tested, so that its fine tuning and its frequency lowering are not heard, only its tinnitus"
            + " sound is.",
        ])
    #expect(
      try sentences(FittingPlan(target: .rule(.nalR), tinnitusSound: Binaural(both: sound))) == [none])
  }

  @Test(
    "a single point of fine tuning of more than 5 dB is reported at the outermost bands that were not tested"
  )
  func tuningBeyondThresholds() throws {
    let audiogram = try Audiogram(air: [500: 50, 1000: 50, 2000: 50])
    func found(_ points: [Double: Double]) throws -> [Double]? {
      let tuning = try FineTuning(
        points: points.sorted { $0.key < $1.key }.map {
          .init(frequency: $0.key, changes: SpeechLevels(all: $0.value))
        })
      let plan = try FittingPlan(target: .rule(.nalR), fineTuning: Binaural(both: tuning))
      return AudiogramReview(Binaural(both: audiogram), plan: plan).findings
        .first { $0.ears == [.left] && $0.kind == .untestedGain }?.frequencies
    }
    // Half an octave beyond 500 and 2000 Hz are 354 and 2828 Hz; the bands reach from 125 to 12,500 Hz.
    #expect(try found([1000: 10]) == [125, 12_500])
    #expect(try found([1000: 10, 2000: 0]) == [125])
    #expect(try found([500: 0, 1000: 10, 2000: 0]) == nil)
    #expect(try found([1000: 5]) == nil)
  }

  // MARK: - Output limits

  /// Gain of 20 dB at all frequencies and levels, and a greatest output.
  private func limited(_ output: Double) throws -> TargetTable {
    try TargetTable(
      points: Self.frequencies.map {
        .init(frequency: $0, gains: SpeechLevels(all: 20), maximumOutput: SoundPressureLevel(output))
      })
  }

  /// Findings about limits, of both ears with the same thresholds.
  private func limits(
    _ tables: Binaural<TargetTable>, loss: Double, ceiling: Double = 120
  ) throws -> [AudiogramReview.Finding] {
    let plan = try FittingPlan(
      target: .tables(tables, source: "NAL-NL2"), outputCeiling: SoundPressureLevel(ceiling))
    return AudiogramReview(Binaural(both: try flat(loss)), plan: plan).findings
      .filter { [.lowLimit, .highLimit, .unequalLimits].contains($0.kind) }
  }

  @Test("limits more than 10 dB below loud speech with its gain are reported, with how much is missing")
  func lowLimit() throws {
    let found = try limits(Binaural(both: limited(60)), loss: 60)
    #expect(found.map(\.kind) == [.lowLimit, .lowLimit] && found.map(\.ears) == [[.right], [.left]])
    let bands = BandLayout.standard
    let missing = try Self.frequencies.map { frequency in
      let band = try #require(bands.centres.firstIndex(of: frequency))
      return bands.speechLevel(inBand: band, overall: SoundPressureLevel(80)).decibels + 20 - 60
    }
    #expect(missing.allSatisfy { $0 > 10 })
    let most = ((missing.max() ?? 0) * 10).rounded() / 10
    #expect(
      found.last?.sentence
        == "The left ear would get at most 60 dB SPL at 250, 500, 1000, 2000, 4000 and 8000 Hz, by up to \(most.shortText) dB"
        + " less than loud speech with its gain.")
    // Loud speech has less than 80 dB SPL in each band, so 20 dB more is less than 10 dB above 95.
    #expect(try limits(Binaural(both: limited(95)), loss: 60).isEmpty)
  }

  @Test("a ceiling that leaves little above a voice is reported once, for both ears")
  func lowCeiling() throws {
    let plan = try FittingPlan(target: .rule(.nalRP), outputCeiling: SoundPressureLevel(65))
    let found = AudiogramReview(Binaural(both: StandardAudiogram.n3.audiogram), plan: plan).findings
      .filter { $0.kind == .lowLimit }
    #expect(
      found.map(\.sentence) == [
        "The greatest output, 65 dB SPL, is little above the voice of somebody beside the patient, so that hardly anything"
          + " can be amplified."
      ])
    #expect(found.first?.ears == [.left, .right] && found.first?.severity == .caution)
    // 62 dB SPL, 12 dB of peaks and 10 dB of gain.
    #expect(MaximumOutput.little == SoundPressureLevel(84))
    let room = try FittingPlan(target: .rule(.nalRP), outputCeiling: SoundPressureLevel(84))
    let kinds = AudiogramReview(Binaural(both: StandardAudiogram.n1.audiogram), plan: room).findings.map(
      \.kind)
    #expect(!kinds.contains(.lowLimit))
  }

  @Test(
    "a table's limit more than 10 dB above 95 + 0.15 H dB SPL is reported, as far as the ceiling lets it")
  func highLimit() throws {
    let found = try limits(Binaural(both: limited(120)), loss: 30)
    #expect(found.map(\.kind) == [.highLimit, .highLimit])
    // 95 + 0.15·30 = 99.5.
    #expect(
      found.last?.sentence
        == "The left ear may get up to 120 dB SPL at 250, 500, 1000, 2000, 4000 and 8000 Hz, by up to 20.5 dB more than the"
        + " limit that goes by its thresholds: only a measured uncomfortable level allows it.")
    let held = try limits(Binaural(both: limited(120)), loss: 30, ceiling: 111)
    #expect(held.first?.sentence.contains("up to 111 dB SPL") == true)
    #expect(try limits(Binaural(both: limited(120)), loss: 30, ceiling: 109).isEmpty)
  }

  @Test("limits of the ears that differ by more than 15 dB and more than the thresholds are reported")
  func unequalLimits() throws {
    let found = try limits(Binaural(left: limited(92), right: limited(108)), loss: 60)
    #expect(found.map(\.kind) == [.unequalLimits] && found.map(\.ears) == [[.left, .right]])
    #expect(
      found.first?.sentence
        == "The ears' output limits differ by up to 16 dB at 250, 500, 1000, 2000, 4000 and 8000 Hz, and their thresholds by"
        + " less.")
    #expect(try limits(Binaural(left: limited(93), right: limited(108)), loss: 60).isEmpty)
    let plan = try FittingPlan(
      target: .tables(Binaural(left: limited(92), right: limited(108)), source: "x"),
      outputCeiling: SoundPressureLevel(120))
    let apart = Binaural(left: try flat(50), right: try flat(70))
    #expect(!AudiogramReview(apart, plan: plan).findings.contains { $0.kind == .unequalLimits })
  }

  @Test("a patient under 18 is reported first, and what to do depends on the source of the gain")
  func child() throws {
    let ears = Binaural(both: try flat(50))
    let rule = try FittingPlan(target: .rule(.nalR))
    let found = AudiogramReview(ears, plan: rule, age: 3).findings
    #expect(found.map(\.kind) == [.child] && found.map(\.severity) == [.caution])
    #expect(
      found.first?.sentence
        == "The patient is a child of 3 years: the rules here are for adults, and a child needs one for children, such as DSL v5."
    )
    #expect(
      AudiogramReview(ears, plan: rule, age: 1).findings.first?.sentence.contains("of 1 year:") == true)
    #expect(AudiogramReview(ears, plan: rule, age: 18).findings.isEmpty)
    #expect(AudiogramReview(ears, plan: rule).findings.isEmpty)
    let tables = try FittingPlan(
      target: .tables(Binaural(both: table(SpeechLevels(all: 20))), source: "DSL v5"))
    #expect(
      AudiogramReview(ears, plan: tables, age: 17).findings.first?.sentence
        == "The patient is a child of 17 years: look whether the targets are a child's.")
  }
}
