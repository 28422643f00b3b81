import Acoustics
import Glibc

/// Output for tones of one level, by frequency.
enum ToneCurves {
  /// Twelve to the octave from 100 Hz to 10 kHz: four in each third octave.
  static let frequencies = (-40...40).map { 1000 * pow(10, Double($0) / 40) }
  /// ANSI/ASA S3.22's three frequencies for high-frequency averages, Hz.
  static let highFrequencies = [1000.0, 1600, 2500]

  /// Output of steady tones, dB SPL: the whole sound, not its fundamental alone.
  static func output<Path: SoundPath & ~Copyable>(
    at frequencies: [Double], level: Double, on bench: inout Bench<Path>
  ) -> Binaural<[CurvePoint]> {
    output(frequencies.map { ($0, $0, level) }, on: &bench)
  }

  /// Mean at ``highFrequencies`` less `input`, dB.
  static func highFrequencyAverage(_ curve: [CurvePoint], less input: Double = 0) -> Double {
    highFrequencies.reduce(0) { $0 + curve.value(at: $1) } / 3 - input
  }

  /// Output of a steady tone against its level, dB SPL.
  static func inputOutput<Path: SoundPath & ~Copyable>(
    _ frequency: Double, levels: [Double], on bench: inout Bench<Path>
  ) -> Binaural<[CurvePoint]> {
    output(levels.map { ($0, frequency, $0) }, on: &bench)
  }

  /// Output of steady tones in their order, each at its place of the curve.
  private static func output<Path: SoundPath & ~Copyable>(
    _ tones: [(x: Double, frequency: Double, level: Double)], on bench: inout Bench<Path>
  ) -> Binaural<[CurvePoint]> {
    var curves = Binaural(both: [CurvePoint]())
    let count = bench.frames(0.1)
    for (x, frequency, level) in tones {
      let heard = bench.steadyTone(frequency, level: level, frames: count)
      for ear in Ear.allCases {
        curves[ear].append(CurvePoint(x: x, y: bench.level(heard[ear], at: frequency, ear: ear)))
      }
    }
    return curves
  }

  /// Input–output slope between two levels, dB per dB: 1 over the compression ratio.
  static func slope(_ curve: [CurvePoint], from low: Double, to high: Double) -> Double? {
    guard let a = curve.first(where: { $0.x == low }), let b = curve.first(where: { $0.x == high }),
      a.x < b.x
    else { return nil }
    return (b.y - a.y) / (b.x - a.x)
  }
}

