import Base
import Glibc
import Testing

@testable import Acoustics

@Suite("Tone notch") struct ToneNotchTests {
  private static let frequencies = [125.0, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]
  private static let rates = [44_100.0, 48_000, 96_000]
  /// 0 dB FS is 100 dB SPL.
  private static let fullScale = Calibrated(SoundPressureLevel(100), status: .verified)

  /// Noise of a spectrum that falls by a power of the frequency, 20 Hz to 20 kHz, at 35 dB(A).
  private func room(_ slope: Double, rate: Double, seed: UInt64) throws -> [Float] {
    // 2.7 s or more.
    let count = rate > 50_000 ? 1 << 18 : 1 << 17
    var random = SeededNumbers(seed: seed)
    var (real, imaginary) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
    for k in 1..<count / 2 {
      let frequency = Double(k) * rate / Double(count)
      let phase = Double.random(in: 0..<2 * .pi, using: &random)
      guard (20...20_000).contains(frequency) else { continue }
      let amplitude = 1e-6 * pow(frequency / 1000, -slope / 2)
      (real[k], imaginary[k]) = (amplitude * cos(phase), amplitude * sin(phase))
    }
    FourierTransform(count: count).transform(&real, &imaginary)
    var meter = try SoundLevelMeter(.a, sampleRate: rate, fullScale: Self.fullScale)
    let samples = real.map { Float($0) }
    meter.process(samples.span)
    let factor = pow(10, (35 - meter.equivalentLevel.value.decibels) / 20)
    return samples.map { Float(Double($0) * factor) }
  }

  /// A tone of 65 dB SPL while it is on.
  private func leak(
    _ frequency: Double, rate: Double, count: Int, on: Double, period: Double, edge: Double, warble: Double
  ) -> [Float] {
    let peak = pow(10, (65.0 - 100) / 20)
    return (0..<count).map { n in
      let time = Double(n) / rate
      // Five turns of the warble a second, as the aid's test sound has.
      let phase = 2 * .pi * frequency * time + frequency * warble / 5 * sin(2 * .pi * 5 * time)
      let place = time.truncatingRemainder(dividingBy: period)
      let distance = min(place, on - place)
      let envelope = distance <= 0 ? 0 : distance < edge ? 0.5 - 0.5 * cos(.pi * distance / edge) : 1
      return Float(peak * envelope * sin(phase))
    }
  }

  /// A-weighted levels of the seconds from 0.5 to 1.5 and from 1.5 to 2.5.
  private func levels(_ samples: [Float], rate: Double) throws -> [Double] {
    var meter = try SoundLevelMeter(.a, sampleRate: rate, fullScale: Self.fullScale)
    let parts = [0, rate / 2, 1.5 * rate, 2.5 * rate].map { Int($0) }
    var levels: [Double] = []
    for (start, end) in zip(parts, parts.dropFirst()) {
      let part = Array(samples[start..<end])
      meter.resetStatistics()
      meter.process(part.span)
      levels.append(meter.equivalentLevel.value.decibels)
    }
    return Array(levels.dropFirst())
  }

  private func notched(_ samples: [Float], _ frequency: Double, rate: Double) throws -> [Float] {
    var notch = try ToneNotch(frequency: frequency, sampleRate: rate)
    var result = samples
    var span = result.mutableSpan
    notch.process(&span)
    return result
  }

  @Test(
    "with the tone off the level of white and pink noise reads too low, by 0.5 dB at most",
    arguments: rates, [0.0, 1])
  func bias(rate: Double, slope: Double) throws {
    let room = try room(slope, rate: rate, seed: 1)
    let plain = try levels(room, rate: rate)
    for frequency in Self.frequencies {
      let notched = try levels(try notched(room, frequency, rate: rate), rate: rate)
      for (before, after) in zip(plain, notched) {
        // A second of noise has chance of its own: 0.02 dB where the notch takes next to nothing.
        #expect(after - before <= 0.02 && after - before >= -0.5, "\(frequency) Hz: \(after - before) dB")
      }
    }
  }

