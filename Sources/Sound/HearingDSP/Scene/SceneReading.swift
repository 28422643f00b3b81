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
  @inline(__always)
  static func values(_ power: SIMD8<Float>) -> SIMD8<Float> {
    var level = SIMD8<Float>()
    for lane in 0..<6 { level[lane] = Decibel.fromPower(power[lane] + floor) }
    level[6] = Decibel.fromPower(power[1] + power[2] + power[3] + power[4] + floor)
    level[7] = 60 + level[4] - level[1]
    return level
  }
}
