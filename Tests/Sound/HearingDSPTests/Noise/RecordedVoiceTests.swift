import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// Gain in ratio by noise reduction for one recorded voice, read as Benchmarks/Noise/score.py reads it.
@Suite(
  "Noise reduction, recorded voice",
  .enabled(if: RecordedVoice.speech != nil, "Debian's alsa-utils is not installed: no recorded voice"))
struct RecordedVoiceTests {
  @Test(
    "noise of the voice's own spectrum at +5 dB: behind linear NAL-R at least 4.5 dB better for N2, N3 and N4",
    arguments: [StandardAudiogram.n2, .n3, .n4], [UInt64(1), 2])
  func ratio(audiogram: StandardAudiogram, seed: UInt64) throws {
    let speech = try #require(RecordedVoice.speech)
    let noise = RecordedVoice.noise(level: 60, like: speech, seed: seed)
    let ear = Binaural(both: try ChainRig.prescribed(audiogram.audiogram))
    let before = try Separation(speech, noise, after: 0) { try ChainRig(ear) }
    let after = try Separation(speech, noise, after: 0) {
      try ChainRig(ear, treatment: .noise(NoiseReductionTests.depth))
    }
    let gained = after.ratio - before.ratio
    // The bound for the median of the judged voices (docs/noise.md).
    #expect(gained >= 4.5, "\(gained) dB")
  }

  @Test(
    "the voice alone keeps its level to 0.5 dB, whole and in every third octave from 100 Hz to 12.5 kHz")
  func clean() throws {
    let speech = try #require(RecordedVoice.speech)
    var plain = try ChainRig.treated(.plain)
    var reduced = try ChainRig.treated(.noise(NoiseReductionTests.depth))
    let before = plain.run(speech).left
    let after = reduced.run(speech).left
    let whole = Measure.level(of: after[44_100...]) - Measure.level(of: before[44_100...])
    #expect(abs(whole) <= 0.5, "\(whole) dB")
    let (first, second) = (PowerSpectrum(before, length: 8192), PowerSpectrum(after, length: 8192))
    for step in -10...11 {
      let centre = 1000 * exp2(Double(step) / 3)
      let change = second.thirdOctave(centre) - first.thirdOctave(centre)
      #expect(abs(change) <= 0.5, "\(change) dB at \(centre) Hz")
    }
  }
}
