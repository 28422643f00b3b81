import Acoustics
import Fitting
import Glibc
import HearingDSP
import Testing

@testable import Laboratory

@Suite("Tones on the bench") struct ToneTests {
  @Test("a chain with 20 dB at all levels reads 20.0 dB at every frequency, within 0.1 dB")
  func flat() throws {
    var bench = try Benches.chain(try GainCurve(linear: 20))
    let frequencies = ToneCurves.frequencies.filter { (125...8000).contains($0) }
    let curve = ToneCurves.output(at: frequencies, level: 60, on: &bench).left
    for point in curve { #expect(abs(point.y - 80) <= 0.1, "\(point.x) Hz: \(point.y - 60)") }
    // And as noise: each third octave.
    let noise = NoiseTransfer.measure(level: 65, rest: 1, on: &bench).right
    for gain in noise.gains { #expect(abs(gain.y - 20) <= 0.1, "\(gain.x) Hz: \(gain.y)") }
    #expect(abs(noise.output - 85) <= 0.1)
  }

  @Test("compression 2:1 has an input–output slope of 0.5, within 0.02")
  func slope() throws {
    let knot = GainCurve.Knot(level: SoundPressureLevel(40), gain: 20)
    var bench = try Benches.chain(try GainCurve(knots: [knot], slopeAbove: -0.5))
    let curve = ToneCurves.inputOutput(2000, levels: [50, 55, 60, 70, 80, 90], on: &bench).left
    let slope = try #require(ToneCurves.slope(curve, from: 50, to: 90))
    #expect(abs(slope - 0.5) <= 0.02)
  }

  @Test("distortion of a clipped sine is what the formula gives", arguments: [0.2, 0.5, 0.8, 0.95])
  func clipped(_ r: Double) throws {
    // 100 dB SPL is an amplitude of 0.1; everything above r times that is cut off.
    let limit = Float(0.1 * r)
    var bench = try Benches.bench(Box { min(max($0, -limit), limit) })
    let found = Distortion.measure(500, level: 100, on: &bench).left.share
    // Mean squares of the whole and of the fundamental, the amplitude being 1, θ = asin r.
    let angle = asin(r)
    let whole = 2 / Double.pi * (angle / 2 - sin(2 * angle) / 4 + (Double.pi / 2 - angle) * r * r)
    let fundamental = 2 / Double.pi * (angle + r * (1 - r * r).squareRoot())
    let expected = (1 - fundamental * fundamental / 2 / whole).squareRoot()
    // The corners of a sampled wave lie between samples: a thousandth.
    #expect(abs(found - expected) <= 0.001, "\(found), expected \(expected)")
  }

  @Test("a wire has no distortion but that of single precision")
  func wire() throws {
    var bench = try Benches.bench(Box { $0 })
    #expect(Distortion.measure(800, level: 70, on: &bench).right.share < 1e-6)
  }

  @Test("a converter cuts off what lies above its full scale")
  func converter() throws {
    // 130 dB SPL on a microphone of 120: an amplitude of 3.16, of which 1 is left.
    var bench = try Benches.bench(Box { $0 })
    #expect(Distortion.measure(500, level: 130, on: &bench).left.share > 0.3)
  }

  @Test("attack and release of a one-pole compressor are the analytic times", arguments: [1.5, 2, 3])
  func onePole(ratio: Double) throws {
    let timeConstant = 0.02
    var bench = try Benches.bench(CompressorBox(ratio: ratio, timeConstant: timeConstant))
    let found = StepResponse.measure(loud: 1, soft: 2, on: &bench).left
    let owed = 35 * (1 - 1 / ratio)
    // The envelope is read from two samples: some hundredths of a millisecond.
    #expect(abs(try #require(found.attack) - timeConstant * log(owed / 3)) <= 0.0002)
    #expect(abs(try #require(found.release) - timeConstant * log(owed / 4)) <= 0.0002)
  }

  @Test("a wire has neither attack nor release")
  func noTimes() throws {
    var bench = try Benches.bench(Box { $0 })
    #expect(
      StepResponse.measure(loud: 1, soft: 2, on: &bench).left == StepResponse(attack: nil, release: nil))
  }

  @Test("a sound that is late by 60 frames is late by 60 frames at every frequency")
  func late() throws {
    var bench = try Benches.bench(DelayBox(frames: 60))
    let found = NoiseTransfer.measure(
      level: 65, rest: 0.5, delaysAt: TestBox.delayFrequencies, on: &bench
    ).left.delays
    // A periodic signal has no error but the rounding of single precision.
    for point in found { #expect(abs(point.y - 60.0 / 44_100) <= 1e-6, "\(point.x) Hz: \(point.y)") }
    #expect(found.count == TestBox.delayFrequencies.count)
  }
}
