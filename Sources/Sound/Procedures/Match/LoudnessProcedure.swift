public import Acoustics

/// A loudness match with everything that is settled before it begins.
///
/// - Threads: any.
public struct LoudnessPlan: Sendable, Hashable, Codable {
  /// Trials of a match. Own choice: more tire whoever matches.
  public static let trialCounts = 1...20

  /// Ear that hears the tone.
  public let ear: Ear
  /// Hz.
  public let frequency: Double
  /// Levels of the tone, and the threshold for it that dB SL refers to.
  public let range: MatchRange
  /// Trials in all. A plan that was read may have any number: a match holds it within ``trialCounts``.
  public let trialCount: Int
  /// Kind of the tone.
  public let signal: Stimulus.Signal
  /// Reservations about the threshold of ``range``; nil: there is none, or it was given.
  public let reservation: ThresholdReservation?
  /// Version of the rules by which the result follows from answers, ``presentRules`` of every plan that is made; nil: the
  /// first, of records from before it was kept.
  public var rules: Int? = presentRules

  /// Rules of this program: the result tells trials that were not turned, and reservations about the threshold. By the
  /// first ones it told neither.
  public static let presentRules = 2

  /// - Parameters:
  ///   - trialCount: Held within ``trialCounts``.
  ///   - reservation: About the threshold of `range`.
  public init(
    ear: Ear, frequency: Double, range: MatchRange, trialCount: Int = 3, signal: Stimulus.Signal = .tone,
    reservation: ThresholdReservation? = nil
  ) {
    (self.ear, self.frequency, self.range) = (ear, frequency, range)
    (self.trialCount, self.signal, self.reservation) = (Self.held(trialCount), signal, reservation)
  }

  /// A number of trials within ``trialCounts``: a plan that was read may ask for any.
  static func held(_ trialCount: Int) -> Int {
    min(max(trialCount, trialCounts.lowerBound), trialCounts.upperBound)
  }
}

/// A loudness match by adjustment, step by step: a tone of a second again and again, until it is as loud as the tinnitus.
///
/// - Threads: any.
struct LoudnessProcedure: Procedure {
  let plan: LoudnessPlan
  private var adjustment: LoudnessAdjustment
  private var count = 0

  /// Time of a tone, and of the silence before it, s. Own choices.
  private static let (length, gap) = (1.0, 0.4)

  init(_ plan: LoudnessPlan) {
    self.plan = plan
    adjustment = LoudnessAdjustment(plan.range, trialCount: plan.trialCount)
  }

  var nextStep: ProcedureStep? {
    guard !adjustment.isFinished else { return nil }
    let tone = Stimulus(
      plan.signal, plan.ear, frequency: plan.frequency, level: HearingLevel(adjustment.level),
      duration: Self.length)
    return ProcedureStep(count + 1, [ProcedureStep.Cue(gap: Self.gap, tone)], .adjustment)
  }

  mutating func take(_ answer: ProcedureAnswer) -> Bool {
    guard !adjustment.isFinished else { return false }
    switch answer {
    case .turn(let change):
      guard LoudnessAdjustment.steps.contains(abs(change)) else { return false }
      adjustment.turn(change)
    case .accept: adjustment.accept()
    case .interrupted: adjustment.repeatTrial()
    default: return false
    }
    count += 1
    return true
  }

  var progress: Double { Double(adjustment.matches.count) / Double(adjustment.trialCount) }

  var trial: ProcedureTrial? {
    ProcedureTrial(after: adjustment.matches.count, of: adjustment.trialCount)
  }

  var result: ProcedureResult? {
    adjustment.result.map { ProcedureResult(loudness: LoudnessSummary(plan, $0)) }
  }
}
