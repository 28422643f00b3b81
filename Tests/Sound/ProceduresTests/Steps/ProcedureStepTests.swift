import Acoustics
import CommonTesting
import Foundation
import Procedures
import Testing

@Suite("Procedures step by step")
struct ProcedureStepTests {
  private static let range = MatchRange(
    threshold: HearingLevel(10), reference: SoundPressureLevel(5.5), limit: SoundPressureLevel(110))!

  private static let limits = HearingTestPlan.Limits(lowest: HearingLevel(-10), highest: HearingLevel(90))!

  static let plans: [ProcedurePlan] = [
    .hearingTest(
      HearingTestPlan(
        method: .hughsonWestlake, frequencies: [1000, 4000],
        limits: Binaural(both: [1000: limits, 4000: limits]))),
    .hearingTest(
      HearingTestPlan(
        method: .bayesian, ears: [.left], frequencies: [1000], limits: Binaural(both: [1000: limits]))),
    .loudness(LoudnessPlan(ear: .left, frequency: 1000, range: range)),
    .pitch(
      PitchPlan(
        ear: .right,
        curve: LevelCurve([
          LevelCurve.Point(frequency: 500, level: HearingLevel(30), ceiling: HearingLevel(60)),
          LevelCurve.Point(frequency: 8000, level: HearingLevel(50), ceiling: HearingLevel(70)),
        ])!)),
    .bracketing(LoudnessPlan(ear: .right, frequency: 2000, range: range)),
    .likeness(
      LikenessPlan(
        ear: .right,
        curve: LevelCurve([
          LevelCurve.Point(frequency: 500, level: HearingLevel(30), ceiling: HearingLevel(60)),
          LevelCurve.Point(frequency: 8000, level: HearingLevel(80), ceiling: HearingLevel(70)),
        ])!)),
    .bandwidth(
      BandwidthPlan(
        ear: .left, frequency: 3000, tone: BandwidthPlan.Level(HearingLevel(40), ceiling: HearingLevel(60)),
        narrowNoise: BandwidthPlan.Level(HearingLevel(70), ceiling: HearingLevel(55)),
        broadNoise: BandwidthPlan.Level(HearingLevel(30), ceiling: HearingLevel(50)))),
    .masking(MaskingPlan(ear: .left, signal: .broadNoise, frequency: 1000, range: range)),
    .inhibition(
      InhibitionPlan(
        ear: .left, signal: .narrowNoise, frequency: 4000, masking: HearingLevel(20), range: range)),
  ]

  /// An answer that the question allows, by chance.
  private func answer(_ step: ProcedureStep, _ random: inout SeededGenerator) -> ProcedureAnswer {
    let isYes = Bool.random(using: &random)
    // Now and then something comes between.
    if Int.random(in: 0..<12, using: &random) == 0 { return .interrupted }
    return switch step.question {
    case .detection: isYes ? .heard(after: 0.4) : .notHeard
    case .adjustment:
      isYes ? .accept : .turn([-5, -1, 1, 5].randomElement(using: &random)!)
    case .comparison: isYes ? .first : .second
    case .presence: isYes ? .present : .absent
    case .balance: [.softer, .louder, .equal].randomElement(using: &random)!
    case .likeness: .rate(Double(Int.random(in: 0...100, using: &random)), after: 1)
    case .rating: .rate(Double(Int.random(in: 0...120, using: &random)), after: Double(step.number) * 10)
    case .listening: .ended
    }
  }

  @Test("Every procedure ends, with a result, whatever is answered", arguments: plans)
  func ends(_ plan: ProcedurePlan) {
    for seed in 0..<40 {
      var random = SeededGenerator(UInt64(seed))
      var procedure = plan.begin(seed: UInt64(seed))
      var count = 0
      while let step = procedure.nextStep, count < 1000 {
        #expect(procedure.result == nil)
        #expect(0...1 ~= procedure.progress)
        let isTaken = procedure.take(answer(step, &random))
        #expect(isTaken)
        count += 1
      }
      #expect(procedure.nextStep == nil && procedure.result != nil)
    }
  }

  @Test("No step asks for more than its plan's ceiling", arguments: plans)
  func ceilings(_ plan: ProcedurePlan) throws {
    for seed in 0..<40 {
      var random = SeededGenerator(UInt64(seed))
      var procedure = plan.begin(seed: UInt64(seed))
      while let step = procedure.nextStep {
        for stimulus in step.cues.flatMap({ [$0.stimulus, $0.masker] }).compactMap(\.self) {
          let ceiling = try #require(plan.ceiling(of: stimulus))
          #expect(stimulus.level <= ceiling)
        }
        _ = procedure.take(answer(step, &random))
      }
    }
  }

