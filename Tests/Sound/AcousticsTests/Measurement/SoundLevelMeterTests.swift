import Base
import Glibc
import Testing

@testable import Acoustics

@Suite("Sound level meter") struct SoundLevelMeterTests {
  /// 0 dB FS is 120 dB SPL.
  let fullScale = Calibrated(SoundPressureLevel(120), status: .verified)
  let rate = 48_000.0

  private func meter(_ weighting: FrequencyWeighting = .z) throws -> SoundLevelMeter {
    try SoundLevelMeter(weighting, sampleRate: rate, fullScale: fullScale)
  }

  /// A sine of a level in dB SPL.
  private func sine(_ frequency: Double, _ level: Double, seconds: Double) -> [Float] {
    let peak = pow(10, (level - 120) / 20)
    return (0..<Int(seconds * rate)).map { Float(peak * sin(2 * .pi * frequency * Double($0) / rate)) }
  }

  private func silence(seconds: Double) -> [Float] {
    [Float](repeating: 0, count: Int((seconds * rate).rounded()))
  }

  // Known A levels of a 94 dB tone: 94 + A(f) of table 3.
  @Test(
    "a steady 94 dB tone reads its weighted level", arguments: [(1000, 94.0), (100, 74.9), (10_000, 91.5)])
  func aWeighted(frequency: Double, level: Double) throws {
    var meter = try meter(.a)
    meter.process(sine(frequency, 94, seconds: 1).span)
    meter.resetStatistics()
    meter.process(sine(frequency, 94, seconds: 1).span)
    // 0.05 dB for the table's rounding, 0.1 dB for the filter.
    #expect(abs(meter.equivalentLevel.value.decibels - level) < 0.15)
  }

  @Test("Leq and Fast of a long steady tone are its level")
  func steady() throws {
    var meter = try meter()
    meter.process(sine(1000, 70, seconds: 10).span)
    #expect(abs(meter.equivalentLevel.value.decibels - 70) < 0.001)
    #expect(abs(meter.fastLevel.value.decibels - 70) < 0.01)
    #expect(meter.duration == 10)
    #expect(meter.equivalentLevel.status == .verified)
  }

  @Test("Leq averages power: a tone for a tenth of the time is 10 dB lower")
  func equivalent() throws {
    var meter = try meter()
    meter.process(sine(1000, 80, seconds: 0.5).span)
    meter.process(silence(seconds: 4.5).span)
    #expect(abs(meter.equivalentLevel.value.decibels - 70) < 0.001)
  }

  @Test("after a tone Fast decays by 34.7 dB per second")
  func decay() throws {
    var meter = try meter()
    meter.process(sine(1000, 90, seconds: 10).span)
    let fast = meter.fastLevel.value
    meter.process(silence(seconds: 1).span)
    // 10 log10(e) / τ.
    #expect(abs((fast - meter.fastLevel.value) - 10 * log10(M_E) / 0.125) < 0.01)
  }

  // IEC 61672-1 table 4 lists these goals for 4 kHz bursts: 10 log10(1 − e^(−T/τ)).
  @Test(
    "the maximum of a tone burst falls short by what its length allows",
    arguments: [1.0, 0.5, 0.2, 0.05, 0.01])
  func burst(seconds: Double) throws {
    var meter = try meter()
    meter.process(sine(4000, 90, seconds: seconds).span)
    meter.process(silence(seconds: 0.1).span)
    let fast = 90 + 10 * log10(1 - exp(-seconds / 0.125))
    // The square of a sine ripples: 0.02 dB at 4 kHz.
    #expect(abs(meter.maximumFastLevel.value.decibels - fast) < 0.02)
  }

  @Test("a new or reset meter, and one that hears silence, is at −∞")
  func silent() throws {
    var meter = try meter(.a)
    #expect(meter.equivalentLevel.value.decibels == -.infinity)
    meter.process(sine(1000, 90, seconds: 0.1).span)
    meter.reset()
    meter.process(silence(seconds: 0.1).span)
    #expect(meter.equivalentLevel.value.decibels == -.infinity)
    #expect(meter.maximumFastLevel.value.decibels == -.infinity)
  }

