import Acoustics

/// A loudness match by bracketing, step by step: one tone, and whether it is louder or softer than the tinnitus.
///
/// - Threads: any.
struct BracketingProcedure: Procedure {
  let plan: LoudnessPlan
  private var bracketing: LoudnessBracketing
  private var count = 0

  /// Time of a tone, and of the silence before it, s. Own choices.
  private static let (length, gap) = (1.0, 0.4)

  init(_ plan: LoudnessPlan, seed: UInt64) {
    self.plan = plan
    bracketing = LoudnessBracketing(plan.range, trialCount: plan.trialCount, seed: seed)
  }

  var nextStep: ProcedureStep? {
    bracketing.next.map { level in
      let tone = Stimulus(
        plan.signal, plan.ear, frequency: plan.frequency, level: level, duration: Self.length)
      return ProcedureStep(count + 1, [ProcedureStep.Cue(gap: Self.gap, tone)], .balance)
    }
  }

  mutating func take(_ answer: ProcedureAnswer) -> Bool {
    guard !bracketing.isFinished else { return false }
    switch answer {
    case .softer: bracketing.answer(.softer)
    case .louder: bracketing.answer(.louder)
    case .equal: bracketing.answer(.equal)
    case .interrupted: bracketing.repeatRun()
    default: return false
    }
    count += 1
    return true
  }

  var progress: Double { Double(bracketing.ends.count) / Double(2 * bracketing.trialCount) }

  /// A trial is a run from below and one from above.
  var trial: ProcedureTrial? {
    ProcedureTrial(after: bracketing.ends.count / 2, of: bracketing.trialCount)
  }

  var result: ProcedureResult? {
    bracketing.result.map { ProcedureResult(loudness: LoudnessSummary(plan, $0)) }
  }
}
