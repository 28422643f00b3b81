/// One ear's levels and attenuations in one hop, from which the gain of each band followed.
///
/// - Threads: written on `audio`, read on `control` as a copy.
public struct GainFrame: BitwiseCopyable, Sendable {
  /// A number for each band; those beyond the last band are 0.
  public typealias Bands = InlineArray<40, Float>

  /// Mean square of the input in each band.
  public internal(set) var power = Bands(repeating: 0)
  /// Level of each band after the binaural link, dB SPL.
  public internal(set) var linkedLevel = Bands(repeating: 0)
  /// The same after attack and release, dB SPL.
  public internal(set) var followedLevel = Bands(repeating: 0)
  /// The same with the neighbours' share, dB SPL: it sets the gain.
  public internal(set) var spreadLevel = Bands(repeating: 0)
  /// Level that the band's output limit follows, dB SPL.
  public internal(set) var exposedLevel = Bands(repeating: 0)
  /// Rest of a former setting's gain, dB.
  public internal(set) var transition = Bands(repeating: 0)
  /// Attenuation by noise reduction, dB, not negative.
  public internal(set) var noiseReduction = Bands(repeating: 0)
  /// Attenuation by wind relief, dB, not negative.
  public internal(set) var windRelief = Bands(repeating: 0)
  /// Attenuation by expansion, dB, not negative.
  public internal(set) var expansion = Bands(repeating: 0)
  /// Gain of the filter, digital full scale to digital full scale, dB.
  public internal(set) var digitalGain = Bands(repeating: 0)
  /// Greatest magnitude of the estimated feedback path, full scale to full scale, dB.
  public internal(set) var feedbackEstimate = Bands(repeating: -200)
  /// Attenuation of all bands because of a blow, dB, not negative.
  public internal(set) var impulseSoftening: Float = 0
  /// Least gain of the output limiter in the hop, linear.
  public internal(set) var limiterGain: Float = 1
  /// Factor at the hop's end because of a howl, linear, 0...1.
  public internal(set) var howlFactor: Float = 1
}