  @Test(
    "a leak of 65 dB SPL beside a room at 35 dB(A) changes the level of a second by less than 1 dB",
    arguments: rates, [0.0, 1])
  func leaks(rate: Double, slope: Double) throws {
    let room = try room(slope, rate: rate, seed: 2)
    let plain = try levels(room, rate: rate)
    let octaves = [125.0, 250, 500, 1000, 2000, 4000, 8000]
    for (index, frequency) in octaves.enumerated() {
      // Usual pulses, and by turns: long edges, hardly any pause, no warble.
      let others = [(0.2, 0.4, 0.05, 0.05), (1, 1.5, 0.02, 0.05), (0.2, 0.4, 0.02, 0)]
      for (on, period, edge, warble) in [(0.25, 0.5, 0.02, 0.05), others[index % others.count]] {
        var both = leak(
          frequency, rate: rate, count: room.count, on: on, period: period, edge: edge, warble: warble)
        for n in both.indices { both[n] += room[n] }
        let watched = try levels(try notched(both, frequency, rate: rate), rate: rate)
        for (before, after) in zip(plain, watched) {
          #expect(abs(after - before) < 1, "\(frequency) Hz, \(on) s of \(period) s: \(after - before) dB")
        }
        // Without the notch the room seems louder: 65 dB less A and the pauses.
        guard index == 3 else { continue }
        let leaked = try levels(both, rate: rate)
        #expect(leaked[0] - plain[0] > 20)
      }
    }
  }

  @Test(
    "between its edges it attenuates by 42 dB, an octave away by less than 0.1 dB", arguments: rates)
  func response(rate: Double) throws {
    for frequency in Self.frequencies {
      let notch = try ToneNotch(frequency: frequency, sampleRate: rate)
      func gain(_ frequency: Double) -> Double {
        20 * log10(notch.magnitude(at: frequency, sampleRate: rate))
      }
      for share in stride(from: -1.0, through: 1, by: 0.05) {
        // Rounding at the edges themselves.
        #expect(gain(frequency + share * (frequency * 0.05 + 25)) <= -42 + 1e-6)
      }
      for other in [frequency / 2, min(2 * frequency, 0.49 * rate)] { #expect(abs(gain(other)) < 0.1) }
      #expect(abs(gain(1e-3)) < 1e-6)
    }
  }

  @Test(
    "a block comes out as its samples one by one; what is not a number counts as silence; a reset forgets")
  func samples() throws {
    var one = try ToneNotch(frequency: 1000, sampleRate: 48_000)
    let samples = (0..<256).map { Float(sin(Double($0 * $0) / 100)) }
    let block = try notched(samples, 1000, rate: 48_000)
    let singly = samples.map { one.process($0) }
    #expect(singly == block)
    one.reset()
    let silence = ([.nan, .infinity, 0] as [Float]).map { one.process($0) }
    #expect(silence == [0, 0, 0])
    let again = samples.map { one.process($0) }
    #expect(again == block)
  }

  @Test("tones, warbles and sample rates that it does not fit are refused")
  func refusals() throws {
    for (frequency, rate, warble) in [
      (40.0, 48_000.0, 0.05), (-1000, 48_000, 0.05), (.nan, 48_000, 0.05), (20_500, 44_100, 0.05),
      (.infinity, 48_000, 0.05), (1000, 4000, 0.05), (1000, .nan, 0.05), (1000, 48_000, -0.1),
      (1000, 48_000, .nan), (1000, 48_000, 0.6),
    ] {
      #expect(throws: AcousticsError.self) {
        try ToneNotch(frequency: frequency, sampleRate: rate, warble: warble)
      }
    }
    #expect(try ToneNotch(frequency: 16_000, sampleRate: 44_100).frequency == 16_000)
  }
}
