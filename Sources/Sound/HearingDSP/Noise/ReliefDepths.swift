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

/// How far one effect of a ``Treatment`` goes now, on its way to how far it is to go.
///
/// - Threads: `audio`.
struct EffectDepth {
  /// In force, dB, not negative.
  private(set) var current: Float
  private var target: Float
  /// dB per hop on the way.
  private var step: Float = 0

  init(_ depth: Double) {
    current = Float(depth)
    target = current
  }

  /// Whether the effect is off and stays off.
  @inline(__always)
  var isOff: Bool { current == 0 && target == 0 }

  /// Sets out for another depth, dB, to be reached in equal steps after `hops`, at least one.
  mutating func retarget(_ depth: Double, hops: Double) {
    target = Float(depth)
    let distance = abs(target - current)
    step = distance / Float(hops > 1 ? hops : 1)
  }

  /// Moves on by one hop.
  @inline(__always)
  mutating func advance() {
    let distance = target - current
    if abs(distance) <= step { current = target } else { current += distance > 0 ? step : -step }
  }
}
