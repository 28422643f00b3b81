import Acoustics
import Realtime

/// What is taken from one ear's gain because there is noise, a blow or wind.
///
/// - Threads: built on `control`, run on `audio`.
struct EarRelief: ~Copyable {
  /// Greatest sum of all reliefs in a band, dB: more would be a hole.
  static let limit: Float = 24

  private var noise: NoisePower
  private var reduction: NoiseReduction
  private(set) var impulse: ImpulseSoftening
  private var expansion: MicrophoneExpansion

  init(_ layout: BandLayout, stride: Int, geometry: ChainGeometry) {
    noise = NoisePower(stride: stride, hopTime: geometry.hopTime)
    reduction = NoiseReduction(stride: stride, hopTime: geometry.hopTime)
    impulse = ImpulseSoftening(geometry: geometry)
    expansion = MicrophoneExpansion(layout, stride: stride, geometry: geometry)
  }

  /// Forgets what was heard.
  mutating func reset() {
    noise.reset()
    reduction.reset()
    impulse.reset()
    expansion.reset()
  }

  /// Forgets what was heard and takes nothing any more.
  mutating func release() {
    reset()
    reduction.release()
  }

  /// Looks for a blow in the newest frames, read as the mean square of their difference.
  mutating func readImpulse(_ differencePower: Float, offset: Float, depth: Float) {
    impulse.update(differencePower: differencePower, offset: offset, depth: depth)
  }

  /// Moves on by one hop and writes the sum of all reliefs.
  ///
  /// - Parameters:
  ///   - gain: The ear, with its band powers and levels of this hop.
  ///   - softening: What is taken from all bands because of a blow, dB.
  ///   - decides: Whether noise reduction asks its model in this hop.
  mutating func update(
    _ gain: inout EarGain, bands: borrowing NoiseBands, depths: ReliefDepths, wind: borrowing WindDetector,
    softening: Float, decides: Bool
  ) {
    noise.update(gain.bandPower, bands)
    reduction.update(
      gain.bandPower, noise: noise, bands: bands, depth: depths.noise.current, decides: decides)
    expansion.update(gain.memory.level, noise: depths.microphoneNoise, depth: depths.expansion.current)
    precondition(gain.relief.count >= bands.stride && wind.shares.count >= bands.stride)
    let (result, shares) = unsafe (gain.relief.pointer, wind.shares.pointer)
    let (noisy, quiet) = unsafe (reduction.attenuation.pointer, expansion.attenuation.pointer)
    let windy = depths.wind.current * wind.amount
    for band in 0..<bands.count {
      let sum = unsafe noisy[band] + quiet[band] + shares[band] * windy + softening
      unsafe result[band] = sum < Self.limit ? sum : Self.limit
    }
  }
}
