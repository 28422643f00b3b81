import Acoustics
import Testing

@testable import Procedures

@Suite("Steps of a hearing test with noise in the other ear")
struct MaskedStepTests {
  private static let frequencies = [500.0, 1000, 4000]

  /// - Parameter noise: Loudest effective level in the left ear, dB HL.
  private static func plan(noise: Double) throws -> HearingTestPlan {
    // 6 dB are kept for the noise's own correction and 13.5 dB for its peaks.
    func limits(_ highest: Double) throws -> [Double: HearingTestPlan.Limits] {
      let limits = try #require(
        HearingTestPlan.Limits(lowest: HearingLevel(-10), highest: HearingLevel(highest)))
      return Dictionary(uniqueKeysWithValues: frequencies.map { ($0, limits) })
    }
    return HearingTestPlan(
      method: .hughsonWestlake, frequencies: frequencies,
      limits: Binaural(left: try limits(noise + 19.5), right: try limits(90)),
      attenuation: HearingTestPlan.supraAuralAttenuation)
  }

  /// A test of somebody whose left ear hears from 10 dB HL and whose right ear is dead, but hears with the left one what comes through the
  /// skull, 50 dB softer, unless noise covers it there.
  private func carriedOut(_ plan: HearingTestPlan) -> (test: HearingTest, masked: [ProcedureStep]) {
    var test = HearingTest(plan, seed: 11)
    var masked: [ProcedureStep] = []
    while let step = test.nextStep, let trial = test.next {
      if step.cues[0].masker != nil { masked.append(step) }
      let noise = trial.noise?.decibels ?? -.infinity
      let level = (trial.level?.decibels ?? -.infinity) - (trial.ear == .left ? 0 : 50)
      let isTaken = test.take(level >= max(10, noise) ? .heard(after: 0.4) : .notHeard)
      #expect(isTaken)
    }
    return (test, masked)
  }

  @Test(
    "Noise is 4 to 6 dB above its effective level, as ISO 389-4 has it, from memory",
    arguments: [
      (125.0, 4.0), (250, 4), (500, 4), (750, 5), (1000, 6), (1500, 6), (2000, 6), (3000, 6), (4000, 5),
      (6000, 5),
      (8000, 5),
    ])
  func correction(frequency: Double, decibels: Double) {
    #expect(Stimulus.maskingCorrection(at: frequency) == decibels)
    // The loudest noise that a plan allows keeps this, and 13.5 dB for its peaks.
    #expect(Stimulus.maskingRoom >= decibels + 13.5)
  }

  @Test(
    "It sounds in the ear opposite, about the tone's frequency, from 0.1 s on and as long as the tone or the silence"
  )
  func sounds() throws {
    let (test, masked) = carriedOut(try Self.plan(noise: 70))
    #expect(masked.count > 20 && masked.contains { $0.cues[0].stimulus == nil })
    #expect(Set(masked.compactMap(\.cues[0].masker?.frequency)) == Set(Self.frequencies))
    for step in masked {
      let (cue, trial) = (step.cues[0], test.record[step.number - 1].trial)
      let (masker, noise) = (try #require(cue.masker), try #require(trial.noise))
      #expect(masker.signal == .narrowNoise && masker.ear == .left && trial.ear == .right)
      #expect(masker.frequency == trial.frequency)
      let correction = [500: 4.0, 1000: 6, 4000: 5][trial.frequency]
      #expect(masker.level.decibels == noise.decibels + (try #require(correction)))
      #expect(cue.stimulus.map { $0.ear == .right && $0.level == trial.level } ?? (trial.level == nil))
      // A silence is as long as a tone, 1.3 s. A rounding of doubles.
      #expect(abs(0.1 + masker.duration - (cue.gap + 1.3)) < 1e-9)
      #expect(ProcedurePlan.hearingTest(test.plan).ceiling(of: masker).map { masker.level <= $0 } == true)
    }
  }

  @Test("A dead ear is reported without response and with its noise, and nothing is in doubt")
  func deadEar() throws {
    let (test, _) = carriedOut(try Self.plan(noise: 70))
    let summary = HearingTestSummary(try #require(HearingTestResult(test)))
    // The last search of each frequency is the one with noise.
    for frequency in Self.frequencies {
      let found = try #require(summary.thresholds.last { $0.ear == .right && $0.frequency == frequency })
      #expect(!found.hasResponse && found.noise != nil && !found.isInsufficientlyMasked)
      #expect(summary.thresholds.last { $0.ear == .left && $0.frequency == frequency }?.noise == nil)
    }
    #expect(!summary.doubts.contains { $0.contains("masks it") })
  }

  @Test("Where no noise that may be played masks, the result says so by ear and frequency")
  func insufficient() throws {
    let (test, _) = carriedOut(try Self.plan(noise: 25))
    let summary = HearingTestSummary(try #require(HearingTestResult(test)))
    let unmasked = summary.thresholds.filter(\.isInsufficientlyMasked)
    #expect(
      unmasked.map(\.frequency).sorted() == Self.frequencies && unmasked.allSatisfy { $0.ear == .right })
    let sentence = try #require(summary.doubts.first { $0.contains("masks it") })
    #expect(sentence.hasPrefix("The other ear may have heard tones of the right ear at "))
    #expect(sentence.hasSuffix(" Hz: no noise that may be played masks it."))
    for frequency in ["500", "1000", "4000"] { #expect(sentence.contains(frequency)) }
    // Of the left ear there is no doubt.
    #expect(summary.thresholds.allSatisfy { $0.isInDoubt == ($0.ear == .right) })
    let left = summary.thresholds.filter { $0.ear == .left }
    #expect(summary.reservation(about: left) == nil)
    #expect(
      summary.reservation(about: unmasked) == ThresholdReservation(isOrBelow: false, isInDoubt: true))
  }
}
