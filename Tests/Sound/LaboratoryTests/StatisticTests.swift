import Acoustics
import Base
import Glibc
import Testing

@testable import Laboratory

@Suite("Statistics and signals of the laboratory") struct StatisticTests {
  @Test("percentiles of the numbers 0 to 100 are themselves")
  func percentiles() {
    let values = (0...100).map(Double.init)
    for percent in [0.0, 30, 65, 99, 100] { #expect(Percentile.value(values, percent) == percent) }
    #expect(Percentile.value([4], 99) == 4)
  }

  @Test("percentiles of a normal distribution are its quantiles")
  func normal() {
    var random = SeededNumbers(seed: 3)
    let values = (0..<20_000).map { _ in random.normalPair().0 }
    let found = SpeechDynamics.percentiles(values)
    // Tables of the normal distribution; the standard error of a quantile of 20 000 is 0.03 at 99 %.
    #expect(abs(found.valleys + 0.5244) <= 0.03)
    #expect(abs(found.middle - 0.3853) <= 0.03)
    #expect(abs(found.peaks - 2.3263) <= 0.09)
  }

  /// A response, 0 dB but for what is added.
  private func response(_ gain: (Double) -> Double) -> [CurvePoint] {
    ToneCurves.frequencies.map { CurvePoint(x: $0, y: gain($0)) }
  }

  @Test("a third octave that stands out by 15 dB has a smoothness of 15 dB; a slope has none")
  func smoothness() {
    // The band around 1 kHz and a little more, so that all of its places lie on the plateau.
    let peak = Smoothness(of: response { (870...1150).contains($0) ? 15 : 0 })
    #expect(abs(peak.excess - 15) <= 0.05)
    #expect(abs(peak.frequency - 1000) <= 0.01)
    // 12 dB an octave: the mean of the neighbours is the middle.
    #expect(abs(Smoothness(of: response { 12 * log2($0 / 1000) }).excess) <= 0.01)
  }

  @Test("band edges lie where a response is 20 dB below its high-frequency average")
  func bandwidth() {
    // Falls by 40 dB an octave from 500 Hz down and from 4 kHz up: 20 dB is half an octave.
    let found = Bandwidth(
      of: response { $0 < 500 ? 40 * log2($0 / 500) : $0 > 4000 ? -40 * log2($0 / 4000) : 0 })
    #expect(abs(found.lower / (500 / 2.0.squareRoot()) - 1) <= 0.01)
    #expect(abs(found.upper / (4000 * 2.0.squareRoot()) - 1) <= 0.01)
    let flat = Bandwidth(of: response { _ in 3 })
    #expect(abs(flat.lower - 100) < 0.01 && abs(flat.upper - 10_000) < 0.1)
  }

  @Test("band edges are searched from the highest of 1000, 1600 and 2500 Hz, not from 1000 Hz")
  func bandwidthFromTop() {
    // A mean of −20 dB, the line at −40 dB, and 1000 Hz at −60. Edges lie between neighbours of the twelve to an octave: 1000·10^(7/40)
    // and 1000·10^(8/40) Hz, 1000·10^(27/40) and 1000·10^(28/40) Hz.
    let found = Bandwidth(of: response { $0 < 1500 || $0 > 5000 ? -60 : 0 })
    #expect((1496...1585).contains(found.lower), "\(found.lower) Hz")
    #expect((4731...5012).contains(found.upper), "\(found.upper) Hz")
  }

  @Test("the reference test gain is not reached by a gain below it; one above it reaches it")
  func referenceTestGain() {
    var ear = EarMeasurements(ear: .left)
    // An HFA-OSPL90 of 110 dB SPL less 77 dB (ANSI/ASA S3.22, from memory): 33 dB.
    ear.loudResponse = response { _ in 110 }
    for (gain, isFullOn) in [(32.9, true), (33.1, false), (34.4, false)] {
      ear.response = response { _ in 60 + gain }
      #expect(ear.isFullOn == isFullOn, "\(gain) dB")
    }
  }

  @Test("the transform of two sines lies in their bins")
  func transform() {
    let count = 1024
    let first = (0..<count).map { 3 * cos(2 * .pi * 100 * Double($0) / Double(count)) }
    let second = (0..<count).map { sin(2 * .pi * 7 * Double($0) / Double(count)) }
    let (a, b) = FourierTransform(count: count).spectra(first, second)
    // A sine of amplitude A has |X| = A·N/2.
    #expect(abs(a.power(100).squareRoot() - 1536) < 1e-9 && a.power(7) < 1e-18)
    #expect(abs(b.power(7).squareRoot() - 512) < 1e-9 && b.power(100) < 1e-18)
  }

  @Test("speech-shaped noise and the speech-like signal have the long-term spectrum of speech")
  func spectra() throws {
    let microphones = try Benches.scale()
    let speech = SpeechLikeSignal(seconds: 60, sampleRate: 44_100, microphone: microphones.left)
    let noise = SpeechShapedNoise(
      level: 65, count: 1 << 16, sampleRate: 44_100, microphone: microphones.left)
    for samples in [speech.samples, noise.frames(from: 99, count: 1 << 17)] {
      let bands = SpeechDynamics.bands(
        samples, samples, from: 0, sampleRate: 44_100, before: microphones.left, after: microphones.left)
      for band in bands {
        // The level of the mean: that of the windows' mean power.
        let nominal = LongTermAverageSpeechSpectrum.bandLevel(
          from: band.frequency * pow(10, -0.05), to: band.frequency * pow(10, 0.05),
          overall: SoundPressureLevel(65))
        // Frames of 23 ms blur the steps between bands, and 60 s of speech have some 200 syllables.
        #expect(abs(band.inputLevel - nominal.decibels) <= 1.5, "\(band.frequency) Hz: \(band.inputLevel)")
        #expect(abs(band.gain) < 1e-9)
        #expect(abs(band.compressionRatio - 1) < 1e-9)
      }
    }
  }

  @Test("the speech-like signal is the same each time, and swings as speech does")
  func dynamics() throws {
    let scale = try Benches.scale()
    let first = SpeechLikeSignal(seconds: 20, sampleRate: 44_100, microphone: scale.left)
    let again = SpeechLikeSignal(seconds: 20, sampleRate: 44_100, microphone: scale.left)
    #expect(first.samples == again.samples)
    var bench = try Benches.bench(Box { $0 })
    let found = SpeechDynamics.measure(
      Binaural(both: first), level: 55, discarded: 1, on: &bench
    ).left
    for band in found.bands {
      // Speech has some 20 dB between its 30th and 99th percentile (IEC 60118-15's signal, from memory).
      let spread = band.input.peaks - band.input.valleys
      #expect((15...26).contains(spread), "\(band.frequency) Hz: \(spread)")
      #expect(band.input.middle < band.input.peaks - 8)
    }
    #expect(abs(found.compressionRatio - 1) < 1e-9)
  }

  @Test("a microphone's stated noise of 30 dBA reads 30 dBA, and 20 dB of gain make 50 of it")
  func noise() throws {
    var bench = try Benches.bench(Box { 10 * $0 })
    let found = NoiseReading.measure(bits: 24, microphoneNoise: 30, on: &bench).left
    // 262 144 random samples: a few hundredths of a dB.
    #expect(abs(found.input - 30) <= 0.1)
    #expect(abs(found.output - 50) <= 0.1)
    #expect(found.silence == -.infinity)
  }

  @Test("a converter's rounding is triangular noise of a step, and each bit is 6.02 dB")
  func rounding() throws {
    var bench = try Benches.bench(Box { $0 })
    let coarse = NoiseReading.measure(bits: 16, microphoneNoise: nil, on: &bench).left.output
    let fine = NoiseReading.measure(bits: 24, microphoneNoise: nil, on: &bench).left.output
    // Eight bits are 48.16 dB.
    #expect(abs(coarse - fine - 48.16) <= 0.1)
    // Triangular noise of ±1 step has the mean square step²/6; a sine of full scale ½. White noise up to
    // 22.05 kHz reads some 2 dB less A-weighted.
    let plain = 120 + 10 * log10(2 * pow(2.0, -30) / 6)
    #expect((plain - 4...plain).contains(coarse))
  }
}
