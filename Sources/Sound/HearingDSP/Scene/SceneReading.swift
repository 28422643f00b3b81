import Glibc
import Realtime

/// Scene around the wearer and the figures by which it was classified.
///
/// - Threads: written on `audio`, read on `control` as a copy.
public struct SceneReading: BitwiseCopyable, Sendable, Equatable {
  /// Default nil, until three seconds have been heard.
  public var scene: Scene?
  /// Confidence in ``scene``, 0...1.
  public var confidence: Float = 0
  /// Level of the louder ear over the last four seconds, dB SPL.
  public var level: Float = 0
  /// Distance of the sound's 95 % level from its 5 % level, dB.
  public var levelAboveBackground: Float = 0
  /// Share of the modulation at the rate of syllables, 0...1.
  public var syllabicModulation: Float = 0
  /// Steadiness of the pitches, 0...1.
  public var tonality: Float = 0
  /// Wind blows over a microphone.
  public var isWindy = false

  /// Nothing heard yet.
  public init() {}
}

/// Kind of sound around the wearer.
public enum Scene: UInt8, Sendable, CaseIterable, BitwiseCopyable {
  case quiet, speech, speechInNoise, noise, music
}

/// Eight series of numbers, one value each per frame of about 12 ms, by whose movement scenes are
/// classified.
///
/// Lanes 0…5 are the channels' levels, dB SPL; 6 the level of the range that carries speech, 340–4200 Hz; 7
/// the tilt: level of 2.3–4.2 kHz less that of 340–700 Hz, and 60 dB, which moves up and down between the
/// consonants and the vowels of speech.
///
/// - Threads: `audio`.
enum SceneSeries {
  /// Length of a frame, s. Own choice: a sixth of the period of the fastest modulation looked at.
  static let frameTime = 0.0116
  /// Power that is added to each channel, relative to 0 dB SPL: 10 dB, below the noise of a microphone in
  /// any channel, so that silence is a steady level too.
  private static var floor: Float { 10 }

  /// - Parameter power: Of each channel, 1 for 0 dB SPL.
  @inline(__always) static func values(_ power: SIMD8<Float>) -> SIMD8<Float> {
    var level = SIMD8<Float>()
    for lane in 0..<6 { level[lane] = Decibel.fromPower(power[lane] + floor) }
    level[6] = Decibel.fromPower(power[1] + power[2] + power[3] + power[4] + floor)
    level[7] = 60 + level[4] - level[1]
    return level
  }
}

/// Octave-wide filters for the modulation of eight series.
///
/// Two-pole band passes with unit gain at their centre and Q = √2 (bilinear transform, R. Bristow-Johnson,
/// "Audio EQ Cookbook").
///
/// - Threads: built on `control`, run on `audio`.
struct ModulationBank: ~Copyable {
  /// Bands.
  static var count: Int { 6 }
  /// Bands that hold the rate of syllables, 2–8 Hz.
  static var syllabic: Range<Int> { 2..<4 }
  /// Lowest centre, Hz; each next one is an octave higher: 0.7, 1.4, 2.8, 5.7, 11.3, 22.6 Hz.
  private static let lowest = 0.7071

  /// Last output of each band. - Shape: bands.
  private(set) var output = AlignedBuffer<SIMD8<Float>>(count: ModulationBank.count)
  private var first = AlignedBuffer<SIMD8<Float>>(count: ModulationBank.count)
  private var second = AlignedBuffer<SIMD8<Float>>(count: ModulationBank.count)
  /// b0, a1, a2 of each band; b1 = 0 and b2 = −b0.
  private let coefficients: AlignedBuffer<SIMD4<Float>>

  /// - Parameter frameTime: s.
  init(frameTime: Double) {
    coefficients = AlignedBuffer(count: Self.count) { band in
      let omega = 2 * .pi * Self.lowest * exp2(Double(band)) * frameTime
      let alpha = sin(omega) / (2 * sqrt(2.0))
      return SIMD4(SIMD4<Double>(alpha, -2 * cos(omega), 1 - alpha, 0) / (1 + alpha))
    }
  }

  mutating func reset() {
    output.fill(SIMD8())
    first.fill(SIMD8())
    second.fill(SIMD8())
  }

  /// Filters one value of each series.
  mutating func process(_ values: SIMD8<Float>) {
    for band in 0..<Self.count {
      let c = coefficients[band]
      let result = values * c[0] + first[band]
      first[band] = second[band] - result * c[1]
      second[band] = values * -c[0] - result * c[2]
      output[band] = result
    }
  }
}

/// Histogram of the levels of each of eight series over the last stretches.
///
/// - Threads: built on `control`, run on `audio`.
struct LevelDistribution: ~Copyable {
  /// Width of a class, dB.
  private static var width: Float { 2 }
  /// Classes, from 0 dB SPL.
  private static var classes: Int { 64 }
  private static var seriesCount: Int { 8 }

  /// - Shape: stretches × series × classes.
  private var counts: Buffer
  /// Sum over the stretches. - Shape: series × classes.
  private var sum = Buffer(count: LevelDistribution.seriesCount * LevelDistribution.classes)

  init(stretches: Int) {
    counts = AlignedBuffer(count: stretches * Self.seriesCount * Self.classes)
  }

  mutating func reset() {
    counts.fill(0)
    sum.fill(0)
  }

  /// Clears one stretch.
  mutating func reset(stretch: Int) {
    let start = stretch * Self.seriesCount * Self.classes
    for index in 0..<sum.count {
      sum[index] -= counts[start + index]
      counts[start + index] = 0
    }
  }

  /// Counts one value of each series.
  mutating func process(_ values: SIMD8<Float>, stretch: Int) {
    let start = stretch * Self.seriesCount * Self.classes
    for series in 0..<Self.seriesCount {
      let place = values[series] * (1 / Self.width)
      // The comparison is false for NaN.
      let bounded = place > 0 ? (place < Float(Self.classes - 1) ? place : Float(Self.classes - 1)) : 0
      let index = series * Self.classes + Int(bounded)
      counts[start + index] += 1
      sum[index] += 1
    }
  }

  /// Quantile of the values of one series, dB; linear within a class.
  func level(_ share: Float, series: Int, frames: Float) -> Float {
    let wanted = share * frames
    var below: Float = 0
    for index in 0..<Self.classes {
      let here = sum[series * Self.classes + index]
      if here > 0, below + here >= wanted { return Self.width * (Float(index) + (wanted - below) / here) }
      below += here
    }
    return Self.width * Float(Self.classes)
  }
}
