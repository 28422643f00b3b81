import Realtime

/// What the aid takes its surroundings for, and by what.
///
/// - Threads: written on `audio`, read on `control` as a copy.
public struct SceneReading: BitwiseCopyable, Sendable, Equatable {
  /// Nil until enough was heard.
  public var scene: Scene?
  /// How sure that is, 0...1.
  public var confidence: Float = 0
  /// Level of the louder ear over the time of judgement, dB SPL.
  public var level: Float = 0
  /// How far the sound rises above its own background, dB.
  public var levelAboveBackground: Float = 0
  /// Share of its modulation that lies at the rate of syllables, 0...1.
  public var syllabicModulation: Float = 0
  /// How steady its pitches are, 0...1.
  public var tonality: Float = 0
  /// Whether wind blows over a microphone.
  public var isWindy = false

  public init() {}
}

/// What kind of sound surrounds the wearer.
public enum Scene: UInt8, Sendable, CaseIterable, BitwiseCopyable {
  case quiet, speech, speechInNoise, noise, music
}

/// The eight series of numbers, one value each per frame of about 12 ms, whose movement tells scenes apart.
///
/// Lanes 0…5 are the channels' levels, dB SPL; 6 the level of the range that carries speech, 340–4200 Hz; 7
/// the tilt: how far 2.3–4.2 kHz lies above 340–700 Hz, and 60 dB, which moves up and down between the
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
  @inline(__always)
  static func values(_ power: SIMD8<Float>) -> SIMD8<Float> {
    var level = SIMD8<Float>()
    for lane in 0..<6 { level[lane] = Decibel.fromPower(power[lane] + floor) }
    level[6] = Decibel.fromPower(power[1] + power[2] + power[3] + power[4] + floor)
    level[7] = 60 + level[4] - level[1]
    return level
  }
}
