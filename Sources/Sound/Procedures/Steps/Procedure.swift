public import Acoustics

/// A procedure as whoever plays it sees it: a step, an answer, the next step.
///
/// A pure value: plan, seed and answers make its state, so that a record of them goes on after a crash and is worked out again.
///
/// - Threads: any.
public protocol Procedure: Sendable {
  /// Nil: finished.
  var nextStep: ProcedureStep? { get }
  /// Share of the whole that is done, 0…1, as far as it can be told.
  var progress: Double { get }
  /// Place among the trials, which whoever answers may know; nil: not told, as in a hearing test, and at the end.
  var trial: ProcedureTrial? { get }
  /// Nil before the end.
  var result: ProcedureResult? { get }

  /// Takes the answer to ``nextStep``.
  ///
  /// - Returns: False where the step has no such answer; then nothing has changed.
  mutating func take(_ answer: ProcedureAnswer) -> Bool
}

extension Procedure {
  /// Not told, by a procedure that does not count its trials.
  public var trial: ProcedureTrial? { nil }
}

/// A trial, comparison or rating among those of its procedure.
///
/// - Threads: any.
public struct ProcedureTrial: Sendable, Hashable, Codable {
  /// From 1.
  public let number: Int
  /// Nil: answers say how many there are.
  public let count: Int?

  /// The trial of this number, from 1.
  public init(_ number: Int, of count: Int?) { (self.number, self.count) = (number, count) }

  /// The trial behind `done` of them; nil: all are done.
  init?(after done: Int, of count: Int) {
    guard done < count else { return nil }
    self.init(done + 1, of: count)
  }
}

/// A procedure with everything that is settled before it begins.
///
/// - Threads: any.
public enum ProcedurePlan: Sendable, Hashable {
  case hearingTest(HearingTestPlan)
  case loudness(LoudnessPlan)
  case bracketing(LoudnessPlan)
  case pitch(PitchPlan)
  case likeness(LikenessPlan)
  case bandwidth(BandwidthPlan)
  case masking(MaskingPlan)
  case inhibition(InhibitionPlan)

  /// - Parameter seed: Of gaps and orders.
  public func begin(seed: UInt64) -> any Procedure {
    switch self {
    case .hearingTest(let plan): HearingTest(plan, seed: seed)
    case .loudness(let plan): LoudnessProcedure(plan)
    case .bracketing(let plan): BracketingProcedure(plan, seed: seed)
    case .pitch(let plan): PitchProcedure(plan, seed: seed)
    case .likeness(let plan): LikenessProcedure(plan, seed: seed)
    case .bandwidth(let plan): BandwidthProcedure(plan, seed: seed)
    case .masking(let plan): MaskingProcedure(plan)
    case .inhibition(let plan): InhibitionProcedure(plan)
    }
  }

  /// The same procedure after these answers.
  ///
  /// - Returns: Nil where an answer does not belong to its step: a record of another procedure, or a damaged one.
  public func resume(seed: UInt64, _ answers: [ProcedureAnswer]) -> (any Procedure)? {
    var procedure = begin(seed: seed)
    for answer in answers {
      guard procedure.take(answer) else { return nil }
    }
    return procedure
  }

  /// Name for files and commands.
  public var name: String {
    switch self {
    case .hearingTest: "hearing-test"
    case .loudness: "loudness"
    case .bracketing: "bracketing"
    case .pitch: "pitch"
    case .likeness: "likeness"
    case .bandwidth: "bandwidth"
    case .masking: "masking"
    case .inhibition: "inhibition"
    }
  }

  /// True of a pitch at an end of the range in which it was searched, beyond which the true one may lie; nil without a match of pitch.
  public func isPitchAtEdge(_ result: ProcedureResult?) -> Bool? {
    guard case .pitch(let plan) = self, let pitch = result?.pitch else { return nil }
    return plan.isAtEdge(pitch)
  }

  /// Octaves beside the compared frequency of a pitch that it was not compared with; nil without a match of pitch.
  public func uncomparedOctaves(_ result: ProcedureResult?) -> [PitchMatchResult.Octave]? {
    guard case .pitch(let plan) = self, let pitch = result?.pitch else { return nil }
    return plan.uncomparedOctaves(pitch)
  }

  /// Frequencies at which sounds that are to be as loud as the tinnitus go by a threshold with a ``ThresholdReservation``, or cannot
  /// be as soft, Hz, rising; nil of a procedure without such sounds.
  public var uncertainFrequencies: [Double]? {
    if case .bandwidth(let plan) = self { return plan.reservation == nil ? [] : [plan.frequency] }
    return pitchCurve?.uncertain
  }