  @Test("resetting the statistics leaves Fast running")
  func resetStatistics() throws {
    var meter = try meter()
    meter.process(sine(1000, 90, seconds: 1).span)
    let fast = meter.fastLevel
    meter.resetStatistics()
    #expect(meter.fastLevel == fast)
    #expect(meter.maximumFastLevel == fast)
    #expect(meter.duration == 0)
  }

  @Test("a sample that is not finite counts as silence, and the meter goes on")
  func notFinite() throws {
    var meter = try meter(.a)
    meter.process(([.nan, .infinity, -.infinity] as [Float]).span)
    meter.process(sine(1000, 94, seconds: 2).span)
    #expect(abs(meter.fastLevel.value.decibels - 94) < 0.05)
  }

  @Test("without a calibration a meter shows numbers that say so")
  func uncalibrated() throws {
    let assumed = InputCalibration.assumed
    let level = try assumed.soundPressureLevel(of: FullScaleLevel(0), channel: 0)
    var meter = try SoundLevelMeter(.z, sampleRate: rate, fullScale: level)
    meter.process(sine(1000, 60, seconds: 1).span)
    #expect(meter.equivalentLevel.status == .none)
    #expect(abs(meter.equivalentLevel.value.decibels - 60) < 0.001)
  }

  /// Levels of known signals follow from the formula of the weighting and from their mean squares.
  @Test(
    "Leq of sines, a square wave, bursts and noise is their level within 0.1 dB, at every rate",
    arguments: FrequencyWeighting.allCases, [44_100.0, 48_000, 96_000])
  func known(weighting: FrequencyWeighting, rate: Double) throws {
    /// Leq of a second of a signal that has sounded for half a second, which the slowest pole needs.
    func level(_ signal: (Double) -> Double) throws -> Double {
      var meter = try SoundLevelMeter(weighting, sampleRate: rate, fullScale: fullScale)
      let count = Int(rate)
      let samples = (0..<count / 2 + count).map { Float(signal(Double($0) / rate)) }
      let (before, measured) = (Array(samples[..<(count / 2)]), Array(samples[(count / 2)...]))
      meter.process(before.span)
      meter.resetStatistics()
      meter.process(measured.span)
      return meter.equivalentLevel.value.decibels
    }
    // Whole periods in a second: nominal frequencies.
    for frequency in [32.0, 63, 125, 250, 500, 1000, 2000, 4000, 8000] {
      let measured = try level { 0.05 * sin(2 * .pi * frequency * $0) }
      #expect(
        abs(measured - (120 + 20 * log10(0.05) + weighting.gain(at: frequency))) <= 0.1, "\(frequency) Hz")
    }
    // A square wave as the sum of its odd partials up to 9 kHz (Fourier), each weighted.
    let partials = Array(stride(from: 1.0, through: 9, by: 2))
    let square = try level { time in
      0.05 * partials.reduce(0) { $0 + sin(2 * .pi * 1000 * $1 * time) / $1 }
    }
    let expected = partials.reduce(0) { $0 + pow(10, weighting.gain(at: 1000 * $1) / 10) / ($1 * $1) }
    #expect(abs(square - (120 + 20 * log10(0.05) + 10 * log10(expected))) <= 0.1)
    // Bursts of 50 ms, five a second: a quarter of the time.
    let bursts = try level {
      $0.truncatingRemainder(dividingBy: 0.2) < 0.05 ? 0.1 * sin(2 * .pi * 1000 * $0) : 0
    }
    #expect(abs(bursts - (120 - 20 + 10 * log10(0.25))) <= 0.1)
  }

  @Test("Leq of noise is that of its mean square", arguments: [44_100.0, 48_000, 96_000])
  func noise(rate: Double) throws {
    var random = SeededNumbers(seed: 1)
    let samples = (0..<Int(rate)).map { _ in Float.random(in: -0.1...0.1, using: &random) }
    var meter = try SoundLevelMeter(.z, sampleRate: rate, fullScale: fullScale)
    meter.process(samples.span)
    // Even between ±0.1: a mean square of 0.01/3 within 0.05 dB by chance; a full-scale sine has 1/2.
    #expect(abs(meter.equivalentLevel.value.decibels - (120 + 10 * log10(2 * 0.01 / 3))) <= 0.1)
  }
}
