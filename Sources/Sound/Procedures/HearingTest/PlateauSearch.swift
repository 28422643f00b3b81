import Acoustics

/// The plateau method: narrow-band noise in the other ear rises in steps of 10 dB, and the tone in steps of 5 dB until it is heard beside
/// it. As long as the other ear hears the tone, it has to rise as much as the noise; once the tested ear itself hears it, the noise changes
/// nothing (Hood 1960, from memory; docs/sources.md).
///
/// Each level of noise is answered by a tone or few, so that where the plateau lies is known, and not yet the threshold: that is searched
/// again with the noise found.
///
/// - Threads: any.
struct PlateauSearch: Sendable {
  /// End of a search, each with levels in dB HL.
  enum Outcome: Sendable, Hashable {
    /// The tone that is heard on the plateau, and the noise in its middle.
    case plateau(tone: Double, noise: Double)
    /// The loudest tone that may sound is not heard beside this noise.
    case noResponse(noise: Double)
    /// No plateau up to this noise; a louder one may not sound, or would reach the tested ear.
    case insufficient(noise: Double)
  }

  /// Nil until it has ended.
  private(set) var outcome: Outcome?
  private(set) var toneCount = 0
  private var tone: Double
  private var noise: Double
  /// Tones heard, one for each level of noise so far.
  private var heard: [Double] = []
  private var ceilingMisses = 0
  private let ceiling: (tone: Double, noise: Double)
  private let attenuation: Double

  /// First noise above the other ear's threshold, and its rise, dB (Hood).
  private static let (beginning, noiseStep) = (10.0, 10.0)
  /// Rise of a tone that is not heard, dB.
  private static let toneStep = 5.0
  /// Levels of noise that make a plateau, and how far the tones heard beside them may lie apart, dB: a step, which chance makes; without a
  /// plateau they lie 20 dB apart.
  private static let plateau = (levels: 3, apart: 5.0)
  /// Unheard tones at the ceiling that end the search, as with ``HughsonWestlake``.
  private static let atCeiling = 3

  /// - Parameters:
  ///   - tone: Threshold without noise.
  ///   - other: Threshold of the other ear.
  ///   - ceiling: Loudest tone and noise.
  ///   - attenuation: Of sound on its way to the other ear, dB.
  init(
    tone: HearingLevel, other: HearingLevel, ceiling: (tone: HearingLevel, noise: HearingLevel),
    attenuation: Double
  ) {
    self.tone = min(tone.decibels, ceiling.tone.decibels)
    noise = other.decibels + Self.beginning
    self.ceiling = (ceiling.tone.decibels, ceiling.noise.decibels)
    self.attenuation = attenuation
    if !isPermitted(noise) { outcome = .insufficient(noise: other.decibels) }
  }

  /// The next tone and the noise beside it; nil: ended.
  var next: (tone: HearingLevel, noise: HearingLevel)? {
    outcome == nil ? (HearingLevel(tone), HearingLevel(noise)) : nil
  }

  mutating func answer(isHeard: Bool) {
    guard outcome == nil else { return }
    toneCount += 1
    guard isHeard else { return raiseTone() }
    ceilingMisses = 0
    heard.append(tone)
    let last = heard.suffix(Self.plateau.levels)
    if last.count == Self.plateau.levels, (last.max() ?? 0) - (last.min() ?? 0) <= Self.plateau.apart {
      return outcome = .plateau(tone: tone, noise: noise - Self.noiseStep)
    }
    guard isPermitted(noise + Self.noiseStep) else { return outcome = .insufficient(noise: noise) }
    noise += Self.noiseStep
  }

  private mutating func raiseTone() {
    ceilingMisses = tone >= ceiling.tone ? ceilingMisses + 1 : 0
    if ceilingMisses >= Self.atCeiling { outcome = .noResponse(noise: noise) }
    tone = min(tone + Self.toneStep, ceiling.tone)
  }

  /// True where noise may be this loud, and cannot cover the tone in the tested ear.
  private func isPermitted(_ noise: Double) -> Bool {
    noise <= ceiling.noise && noise - attenuation < tone
  }
}
