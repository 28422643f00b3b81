import Acoustics
import Base
import Engine
import HearingDSP
import Procedures

/// A cue as it is played: the silence before it, the sound, and the noise in the other ear.
struct CueSound {
  let presentation: Presentation
  /// Frame at which the stimulus begins, or would begin.
  let onset: Int
  /// Frame at which it has ended.
  private let end: Int
  /// Of the stimulus; nil: silence.
  let level: StimulusLevel?
  private let isNoise: Bool
  private let hasMasker: Bool

  /// Longest silence before a sound, s: that between two questions of residual inhibition, and more.
  private static let longestGap = 60.0

  /// - Parameters:
  ///   - step: Its number is the seed of noise.
  ///   - plan: Its ceilings hold, whatever the step asks for.
  /// - Throws: ``ProcedureFault/refused(_:)``: nothing is played softer instead.
  init(
    _ cue: ProcedureStep.Cue, of step: ProcedureStep, in plan: ProcedurePlan,
    by rendering: StimulusRendering
  ) throws(ProcedureFault) {
    let duration = cue.stimulus?.duration ?? 0
    guard (0...Self.longestGap).contains(cue.gap), (0...120).contains(duration),
      cue.masker.map({ (0...120).contains($0.duration) }) ?? true
    else {
      throw .plan(
        Failure(
          "procedure", found: "a step of \(cue.gap) and \(duration) s", expected: "seconds", exit: .badData)
      )
    }
    let (rate, seed) = (rendering.rate, UInt64(clamping: step.number))
    let onset = Int((max(cue.gap, PresentationPlayer.leadIn) * rate).rounded())
    let silence = step.question == .detection ? HearingTest.toneLength : 0
    let end = onset + Int(((cue.stimulus?.duration ?? silence) * rate).rounded())
    var samples = Binaural<[Float]>(both: [])
    var (level, ceiling) = (StimulusLevel?.none, FullScaleLevel(-60))
    let parts = [
      cue.stimulus.map { ($0, onset, seed) },
      cue.masker.map { ($0, Int(HearingTest.noiseDelay * rate), seed &+ 1) },
    ]
    for (stimulus, lead, seed) in parts.compactMap(\.self) {
      do throws(StimulusRefusal) {
        let own = try rendering.checked(stimulus)
        if stimulus == cue.stimulus { level = own }
        let highest = try rendering.ceiling(of: stimulus, in: plan)
        ceiling = max(ceiling, own.digital + (highest - stimulus.level + stimulus.headroom))
        samples[stimulus.ear] =
          [Float](repeating: 0, count: lead) + (try rendering.samples(of: stimulus, seed: seed))
      } catch { throw .refused(error) }
    }
    (self.level, self.onset, self.end) = (level, onset, end)
    (isNoise, hasMasker) = (cue.stimulus?.signal.isNoise == true, cue.masker != nil)
    tone = cue.stimulus.flatMap { $0.signal.isNoise ? nil : $0.frequency }
    presentation = Presentation(samples, ceiling: ceiling, frames: end)
  }

  /// Frequency of its tone, Hz; nil: it has none.
  let tone: Double?

  /// True while own noise is on at a frame.
  func hasNoise(_ frame: Int) -> Bool { hasMasker || (isNoise && (onset...end).contains(frame)) }
}

extension Stimulus {
  /// Room that the output safety stage leaves it above its level, within the aid's own limit, for it to pass unchanged, dB: for
  /// the peaks of noise, and for the crests of a low tone.
  var headroom: Double {
    guard !signal.isNoise else { return Self.noiseCrest }
    return OutputLimits.headroom(at: frequency * (signal == .warble ? 1 - Self.warble.depth : 1))
  }
}

extension StimulusRendering {
  /// The loudest that the plan lets a stimulus be.
  ///
  /// - Throws: ``StimulusRefusal`` of one that is louder.
  fileprivate func ceiling(
    of stimulus: Stimulus, in plan: ProcedurePlan
  ) throws(StimulusRefusal) -> HearingLevel {
    guard let ceiling = plan.ceiling(of: stimulus), stimulus.level <= ceiling else {
      throw StimulusRefusal(beyondPlan: stimulus)
    }
    return ceiling
  }
}

/// Reason for which a procedure has no result.
enum ProcedureFault: Error {
  /// Of devices, and of whoever ends it.
  case sound(FeedbackFault)
  case refused(StimulusRefusal)
  /// The record cannot be written.
  case record(Failure)
  case plan(Failure)
  /// It ended without one: a fault of this program.
  case noResult
}