/// One value of a curve.
package struct CurvePoint: Sendable, Equatable {
  /// Hz, or dB SPL of the input of an input–output curve.
  package var x: Double
  /// Value there.
  package var y: Double

  package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

extension [CurvePoint] {
  /// Value at a frequency, linear over log frequency, held at the ends.
  func value(at frequency: Double) -> Double {
    LogFrequencyTable(map(\.x), map(\.y)).held(at: frequency)
  }
}

/// The range in which a response lies above the mean of 1000, 1600 and 2500 Hz less 20 dB: the band edges
/// of ANSI/ASA S3.22 (from memory), taken for the method of ANSI/CTA-2051 4.1 (from memory too).
package struct Bandwidth: Sendable, Equatable {
  /// Hz; the curve's end where it does not fall that far. Searched outward from the highest of the three frequencies, which lies at their
  /// mean or above; one of the others may lie below the line.
  package var lower: Double
  /// Hz; likewise.
  package var upper: Double

  /// Fall that makes an edge, dB.
  static let fall = 20.0

  /// - Parameter curve: Response, dB, densely by frequency.
  init(of curve: [CurvePoint]) {
    let line = ToneCurves.highFrequencyAverage(curve) - Self.fall
    let tops = ToneCurves.highFrequencies.map { CurvePoint(x: $0, y: curve.value(at: $0)) }
    let top = tops.max { $0.y < $1.y } ?? tops[0]
    let (below, above) = (curve.filter { $0.x < top.x }, curve.filter { $0.x > top.x })
    lower = Self.edge([top] + Array(below.reversed()), line)
    upper = Self.edge([top] + above, line)
  }

  /// First place at which the curve falls below the line, linear between its points.
  private static func edge(_ curve: [CurvePoint], _ line: Double) -> Double {
    guard let below = curve.firstIndex(where: { $0.y < line }), below > 0 else { return curve.last?.x ?? 0 }
    let (a, b) = (curve[below - 1], curve[below])
    return a.x + (a.y - line) / (a.y - b.y) * (b.x - a.x)
  }
}

/// Height of a third octave above its surroundings: its level less the mean of the bands two thirds of an
/// octave below and above (ANSI/CTA-2051, as a public implementation of it describes the statistic).
package struct Smoothness: Sendable, Equatable {
  /// Greatest excess, dB.
  package var excess: Double
  /// Centre of the band that has it, Hz.
  package var frequency: Double

  /// First and last centre of a band that is judged: 1000·10^(n/10) Hz, 250 Hz to 5 kHz. The bands beside
  /// them must lie within the curve.
  private static let steps = -6...7

  /// - Parameter curve: Response, dB, densely by frequency from 150 Hz to 10 kHz.
  init(of curve: [CurvePoint]) {
    let bands = (Self.steps.lowerBound - 2...Self.steps.upperBound + 2).map { Self.band($0, of: curve) }
    let excesses = (0..<Self.steps.count).map { (index: Int) -> Double in
      bands[index + 2] - (bands[index] + bands[index + 4]) / 2
    }
    let greatest = excesses.indices.max { excesses[$0] < excesses[$1] } ?? 0
    excess = excesses[greatest]
    frequency = 1000 * pow(10, Double(Self.steps.lowerBound + greatest) / 10)
  }

  /// Mean power of the curve in a third octave, dB, from eleven places equally far apart on a log axis.
  private static func band(_ step: Int, of curve: [CurvePoint]) -> Double {
    let power = (-5...5).reduce(0.0) { sum, place in
      let frequency = 1000 * pow(10, (Double(step) + Double(place) / 11) / 10)
      return sum + pow(10, curve.value(at: frequency) / 10)
    }
    return 10 * log10(power / 11)
  }
}

/// Everything in the output of a steady tone that is not the tone: harmonics, intermodulation with the
/// gain's own movement, noise.
package struct Distortion: Sendable, Equatable {
  /// Hz, as asked for; the tone lies on the nearest bin of the analysis.
  package var frequency: Double
  /// Input, dB SPL.
  package var level: Double
  /// Root mean square of the rest over that of the whole output, 0…1, read from 20 Hz to half the sample
  /// rate.
  package var share: Double

  /// Bins on each side of the tone that count as the tone: none more than the rounding of its frequency
  /// needs.
  private static let reach = 1

  static func measure<Path: SoundPath & ~Copyable>(
    _ frequency: Double, level: Double, on bench: inout Bench<Path>
  ) -> Binaural<Distortion> {
    let count = bench.sampleRate > 50_000 ? 1 << 16 : 1 << 15
    let spacing = bench.sampleRate / Double(count)
    let bin = Int((frequency / spacing).rounded())
    let heard = bench.steadyTone(Double(bin) * spacing, level: level, frames: count)
    let (left, right) = FourierTransform(count: count).spectra(
      heard.left.map(Double.init), heard.right.map(Double.init))
    let earphones = bench.earphones
    return Binaural { ear in
      let spectrum = ear == .left ? left : right
      var (tone, rest) = (0.0, 0.0)
      for k in Int((20 / spacing).rounded(.up))..<count / 2 {
        let power =
          spectrum.power(k) * pow(10, earphones[ear].heldLevel(at: Double(k) * spacing).decibels / 10)
        if abs(k - bin) <= reach { tone += power } else { rest += power }
      }
      let share = tone + rest > 0 ? (rest / (tone + rest)).squareRoot() : 0
      return Distortion(frequency: frequency, level: level, share: share)
    }
  }
}

/// Attack and release by the steps of ANSI/ASA S3.22: a 2 kHz tone that jumps from 55 to 90 dB SPL and
/// back.
///
/// Attack is over when the output stays within 3 dB of its steady value at 90 dB SPL, release when it stays
/// within 4 dB of that at 55 dB SPL.
package struct StepResponse: Sendable, Equatable {
  /// s; nil where the gain changes by so little that there is no time to read.
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
    func time(_ sound: [Float], _ tolerance: Double) -> Double? {
      settling(envelope(sound, sampleRate: rate), within: tolerance).map { $0 / rate }
    }
    return Binaural {
      StepResponse(attack: time(high[$0], tolerance.attack), release: time(low[$0], tolerance.release))
    }
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
