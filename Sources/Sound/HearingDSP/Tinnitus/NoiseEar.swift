import Realtime

/// One ear's tinnitus sound and its way from one setting to the next: another level is gone to, another colour
/// faded out to and in from.
///
/// - Threads: `audio`.
struct NoiseEar: ~Copyable {
  /// Colour in force.
  private(set) var shape: NoiseShape
  /// Colour to come, once this one has faded.
  private var next: NoiseShape
  private var isChanging = false
  /// Factor on the noise now.
  private(set) var gain: Float = 0
  private var target: Float = 0
  private var step: Float = 0

  init(frameLength: Int) {
    shape = NoiseShape(frameLength: frameLength)
    next = NoiseShape(frameLength: frameLength)
  }

  /// Whether nothing is heard and nothing is to come.
  var isSilent: Bool { gain == 0 && target == 0 && !isChanging }

  /// Sets out for another sound.
  ///
  /// - Parameter frames: Length of the way, half of it down when the colour changes.
  mutating func retarget(_ wanted: borrowing NoiseShape, frames: Float) {
    next.copy(from: wanted)
    isChanging = wanted.isOn && !wanted.hasColour(of: shape)
    target = isChanging ? 0 : wanted.amplitude
    step = abs(target - gain) / frames
  }

  /// Takes the next colour when this one has faded.
  ///
  /// - Returns: Whether it did.
  mutating func turn(frames: Float) -> Bool {
    guard isChanging, gain == 0 else { return false }
    shape.copy(from: next)
    isChanging = false
    target = next.amplitude
    step = target / frames
    return true
  }

  /// The factor of the next sample.
  @inline(__always)
  mutating func advance() -> Float {
    gain = gain < target ? min(target, gain + step) : max(target, gain - step)
    return gain
  }
}
