import Acoustics
import Glibc

/// Attack and release by the steps of ANSI/ASA S3.22: a 2 kHz tone that jumps from 55 to 90 dB SPL and
/// back.
///
/// Attack is over when the output stays within 3 dB of its steady value at 90 dB SPL, release when it stays
/// within 4 dB of that at 55 dB SPL.
package struct StepResponse: Sendable, Equatable {
  /// s; nil where the gain changes by less than the tolerance, so that there is no time to read.
  package var attack: Double?
  /// s; nil likewise.
  package var release: Double?

  static let frequency = 2000.0
  static let levels = (low: 55.0, high: 90.0)
  /// dB.
  static let tolerance = (attack: 3.0, release: 4.0)

  /// - Parameters:
  ///   - loud: Time at 90 dB SPL, s: several times the attack.
  ///   - soft: Time at 55 dB SPL, s: several times the release.
  static func measure<Path: SoundPath & ~Copyable>(
    loud: Double, soft: Double, on bench: inout Bench<Path>
  ) -> Binaural<StepResponse> {
    let (loudCount, softCount) = (bench.frames(loud), bench.frames(soft))
    _ = bench.tone(frequency, level: levels.low, frames: softCount)
    let high = bench.tone(frequency, level: levels.high, frames: loudCount)
    let low = bench.tone(frequency, level: levels.low, frames: softCount)
    let rate = bench.sampleRate
    func times(_ ear: Ear) -> StepResponse {
      StepResponse(
        attack: settling(envelope(high[ear], sampleRate: rate), within: tolerance.attack).map { $0 / rate },
        release: settling(envelope(low[ear], sampleRate: rate), within: tolerance.release).map { $0 / rate }
      )
    }
    return Binaural(left: times(.left), right: times(.right))
  }

  /// Level of a sine of ``frequency`` at each sample, dB re full scale, from it and the next one:
  /// A² = (x₀² + x₁² − 2·x₀·x₁·cos ω) / sin² ω.
  static func envelope(_ samples: [Float], sampleRate: Double) -> [Double] {
    let omega = 2 * .pi * frequency / sampleRate
    let (c, s) = (cos(omega), sin(omega))
    return zip(samples, samples.dropFirst()).map { first, second in
      let (a, b) = (Double(first), Double(second))
      return 10 * log10(max(a * a + b * b - 2 * a * b * c, 1e-24) / (s * s))
    }
  }

  /// Samples until the level stays within `tolerance`, dB, of its mean over the last tenth; nil when it
  /// never lay outside for longer than the sound takes to pass.
  static func settling(_ envelope: [Double], within tolerance: Double) -> Double? {
    let tail = envelope.suffix(max(envelope.count / 10, 1))
    let steady = tail.reduce(0, +) / Double(tail.count)
    guard let last = envelope.lastIndex(where: { abs($0 - steady) > tolerance }) else { return nil }
    return Double(last + 1)
  }
}
