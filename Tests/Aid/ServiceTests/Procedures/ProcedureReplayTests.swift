import Acoustics
import Control
import Procedures
import Testing

@testable import Service

/// Records worked out again.
@Suite("Replay of a record") struct ProcedureReplayTests {
  private func details(_ lines: [ProcedureLine]) -> ProcedureDetails {
    guard case .begin(let beginning)? = lines.first else {
      preconditionFailure("a record without a beginning")
    }
    return ProcedureDetails(beginning: beginning, lines: Array(lines.dropFirst()))
  }

  @Test("steps, samples and result come out as they were", arguments: RecordedProcedure.plans.indices)
  func same(_ index: Int) throws {
    let (name, plan) = RecordedProcedure.plans[index]
    let replay = try ProcedureReplay(details(try RecordedProcedure.lines(name, plan)))
    #expect(replay.isSame && replay.soundCount > 0 && replay.answerCount > 0 && replay.result != nil)
  }

  @Test(
    "a hearing test of before its rules had a version is worked out by its own ones, and not gone on with")
  func firstRules() throws {
    var plan = HearingTestPlan(
      method: .hughsonWestlake, ears: [.right], frequencies: [1000],
      limits: Binaural(both: [1000: RecordedProcedure.limits]), catchShare: 0)
    let present = ProcedurePlan.hearingTest(plan)
    plan.rules = nil
    let lines = try RecordedProcedure.lines(.hearingTest, .hearingTest(plan)) { _ in .notHeard }
    let tones = lines.compactMap { line -> Double? in
      if case .presented(let sound) = line { sound.stimulus?.level.decibels } else { nil }
    }
    #expect(tones.prefix(6) == [30, 50, 70, 90, 90, 90])
    // As it was written then.
    let text = try lines.flatMap { try JSON.bytes($0) + [UInt8(ascii: "\n")] }
    #expect(!String(decoding: text, as: UTF8.self).contains(#""rules""#))
    let record = try ProcedureRecord(text, named: "r")
    #expect(record.beginning.plan == .hearingTest(plan) && record.beginning.plan != present)
    let replay = try ProcedureReplay(
      ProcedureDetails(beginning: record.beginning, lines: record.lines))
    #expect(replay.isSame && replay.result != nil)
    // By the present rules 60 dB HL would follow 50.
    let misread = ProcedureDetails(beginning: record.beginning.named(plan: present), lines: record.lines)
    #expect(try ProcedureReplay(misread).differences.first == "Step 3 asks for another sound.")
  }

  @Test(
    "records of before results told what was not turned, or thresholds in doubt, are worked out without it, and not gone on with"
  )
  func formerRules() throws {
    var loudness = LoudnessPlan(ear: .left, frequency: 1000, range: RecordedProcedure.range)
    var masking = MaskingPlan(
      ear: .left, signal: .narrowNoise, frequency: 1000, range: RecordedProcedure.range)
    var test = HearingTestPlan(
      method: .hughsonWestlake, ears: [.right], frequencies: [1000],
      limits: Binaural(both: [1000: RecordedProcedure.limits]))
    func plans() -> [ProcedurePlan] {
      [.loudness(loudness), .bracketing(loudness), .masking(masking), .hearingTest(test)]
    }
    let present = plans()
    (loudness.rules, masking.rules, test.rules) = (nil, nil, 2)
    let former = plans()
    let answers: [ProcedureAnswer] = [.accept, .equal, .absent, .heard(after: 0.4)]
    let words = ["\"not_turned\":", "\"not_turned\":", "\"level_or_below\":", "\"in_doubt\":"]
    for (index, plan) in former.enumerated() {
      let name = try #require(ProcedureOrder.Name(rawValue: plan.name))
      func text(_ plan: ProcedurePlan) throws -> String {
        let lines = try RecordedProcedure.lines(name, plan) { _ in answers[index] }
        let bytes = try lines.flatMap { try JSON.bytes($0) + [UInt8(ascii: "\n")] }
        return String(decoding: bytes, as: UTF8.self)
      }
      let (old, new) = (try text(plan), try text(present[index]))
      #expect(!old.contains(words[index]) && new.contains(words[index] + "true"), "\(name)")
      let record = try ProcedureRecord(Array(old.utf8), named: "r")
      #expect(record.beginning.plan == plan && plan != present[index])
      let replay = try ProcedureReplay(
        ProcedureDetails(beginning: record.beginning, lines: record.lines))
      #expect(replay.isSame && replay.result != nil, "\(name)")
      // By the present rules the result tells more, or one step more is asked for.
      let misread = ProcedureDetails(
        beginning: record.beginning.named(plan: present[index]), lines: record.lines)
      #expect(try !ProcedureReplay(misread).isSame, "\(name)")
    }
  }

  @Test("another answer, another digest, another result: told")
  func edited() throws {
    let lines = try RecordedProcedure.lines(.loudness, RecordedProcedure.plans[1].1)
    for (index, line) in lines.enumerated() {
      var changed = lines
      switch line {
      case .answer(let step, .turn(let change), let at):
        changed[index] = .answer(step: step, .turn(-change), at: at)
      case .presented(let sound):
        changed[index] = .presented(
          PresentedSound(
            step: sound.step, cue: sound.cue, stimulus: sound.stimulus, masker: nil, sound: sound.sound,
            digital: sound.digital, status: sound.status, digest: "0000000000000000", at: sound.at))
      default: continue
      }
      #expect(try !ProcedureReplay(details(changed)).isSame)
    }
    var shorter = lines
    shorter.remove(at: lines.lastIndex { if case .answer = $0 { true } else { false } }!)
    #expect(try !ProcedureReplay(details(shorter)).isSame)
  }
}