  /// Levels of the tones of a match of pitch, by comparisons or by likeness; nil of every other procedure.
  public var pitchCurve: LevelCurve? {
    switch self {
    case .pitch(let plan): plan.curve
    case .likeness(let plan): plan.curve
    case .hearingTest, .loudness, .bracketing, .bandwidth, .masking, .inhibition: nil
    }
  }

  /// Frequencies at which its sounds have levels in dB HL, Hz; of tones between those of a curve its points'.
  public var levelFrequencies: Set<Double> {
    func frequencies(_ signal: Stimulus.Signal, _ frequency: Double) -> Set<Double> {
      signal == .broadNoise ? Set(Stimulus.broadBands) : [frequency]
    }
    switch self {
    case .hearingTest(let plan):
      let tested = Ear.allCases.flatMap { Array(plan.limits[$0].keys) }
      return tested.reduce(into: []) { $0.formUnion(frequencies(plan.signal, $1)) }
    case .loudness(let plan), .bracketing(let plan): return [plan.frequency]
    case .pitch(let plan): return Set(plan.curve.points.map(\.frequency))
    case .likeness(let plan): return Set(plan.curve.points.map(\.frequency))
    case .bandwidth(let plan): return Set(Stimulus.broadBands + [plan.frequency])
    case .masking(let plan): return frequencies(plan.signal, plan.frequency)
    case .inhibition(let plan): return frequencies(plan.signal, plan.frequency)
    }
  }

  /// Loudest that a stimulus may be, dB HL; nil: the procedure has no business with that ear and frequency.
  public func ceiling(of stimulus: Stimulus) -> HearingLevel? {
    let (ear, frequency) = (stimulus.ear, stimulus.frequency)
    switch self {
    case .hearingTest(let plan):
      // Noise that masks is as loud as the tone that it masks in effect.
      let isMasker = stimulus.signal == .narrowNoise && plan.signal != .narrowNoise
      let correction = isMasker ? Stimulus.maskingCorrection(at: frequency) : 0
      return plan.limits[ear][frequency].map { $0.highest + correction }
    case .loudness(let plan), .bracketing(let plan):
      return plan.ear == ear && plan.frequency == frequency ? plan.range.ceiling : nil
    case .pitch(let plan): return plan.ear == ear ? plan.curve.ceiling(at: frequency) : nil
    case .likeness(let plan):
      return plan.ear == ear && plan.curve.isHeard(frequency) ? plan.curve.ceiling(at: frequency) : nil
    case .bandwidth(let plan):
      let sound = BandwidthMatch.Sound.allCases.first { plan.level(of: $0).signal == stimulus.signal }
      guard plan.ear == ear, plan.frequency == frequency, let sound else { return nil }
      return plan.level(of: sound).level.ceiling
    case .masking(let plan): return plan.ear == ear ? plan.range.ceiling : nil
    case .inhibition(let plan): return plan.ear == ear ? plan.range.ceiling : nil
    }
  }
}

extension ProcedurePlan: Codable {
  private enum Kind: String, Codable {
    case hearingTest = "hearing-test"
    case loudness, bracketing, pitch, likeness, bandwidth, masking, inhibition
  }

  private enum CodingKeys: CodingKey { case kind, plan }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func plan<Plan: Decodable>() throws -> Plan { try container.decode(Plan.self, forKey: .plan) }
    self =
      switch try container.decode(Kind.self, forKey: .kind) {
      case .hearingTest: .hearingTest(try plan())
      case .loudness: .loudness(try plan())
      case .bracketing: .bracketing(try plan())
      case .pitch: .pitch(try plan())
      case .likeness: .likeness(try plan())
      case .bandwidth: .bandwidth(try plan())
      case .masking: .masking(try plan())
      case .inhibition: .inhibition(try plan())
      }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    func write(_ kind: Kind, _ plan: some Encodable) throws {
      try container.encode(kind, forKey: .kind)
      try container.encode(plan, forKey: .plan)
    }
    switch self {
    case .hearingTest(let plan): try write(.hearingTest, plan)
    case .loudness(let plan): try write(.loudness, plan)
    case .bracketing(let plan): try write(.bracketing, plan)
    case .pitch(let plan): try write(.pitch, plan)
    case .likeness(let plan): try write(.likeness, plan)
    case .bandwidth(let plan): try write(.bandwidth, plan)
    case .masking(let plan): try write(.masking, plan)
    case .inhibition(let plan): try write(.inhibition, plan)
    }
  }
}
