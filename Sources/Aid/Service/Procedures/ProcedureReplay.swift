import Acoustics
import Base
import Engine
import Procedures

/// A record worked out again: the plan, the seed and the answers have to lead to the same steps, samples and result.
package struct ProcedureReplay: Sendable, Encodable {
  private let schema = 100
  package let record: String
  /// Sounds that were compared.
  package private(set) var soundCount = 0
  package private(set) var answerCount = 0
  /// Everything that came out otherwise, sentences; empty: nothing did.
  package private(set) var differences: [String] = []
  /// Nil: it was not finished.
  package private(set) var result: ProcedureResult?

  package var isSame: Bool { differences.isEmpty }

  private enum CodingKeys: CodingKey { case schema, record, soundCount, answerCount, differences, result }

  /// - Throws: ``Failure`` of answers that do not belong to the plan.
  package init(_ details: ProcedureDetails) throws(Failure) {
    let beginning = details.beginning
    record = beginning.identifier
    let rendering = StimulusRendering(
      calibration: beginning.calibration, rate: Double(beginning.device.rateHz),
      limit: Binaural(left: beginning.limits.left, right: beginning.limits.right))
    var procedure = beginning.plan.begin(seed: beginning.seed)
    for line in details.lines {
      switch line {
      case .presented(let sound):
        compare(sound, with: procedure.nextStep, in: beginning.plan, by: rendering)
      case .answer(let step, let answer, _):
        answerCount += 1
        guard procedure.take(answer) else {
          throw Failure(
            record, found: "an answer to step \(step) that it does not have",
            expected: "a record as it was written",
            exit: .badData)
        }
      case .restarted: procedure = beginning.plan.begin(seed: beginning.seed)
      case .end(let result, _):
        self.result = result
        if procedure.result != result { differences.append("The result comes out otherwise.") }
      case .begin, .key, .room, .bands, .interrupted, .resumed: break
      }
    }
  }

  /// Differences told at most.
  private static let most = 20

  private mutating func compare(
    _ sound: PresentedSound, with step: ProcedureStep?, in plan: ProcedurePlan,
    by rendering: StimulusRendering
  ) {
    soundCount += 1
    guard differences.count < Self.most else { return }
    guard let step, sound.isAsked(by: step) else {
      return differences.append("Step \(sound.step) asks for another sound.")
    }
    do throws(ProcedureFault) {
      let again = try CueSound(step.cues[sound.cue], of: step, in: plan, by: rendering)
      guard SampleDigest.of(again.presentation.samples) == sound.digest,
        again.level?.digital == sound.digital
      else { return differences.append("Step \(sound.step) has other samples.") }
    } catch { differences.append("Step \(sound.step) cannot be made: \(Failure(error).message)") }
  }

  package var text: String {
    let head = "\(record): \(soundCount) sounds and \(answerCount) answers worked out again"
    guard isSame else { return ([head + "."] + differences).joined(separator: "\n") + "\n" }
    return head + ", all as recorded"
      + (result == nil ? "; it was not finished.\n" : ", and so is the result.\n")
  }
}
