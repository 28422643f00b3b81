import Realtime

/// A notch of 30 dB that can be faded in and out: `y = x + depth·(N{x} − x)`.
///
/// Peaking section of the audio-EQ cookbook (R. Bristow-Johnson), with cosine and sine of the frequency by polynomial.
///
/// - Threads: `audio`.
struct HowlNotch {
  /// Centre over bandwidth: about a third of an octave, so that a howl cannot slip beside it.
  private static var quality: Float { 1.5 }
  /// √(10^(−30/20)).
  private static var amplitude: Float { 0.177_828 }

  /// Share of the notch that is wanted, 0...1.
  var target: Float = 0
  private(set) var depth: Float = 0
  private var b0: Float = 1
  private var b1: Float = 0
  private var b2: Float = 0
  private var a2: Float = 0
  private var s1: Float = 0
  private var s2: Float = 0

  var isActive: Bool { target > 0 || depth > 0 }

  /// Moves the notch to a frequency.
  ///
  /// - Parameter turn: Half turns per sample, 2·f/rate.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func tune(_ turn: Float) {
    let direction = ComplexExponential.direction(turn)
    // Up to half a half turn both signs are plus, beyond both change.
    let sign: Float = direction.sign == 0 ? 1 : -1
    let (c, s) = (direction.cosine * sign, direction.sine * sign)
    let alpha = s / (2 * Self.quality)
    let norm = 1 / (1 + alpha / Self.amplitude)
    b0 = (1 + alpha * Self.amplitude) * norm
    b1 = -2 * c * norm
    b2 = (1 - alpha * Self.amplitude) * norm
    a2 = (1 - alpha / Self.amplitude) * norm
    if depth == 0 { (s1, s2) = (0, 0) }
  }

  /// - Parameter step: Most by which the depth moves per sample.
  #if RT_LINT
    @_noAllocation
  #endif
  mutating func apply(_ samples: inout MutableSpan<Float>, from start: Int, frames: Int, step: Float) {
    for n in start..<start + frames {
      depth = depth < target ? min(target, depth + step) : max(target, depth - step)
      let x = samples[n]
      let y = b0 * x + s1
      s1 = b1 * x - b1 * y + s2
      s2 = b2 * x - a2 * y
      samples[n] = x + depth * (y - x)
    }
    if !((s1 + s2) * 0 == 0) { (s1, s2) = (0, 0) }
  }
}
