import Base
import Glibc

/// The steady tone of a calibrator in a recording, told from what else is in it.
///
/// - Threads: any.
public struct CalibratorTone: Sendable, Hashable {
  /// Level of the tone alone, a full-scale sine being 0 dB.
  public let level: FullScaleLevel
  /// Its frequency as it was found, Hz.
  public let frequency: Double

  /// Recording needed, s; own choice: a few of ``part``, so that a tone that is still settling is seen.
  public static let leastTime = 2.0
  /// Time looked at in one piece, s.
  static let part = 0.5
  /// Deviation of the tone from the frequency that is stated, as a share; own choice around the 1 % of a calibrator of class 1
  /// (IEC 60942, from memory) and the error of a sound card's clock.
  static let deviation = 0.03
  /// Greatest difference between two parts, dB; own choice: a calibrator that sits well holds its level within 0.1 dB.
  static let steadiness = 0.5
  /// Least distance of the tone above everything else, dB; own choice: what is 20 dB below adds 0.04 dB to a level meter and
  /// nothing to this, and there is a fault where it is more: a hum, a leaking coupler, a tone that clips.
  static let leastDistance = 20.0
  /// Greatest peak; at full scale a sine is cut.
  static let greatestPeak: Float = 0.999

  /// Finds the tone.
  ///
  /// - Parameters:
  ///   - samples: Recording, full scale ± 1.
  ///   - rate: Hz.
  ///   - frequency: That the calibrator states, Hz.
  /// - Throws: ``AcousticsError`` for a recording from which no level can be taken, by the reason.
  public init(in samples: [Float], rate: Double, frequency: Double) throws(AcousticsError) {
    guard EarphoneMeasurement.frequencies.contains(frequency), frequency < rate / 2 else {
      throw AcousticsError(
        "a calibrator of \(frequency.shortText) Hz", expected: "20 to \((rate / 2).shortText) Hz")
    }
    let count = Int(Self.part * rate)
    guard Double(samples.count) >= Self.leastTime * rate, count > 0 else {
      throw AcousticsError(
        "\((Double(samples.count) / rate).shortText) s of sound",
        expected: "at least \(Self.leastTime.shortText) s")
    }
    guard samples.allSatisfy({ abs($0) <= Self.greatestPeak }) else {
      throw AcousticsError(
        "sound at full scale", expected: "a tone that is not cut; turn the microphone's gain down")
    }
    // The first and the last part may hold the switch.
    let parts = stride(from: count, through: samples.count - 2 * count, by: count).map {
      HannPart(samples[$0..<$0 + count], rate: rate)
    }
    let found = parts[0].strongest(near: frequency, within: Self.deviation)
    let levels = parts.map { $0.level(at: found) }
    guard let softest = levels.min(), let loudest = levels.max(), softest > -120 else {
      throw AcousticsError(
        "silence", expected: "the calibrator's tone; is it switched on, and the right microphone recorded?")
    }
    for (part, level) in zip(parts, levels) {
      let distance = level - part.rest(beside: level)
      guard distance >= Self.leastDistance else {
        throw AcousticsError(
          "a tone of \(found.rounded().shortText) Hz only \(max(0, distance).rounded().shortText) dB above everything else",
          expected:
            "the calibrator's, \(Self.leastDistance.shortText) dB above it; seat it firmly, in a quiet room"
        )
      }
    }
    guard loudest - softest <= Self.steadiness else {
      throw AcousticsError(
        "a level that changes by \((loudest - softest).shortText) dB",
        expected: "a steady tone, within \(Self.steadiness.shortText) dB")
    }
    level = FullScaleLevel(levels.reduce(0, +) / Double(levels.count))
    self.frequency = found
  }
}

/// A piece of a recording behind a Hann window.
private struct HannPart {
  private let samples: [Double]
  private let windowSum: Double
  /// Mean square of the sound, dB re that of a full-scale sine.
  private let total: Double
  private let rate: Double

  init(_ part: ArraySlice<Float>, rate: Double) {
    let count = Double(part.count)
    // A direct current is no sound.
    let mean = part.reduce(0) { $0 + Double($1) } / count
    let window = (0..<part.count).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / count) }
    samples = zip(part, window).map { (Double($0) - mean) * $1 }
    windowSum = window.reduce(0, +)
    let power = samples.reduce(0) { $0 + $1 * $1 } / window.reduce(0) { $0 + $1 * $1 }
    total = 10 * log10(max(2 * power, .leastNormalMagnitude))
    self.rate = rate
  }

  /// Level of the sine of a frequency, dB re full scale.
  func level(at frequency: Double) -> Double {
    let step = 2 * .pi * frequency / rate
    var (real, imaginary) = (0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      real += sample * cos(step * Double(index))
      imaginary += sample * sin(step * Double(index))
    }
    return 20 * log10(max(2 * hypot(real, imaginary) / windowSum, .leastNormalMagnitude))
  }

  /// Level of everything but a tone, dB re full scale.
  func rest(beside tone: Double) -> Double {
    10 * log10(max(pow(10, total / 10) - pow(10, tone / 10), .leastNormalMagnitude))
  }

  /// The frequency at which a sine is strongest, Hz, sought in steps of 1 Hz and then ever finer ones, since the window's lobe
  /// is 8 Hz wide.
  func strongest(near frequency: Double, within share: Double) -> Double {
    var best = frequency
    var step = max(1, frequency * share / 60)
    var candidates = Array(
      stride(from: frequency * (1 - share), through: frequency * (1 + share), by: step))
    for _ in 0..<4 {
      best = candidates.map { ($0, level(at: $0)) }.max { $0.1 < $1.1 }?.0 ?? best
      step /= 4
      candidates = (-4...4).map { best + Double($0) * step }
    }
    return best
  }
}
