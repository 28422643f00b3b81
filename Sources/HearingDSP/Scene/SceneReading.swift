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
