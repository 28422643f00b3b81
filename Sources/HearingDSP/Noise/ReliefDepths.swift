/// How far each effect that takes from the gain goes now.
///
/// - Threads: built on `control`, run on `audio`.
struct ReliefDepths {
  private(set) var noise: EffectDepth
  private(set) var impulse: EffectDepth
  private(set) var wind: EffectDepth
  private(set) var expansion: EffectDepth
  /// Noise of the microphone itself, dB(A) SPL.
  private(set) var microphoneNoise: Float

  init(_ treatment: Treatment) {
    noise = EffectDepth(treatment.noiseReduction)
    impulse = EffectDepth(treatment.impulseSoftening)
    wind = EffectDepth(treatment.windReduction)
    expansion = EffectDepth(treatment.expansion)
    microphoneNoise = Float(treatment.microphoneNoise)
  }

  /// Whether nothing is taken from the gain, now or soon.
  @inline(__always)
  var areOff: Bool { noise.isOff && impulse.isOff && wind.isOff && expansion.isOff }

  /// Sets out for another treatment over its transition.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func retarget(_ treatment: Treatment, hopTime: Double) {
    let hops = treatment.transition / hopTime
    noise.retarget(treatment.noiseReduction, hops: hops)
    impulse.retarget(treatment.impulseSoftening, hops: hops)
    wind.retarget(treatment.windReduction, hops: hops)
    expansion.retarget(treatment.expansion, hops: hops)
    microphoneNoise = Float(treatment.microphoneNoise)
  }

  /// Moves on by one hop.
  @inline(__always)
  mutating func advance() {
    noise.advance()
    impulse.advance()
    wind.advance()
    expansion.advance()
  }
}
