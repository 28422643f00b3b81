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
  #if RT_LINT
    @_noAllocation
  #endif
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