  @Test(
    "Plan, seed and answers lead to the same step after every answer, also through JSON", arguments: plans)
  func resumes(_ plan: ProcedurePlan) throws {
    var random = SeededGenerator(5)
    var procedure = plan.begin(seed: 3)
    var answers: [ProcedureAnswer] = []
    let kept = try JSONDecoder().decode(ProcedurePlan.self, from: JSONEncoder().encode(plan))
    #expect(kept == plan)
    while let step = procedure.nextStep {
      let again = try JSONDecoder().decode([ProcedureAnswer].self, from: JSONEncoder().encode(answers))
      #expect(kept.resume(seed: 3, again)?.nextStep == step)
      answers.append(answer(step, &random))
      let isTaken = procedure.take(answers[answers.count - 1])
      #expect(isTaken)
    }
    #expect(plan.resume(seed: 3, answers)?.result == procedure.result)
  }

  @Test("An answer of another question is refused and changes nothing", arguments: plans)
  func otherAnswers(_ plan: ProcedurePlan) throws {
    var procedure = plan.begin(seed: 1)
    let step = try #require(procedure.nextStep)
    let all: [ProcedureAnswer] = [
      .heard(after: 1), .notHeard, .turn(5), .turn(7), .turn(.nan), .accept, .first, .second, .present,
      .absent, .softer, .louder, .equal, .rate(50, after: 0), .ended,
    ]
    let own: [ProcedureAnswer] =
      switch step.question {
      case .detection: [.heard(after: 1), .notHeard]
      case .adjustment: [.turn(5), .accept]
      case .comparison: [.first, .second]
      case .presence: [.present, .absent]
      case .balance: [.softer, .louder, .equal]
      case .rating, .likeness: [.rate(50, after: 0)]
      case .listening: [.ended]
      }
    for answer in all where !own.contains(answer) {
      let isTaken = procedure.take(answer)
      #expect(!isTaken)
      #expect(procedure.nextStep == step)
    }
    #expect(plan.resume(seed: 1, [.turn(7)]) == nil)
  }

  @Test("A match at 40 dB HL over a threshold of 10 dB HL is told as 30 dB SL")
  func sensation() throws {
    var procedure = Self.plans[2].begin(seed: 0)
    func take(_ answer: ProcedureAnswer) {
      let isTaken = procedure.take(answer)
      #expect(isTaken)
    }
    // From 15 dB HL, 5 dB over the threshold: five steps of 5 dB. Later trials begin 8 dB beside the last match.
    for change in [5.0, 5, 5, 5, 5] { take(.turn(change)) }
    take(.accept)
    for _ in 0..<2 {
      while let level = procedure.nextStep?.cues[0].stimulus?.level, level != HearingLevel(40) {
        let way = 40 - level.decibels
        take(.turn(abs(way) >= 5 ? (way > 0 ? 5 : -5) : (way > 0 ? 1 : -1)))
      }
      take(.accept)
    }
    let result = try #require(procedure.result?.loudness)
    #expect(result.level == HearingLevel(40) && result.sensationLevel == SensationLevel(30))
    #expect(result.threshold == HearingLevel(10) && result.trials == [40, 40, 40])
  }

  @Test(
    "the minute of noise before residual inhibition rises from its threshold by 10 dB a second, in a second at least, and by a plan from before that not at all",
    arguments: [(20.0, 2.0), (5, 1), (-40, 1), (70, 6)])
  func rise(masking: Double, expected: Double) throws {
    // Threshold 10 dB HL, ceiling 70: 10 dB above the masking level, or softer.
    let plan = InhibitionPlan(
      ear: .left, signal: .narrowNoise, frequency: 4000, masking: HearingLevel(masking), range: Self.range)
    #expect(abs(try #require(plan.rise) - expected) < 1e-9)
    func noise(_ plan: InhibitionPlan) throws -> Stimulus {
      try #require(ProcedurePlan.inhibition(plan).begin(seed: 0).nextStep?.cues[0].stimulus)
    }
    let rising = try noise(plan)
    #expect(rising.rise == plan.rise && rising.duration == 60)
    let text = String(decoding: try JSONEncoder().encode(plan), as: UTF8.self)
    let former = text.replacing(/,"rise":[0-9.]+|"rise":[0-9.]+,/, with: "")
    #expect(former != text)
    let old = try JSONDecoder().decode(InhibitionPlan.self, from: Data(former.utf8))
    #expect(old.rise == nil && old.masking == plan.masking)
    let steady = try noise(old)
    #expect(steady.rise == nil && steady.duration == 60)
    // It is written as it was.
    let again = String(decoding: try JSONEncoder().encode(steady), as: UTF8.self)
    #expect(!again.contains("rise"))
  }

