import Acoustics
import Base
import CommonTesting
import Control
import Procedures

@testable import Service

/// Records of procedures as a run writes them, without a device: made of plan, seed and the answers of a simulated person.
struct RecordedProcedure {
  static let calibration = OutputCalibration(
    device: DeviceCalibration(device: "HDA 200", date: nil, status: .provisional, source: "data sheet"),
    sensitivity: OutputCalibration.assumed.sensitivity,
    transducer: Transducer.named("hda200"))

  /// Hz: broad noise ends at 8 kHz, and its highest third of an octave reaches beyond.
  static let rate = 24_000

  static let rendering = StimulusRendering(
    calibration: calibration, rate: Double(rate), limit: Binaural(both: SoundPressureLevel(110)))

  static let range = MatchRange(
    threshold: HearingLevel(10), reference: SoundPressureLevel(5.5), limit: SoundPressureLevel(110))!

  static let limits = HearingTestPlan.Limits(lowest: HearingLevel(-10), highest: HearingLevel(90))!

  static let curve = LevelCurve([
    LevelCurve.Point(frequency: 500, level: HearingLevel(30), ceiling: HearingLevel(60)),
    LevelCurve.Point(frequency: 4000, level: HearingLevel(50), ceiling: HearingLevel(70)),
  ])!

  /// A short plan of each kind.
  static let plans: [(ProcedureOrder.Name, ProcedurePlan)] = [
    (
      .hearingTest,
      .hearingTest(
        HearingTestPlan(
          method: .bayesian, ears: [.left], frequencies: [1000], limits: Binaural(both: [1000: limits])))
    ),
    (.loudness, .loudness(LoudnessPlan(ear: .left, frequency: 1000, range: range))),
    (.pitch, .pitch(PitchPlan(ear: .right, curve: curve))),
    (.masking, .masking(MaskingPlan(ear: .left, signal: .narrowNoise, frequency: 1000, range: range))),
    (
      .hearingTest,
      .hearingTest(
        HearingTestPlan(
          method: .hughsonWestlake, ears: [.right], frequencies: [1000],
          limits: Binaural(both: [1000: limits])))
    ),
    (.bracketing, .bracketing(LoudnessPlan(ear: .right, frequency: 1000, range: range, trialCount: 1))),
    (.likeness, .likeness(LikenessPlan(ear: .right, curve: curve))),
    (
      .bandwidth,
      .bandwidth(
        BandwidthPlan(
          ear: .left, frequency: 1000,
          tone: BandwidthPlan.Level(HearingLevel(40), ceiling: HearingLevel(60)),
          narrowNoise: BandwidthPlan.Level(HearingLevel(40), ceiling: HearingLevel(60)),
          broadNoise: BandwidthPlan.Level(HearingLevel(30), ceiling: HearingLevel(50))))
    ),
    (
      .inhibition,
      .inhibition(
        InhibitionPlan(
          ear: .left, signal: .narrowNoise, frequency: 1000, masking: HearingLevel(20), range: range))
    ),
  ]

  /// The lines of a whole record.
  ///
  /// - Parameter answering: Answers to its steps; nil: drawn by the seed.
  static func lines(
    _ name: ProcedureOrder.Name, _ plan: ProcedurePlan, seed: UInt64 = 3, at began: Double = 1_790_000_000,
    answering: ((ProcedureStep) -> ProcedureAnswer)? = nil
  ) throws -> [ProcedureLine] {
    var order = ProcedureOrder(name)
    (order.ear, order.tinnitusSide) = (.left, .right)
    let beginning = ProcedureBeginning(
      identifier: "20260921T141320Z-\(name.rawValue)", at: began, version: "1", order: order, plan: plan,
      seed: seed,
      device: ProcedureBeginning.Device(
        capture: "c", playback: "p", rateHz: rate, format: "FLOAT_LE", delaySeconds: nil),
      calibration: calibration,
      limits: ProcedureBeginning.Limits(left: SoundPressureLevel(110), right: SoundPressureLevel(110)))
    var lines = [ProcedureLine.begin(beginning)]
    var random = SeededGenerator(seed)
    var procedure = plan.begin(seed: seed)
    var now = began
    while let step = procedure.nextStep {
      for (index, cue) in step.cues.enumerated() {
        let sound = try CueSound(cue, of: step, in: plan, by: rendering)
        lines.append(
          .presented(
            PresentedSound(
              step: step.number, cue: index, stimulus: cue.stimulus, masker: cue.masker,
              sound: sound.level?.sound, digital: sound.level?.digital, status: .provisional,
              digest: SampleDigest.of(sound.presentation.samples), at: now)))
      }
      now += 4
      let answer = if let answering { answering(step) } else { Self.answer(to: step, &random) }
      lines.append(.answer(step: step.number, answer, at: now))
      precondition(procedure.take(answer))
    }
    return lines + [.end(procedure.result!, at: now)]
  }

