import Acoustics
import Glibc
import Procedures
import Testing

@testable import Service

@Suite("The sound of a cue, with noise in the other ear")
struct CueSoundTests {
  private static let plan = ProcedurePlan.hearingTest(
    HearingTestPlan(
      method: .hughsonWestlake, frequencies: [1000],
      limits: Binaural(both: [1000: RecordedProcedure.limits]), attenuation: 40))
  private static let rate = Double(RecordedProcedure.rate)

  /// A step as a hearing test makes it: noise from 0.1 s to the tone's end.
  private func masked(
    gap: Double = 0.9, tone: Double? = 40, noise: Double = 56, ear: Ear = .right, duration: Double = 1.3,
    noiseDuration: Double? = nil
  ) -> ProcedureStep {
    let masker = Stimulus(
      .narrowNoise, ear.opposite, frequency: 1000, level: HearingLevel(noise),
      duration: noiseDuration ?? gap + duration - 0.1)
    let stimulus = tone.map {
      Stimulus(.tone, ear, frequency: 1000, level: HearingLevel($0), duration: duration)
    }
    return ProcedureStep(3, [ProcedureStep.Cue(gap: gap, stimulus, masker: masker)], .detection)
  }

  private func sound(_ step: ProcedureStep) throws -> CueSound {
    try CueSound(step.cues[0], of: step, in: Self.plan, by: RecordedProcedure.rendering)
  }

  @Test(
    "Each ear has its own sound alone: the tone's is silent until the tone, the other's until 0.1 s",
    arguments: Ear.allCases)
  func ears(ear: Ear) throws {
    let sound = try sound(masked(ear: ear))
    let (tone, noise) = (sound.presentation.samples[ear], sound.presentation.samples[ear.opposite])
    #expect(sound.onset == Int(0.9 * Self.rate))
    #expect(tone.prefix(sound.onset).allSatisfy { $0 == 0 })
    #expect(noise.prefix(Int(0.1 * Self.rate)).allSatisfy { $0 == 0 })
    // Both end together, within a rounded frame.
    #expect(abs(tone.count - noise.count) <= 1 && abs(sound.presentation.frames - tone.count) <= 1)
    #expect(sound.hasNoise(0) && sound.hasNoise(sound.onset) && sound.tone == 1000)
    // 40 dB HL are 45.5 dB SPL with an HDA 200 (ISO 389-8).
    #expect(sound.level.map { abs($0.sound.decibels - 45.5) < 1e-9 } == true)
  }

  @Test("The noise has the level that was asked for, in its third of an octave")
  func level() throws {
    let sound = try sound(masked(gap: 8, tone: nil))
    let noise = sound.presentation.samples.left
    let middle = noise[Int(0.5 * Self.rate)..<noise.count - Int(0.5 * Self.rate)]
    let square = middle.reduce(0) { $0 + Double($1) * Double($1) } / Double(middle.count)
    // 56 dB HL at 1 kHz are 61.5 dB SPL with an HDA 200 (ISO 389-8), 58.5 dB below the full scale of 120.
    // Eight seconds of a third of an octave at 1 kHz are 1,850 independent values: 0.2 dB at two standard deviations.
    #expect(abs(10 * log10(2 * square) + 58.5) < 0.3)
    #expect(sound.presentation.samples.right.isEmpty && sound.level == nil && sound.tone == nil)
  }

  @Test("With a silence the noise lasts as long as with a tone")
  func silence() throws {
    let (with, without) = (try sound(masked()), try sound(masked(tone: nil)))
    #expect(without.presentation.samples.left.count == with.presentation.samples.left.count)
    #expect(without.presentation.frames == with.presentation.frames)
  }

  @Test("The safety stage lets through the plan's loudest noise, its peaks 13.5 dB above, and not more")
  func ceiling() throws {
    // 90 dB HL of effect and the correction of 6 dB at 1 kHz: 101.5 dB SPL, 18.5 dB below full scale; peaks
    // 13.5 dB above.
    #expect(abs(try sound(masked()).presentation.ceiling.decibels + 5) < 1e-9)
  }

  @Test(
    "Below 200 Hz the safety stage leaves a tone the room that it needs above the plan's loudest, from there up none",
    arguments: [
      (125.0, Stimulus.Signal.tone, 1.0), (125, .pulsed, 1), (205, .warble, 1), (205, .tone, 0),
      (250, .warble, 0),
    ])
  func lowCeiling(frequency: Double, signal: Stimulus.Signal, room: Double) throws {
    let limits = try #require(
      HearingTestPlan.Limits(lowest: HearingLevel(-10), highest: HearingLevel(60)))
    let plan = ProcedurePlan.hearingTest(
      HearingTestPlan(
        method: .hughsonWestlake, frequencies: [frequency], limits: Binaural(both: [frequency: limits])))
    let stimulus = Stimulus(
      signal, .left, frequency: frequency, level: HearingLevel(40), duration: HearingTest.toneLength)
    let step = ProcedureStep(1, [ProcedureStep.Cue(gap: 1.2, stimulus)], .detection)
    let sound = try CueSound(step.cues[0], of: step, in: plan, by: RecordedProcedure.rendering)
    let level = try #require(sound.level?.digital)
    // 60 dB HL are 20 dB above the tone.
    #expect(abs(sound.presentation.ceiling - level - (20 + room)) < 1e-9)
    // 125 Hz: 30.5 dB SPL at 0 dB HL (ISO 389-8), full scale of 120.
    if frequency == 125 { #expect(abs(sound.presentation.ceiling.decibels + 28.5) < 1e-9) }
  }

  @Test("Noise beyond the plan is refused, and the tone does not sound without it")
  func beyondPlan() throws {
    #expect(throws: ProcedureFault.self) { try sound(masked(noise: 96.1)) }
    // The plan knows 1 kHz alone.
    let masker = Stimulus(.narrowNoise, .left, frequency: 2000, level: HearingLevel(30), duration: 1)
    let tone = Stimulus(.tone, .right, frequency: 1000, level: HearingLevel(30), duration: 1)
    let step = ProcedureStep(1, [ProcedureStep.Cue(gap: 0.5, tone, masker: masker)], .detection)
    #expect(throws: ProcedureFault.self) { try sound(step) }
  }

  @Test(
    "Times that make no sense are refused before anything is rendered",
    arguments: [
      (-0.1, 1.3, 1.3), (60.1, 1.3, 1.3), (.nan, 1.3, 1.3), (0.5, 121, 1.3), (0.5, .nan, 1.3),
      (0.5, 1.3, -1), (0.5, 1.3, 1e12),
    ])
  func nonsense(gap: Double, duration: Double, noise: Double) {
    let step = masked(gap: gap, duration: duration, noiseDuration: noise)
    let fault = #expect(throws: ProcedureFault.self) { try sound(step) }
    guard case .plan(let failure) = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(failure.exitStatus == .badData)
  }
}
