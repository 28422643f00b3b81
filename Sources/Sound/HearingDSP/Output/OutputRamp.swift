import Glibc

/// Ramp between silence and sound: a raised-cosine gain for every start, recovery, mute and unmute.
///
/// - Threads: `audio`.
struct OutputRamp {
  /// Position between silence and sound, 0...1.
  private(set) var position: Float = 0
  /// The ramp moves towards sound.
  private var rising = false
  private let riseStep: Float
  private let fallStep: Float

  /// - Parameters:
  ///   - rise: Time from silence to full sound, s.
  ///   - fall: Time from full sound to silence, s.
  init(rise: Double, fall: Double, sampleRate: Double) {
    riseStep = Float(1 / max(1, rise * sampleRate))
    fallStep = Float(1 / max(1, fall * sampleRate))
  }

  /// The output is silence until ``open()``.
  var isSilent: Bool { position == 0 && !rising }
  /// Sound passes unchanged.
  var isOpen: Bool { position == 1 && rising }

  /// Factor in force, linear: the raised cosine by its polynomial 3x² − 2x³, flat at both ends, so neither
  /// clicks.
  var factor: Float { position * position * (3 - 2 * position) }

  /// Begins to rise from where the ramp is.
  mutating func open() { rising = true }

  /// Begins to fall from where the ramp is.
  mutating func close() { rising = false }

  /// Silence at once, for faults, which cannot wait for a ramp.
  mutating func cut() { position = 0 }

  /// Silences `frames` samples of each ear from `start`; sound rises again after them, if it was open.
  mutating func silence(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>, from start: Int, frames: Int
  ) {
    position = 0
    for n in start..<start + frames {
      left[n] = 0
      right[n] = 0
    }
  }

  /// Applies the ramp to `frames` samples of each ear from `start`.
  mutating func apply(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>, from start: Int, frames: Int
  ) {
    if isOpen { return }
    for n in start..<start + frames {
      position = rising ? min(1, position + riseStep) : max(0, position - fallStep)
      left[n] *= factor
      right[n] *= factor
    }
  }
}