  /// A whole record as it is listed, of a procedure that somebody answers.
  ///
  /// - Parameter ended: Nil: 50 s after its beginning.
  static func summary(
    _ name: ProcedureOrder.Name, _ plan: ProcedurePlan,
    by calibration: OutputCalibration = RecordedProcedure.calibration, volumes: [VolumeSetting]? = nil,
    schema: Int = 101, at began: Double = 1_790_000_000, ended: Double? = nil,
    _ answer: (ProcedureStep) -> ProcedureAnswer
  ) throws -> ProcedureSummary {
    var procedure = plan.begin(seed: 1)
    while let step = procedure.nextStep { precondition(procedure.take(answer(step))) }
    let limit = SoundPressureLevel(110)
    var beginning = ProcedureBeginning(
      identifier: "\(Int(began))-\(name.rawValue)", at: began, version: "1", order: ProcedureOrder(name),
      plan: plan, seed: 1,
      device: ProcedureBeginning.Device(
        capture: "c", playback: "p", rateHz: 48_000, format: "FLOAT_LE", delaySeconds: nil,
        volumes: volumes),
      calibration: calibration, limits: ProcedureBeginning.Limits(left: limit, right: limit))
    beginning.schema = schema
    let lines = [ProcedureLine.begin(beginning), .end(procedure.result!, at: ended ?? began + 50)]
    let folder = TemporaryFolder()
    try WholeFile.save(
      try lines.flatMap { try JSON.bytes($0) + [UInt8(ascii: "\n")] }, to: folder.file("r.jsonl"))
    return try ProcedureSummary(at: folder.file("r.jsonl"))
  }

  /// A hearing test of a left ear with these thresholds, dB HL by frequency, up to a loudest tone; where asked by somebody who presses
  /// in silences too.
  static func hearingTest(
    _ thresholds: [Double: Double], upTo highest: Double = 90,
    by calibration: OutputCalibration = RecordedProcedure.calibration, volumes: [VolumeSetting]? = nil,
    schema: Int = 101, pressesInSilence: Bool = false, at began: Double = 1_790_000_000
  ) throws -> ProcedureSummary {
    let frequencies = thresholds.keys.sorted()
    let limits = HearingTestPlan.Limits(lowest: HearingLevel(-10), highest: HearingLevel(highest))!
    let plan = HearingTestPlan(
      method: .hughsonWestlake, ears: [.left], frequencies: frequencies,
      limits: Binaural(both: Dictionary(uniqueKeysWithValues: frequencies.map { ($0, limits) })))
    return try summary(
      .hearingTest, .hearingTest(plan), by: calibration, volumes: volumes, schema: schema, at: began
    ) { step in
      guard let tone = step.cues[0].stimulus else {
        return pressesInSilence ? .heard(after: 0.4) : .notHeard
      }
      return tone.level.decibels >= thresholds[tone.frequency] ?? .infinity ? .heard(after: 0.4) : .notHeard
    }
  }

  private static func answer(to step: ProcedureStep, _ random: inout SeededGenerator) -> ProcedureAnswer {
    let isYes = Bool.random(using: &random)
    return switch step.question {
    case .detection: isYes ? .heard(after: 0.4) : .notHeard
    case .adjustment: isYes ? .accept : .turn([-5, -1, 1, 5].randomElement(using: &random)!)
    case .comparison: isYes ? .first : .second
    case .presence: isYes ? .present : .absent
    case .balance: .equal
    case .likeness: .rate(50, after: 1)
    case .rating: .rate(50, after: Double(step.number))
    case .listening: .ended
    }
  }
}

extension ProcedureBeginning {
  /// The same under another name, or with another part.
  func named(
    _ identifier: String? = nil, plan: ProcedurePlan? = nil, device: Device? = nil,
    calibration: OutputCalibration? = nil
  ) -> ProcedureBeginning {
    ProcedureBeginning(
      identifier: identifier ?? self.identifier, at: at, version: version, order: order,
      plan: plan ?? self.plan, seed: seed, device: device ?? self.device,
      calibration: calibration ?? self.calibration, limits: limits)
  }
}