  @Test("A curve of levels holds each level to its ceiling, and refuses points that make none")
  func curves() throws {
    let points = [
      LevelCurve.Point(frequency: 1000, level: HearingLevel(40), ceiling: HearingLevel(60)),
      LevelCurve.Point(frequency: 4000, level: HearingLevel(80), ceiling: HearingLevel(60)),
    ]
    let curve = try #require(LevelCurve(points))
    // Half way on the axis of octaves lies 2 kHz: 60 dB HL.
    #expect(curve.level(at: 2000) == HearingLevel(60))
    #expect(curve.level(at: 4000) == HearingLevel(60) && curve.level(at: 500) == HearingLevel(40))
    #expect(LevelCurve([points[0]]) == nil && LevelCurve(points.reversed()) == nil)
    let broken = LevelCurve.Point(frequency: 8000, level: HearingLevel(.nan), ceiling: HearingLevel(60))
    #expect(LevelCurve(points + [broken]) == nil)
  }

  @Test("A curve has a gap from point to point about a frequency that is not heard, also through JSON")
  func gaps() throws {
    let points = [500.0, 3000, 6000, 8000].map {
      LevelCurve.Point(frequency: $0, level: HearingLevel(40), ceiling: HearingLevel(60))
    }
    let curve = try #require(LevelCurve(points, unheard: [4000, 10_000]))
    #expect(curve.range == 500...8000 && curve.parts == [500...3000, 6000...8000])
    for heard in [500.0, 3000, 6000, 8000] { #expect(curve.isHeard(heard)) }
    for unheard in [499.0, 3001, 4000, 5999, 8001] { #expect(!curve.isHeard(unheard)) }
    #expect(try JSONDecoder().decode(LevelCurve.self, from: JSONEncoder().encode(curve)) == curve)
    let whole = try #require(LevelCurve(points))
    #expect(whole.parts == [500...8000] && whole != curve)
    // Records of older versions have no such key, and go on.
    let data = try JSONEncoder().encode(whole)
    #expect(!String(decoding: data, as: UTF8.self).contains("unheard"))
    #expect(try JSONDecoder().decode(LevelCurve.self, from: data) == whole)
    #expect(LevelCurve(points, unheard: [4000, 3500]) == nil && LevelCurve(points, unheard: [.nan]) == nil)
    // Nor frequencies whose threshold has a reservation.
    #expect(!String(decoding: data, as: UTF8.self).contains("uncertain"))
    let uncertain = try #require(LevelCurve(points, uncertain: [500, 6000]))
    #expect(try JSONDecoder().decode(LevelCurve.self, from: JSONEncoder().encode(uncertain)) == uncertain)
    #expect(
      ProcedurePlan.pitch(PitchPlan(ear: .left, curve: uncertain)).uncertainFrequencies == [500, 6000])
    #expect(LevelCurve(points, uncertain: [6000, 500]) == nil && Self.plans[2].uncertainFrequencies == nil)
    // Nor those among them that a doubt of the hearing test is about.
    let doubted = try #require(LevelCurve(points, unheard: [4000, 10_000], unheardInDoubt: [4000]))
    #expect(doubted != curve && doubted.parts == curve.parts)
    #expect(try JSONDecoder().decode(LevelCurve.self, from: JSONEncoder().encode(doubted)) == doubted)
    #expect(!String(decoding: data, as: UTF8.self).contains("InDoubt"))
    // Thirds of an octave without 3175, 4000 and 5040 Hz.
    let plan = LikenessPlan(ear: .left, curve: curve)
    let tones = try #require(plan.frequencies)
    #expect(tones.count == 10 && tones.allSatisfy { $0 < 3000 || $0 > 6000 })
    let tone = Stimulus(.tone, .left, frequency: 4000, level: HearingLevel(40), duration: 1)
    #expect(ProcedurePlan.likeness(plan).ceiling(of: tone) == nil)
    #expect(ProcedurePlan.likeness(plan).pitchCurve == curve && Self.plans[2].pitchCurve == nil)
  }

  @Test(
    "a match counts its trials from 1 to as many as there are, one after another; a hearing test counts none"
  )
  func trials() throws {
    // Thirds of an octave from 500 Hz to 8 kHz are 13 tones, each rated three times; three sounds are rated five times.
    let counts: [String: Int?] = [
      "loudness": 3, "bracketing": 3, "likeness": 13 * 3, "bandwidth": 15, "masking": 3, "pitch": nil,
      "inhibition": nil,
    ]
    for plan in Self.plans {
      var random = SeededGenerator(7)
      var procedure = plan.begin(seed: 3)
      var last = 0
      while let step = procedure.nextStep {
        if let trial = procedure.trial {
          let count = try #require(counts[plan.name])
          #expect(trial.count == count && trial.number <= count ?? .max, "\(plan.name)")
          #expect(trial.number == last || trial.number == last + 1, "\(plan.name)")
          last = trial.number
        } else {
          #expect(step.question == .detection || step.question == .listening, "\(plan.name)")
        }
        _ = procedure.take(answer(step, &random))
      }
      #expect(procedure.trial == nil && (last > 0) == (counts[plan.name] != nil), "\(plan.name)")
      if case .some(.some(let count)) = counts[plan.name] { #expect(last == count, "\(plan.name)") }
    }
  }
}
