import Acoustics
import Glibc

/// The last stage before the ears: limiter, clamp, ramp, lowering. Whatever a performer makes, nothing
/// above the limits, no step up from silence and nothing that is not finite comes out.
///
/// The ramp, a raised-cosine gain for every start, recovery, mute and unmute, comes after the limiter, which
/// would otherwise lift the beginning of a loud sound to the limit at once. Ramp and lowering are factors of
/// at most 1, which cannot exceed what the limiter allowed.
///
/// - Threads: built on `control`, run on `audio`. Nothing there allocates, locks or throws.
public struct OutputSafety: ~Copyable {
  /// Time from full sound to silence when closed, s.
  public static let fallTime = 0.02
  /// Shortest time from silence to full sound, s.
  public static let shortestRise = 0.05

  /// Hops that were not finite, since the stage was built: a fault of the performer.
  public private(set) var brokenHops: Int64 = 0
  private var ears: Binaural<OutputLimiter>
  /// Position between silence and sound, 0...1.
  private var position: Float = 0
  /// True while the ramp moves towards sound, or is there.
  public private(set) var isOpen = false
  private var riseStep: Float
  private let usualRiseStep: Float
  private let fallStep: Float
  private let sampleRate: Double

  /// Builds a stage that is silent until ``open()``.
  ///
  /// - Parameters:
  ///   - limits: Greatest output.
  ///   - geometry: Sizes of the performer.
  ///   - rise: Time from silence to full sound, s; at least ``shortestRise``.
  public init(limits: OutputLimits, geometry: ChainGeometry, rise: Double) {
    ears = limits.ears.map { OutputLimiter($0, geometry: geometry) }
    sampleRate = geometry.sampleRate
    usualRiseStep = Self.step(of: rise, at: sampleRate)
    riseStep = usualRiseStep
    fallStep = Float(1 / max(1, Self.fallTime * geometry.sampleRate))
  }

  /// True when the output is silence and stays so.
  public var isSilent: Bool { position == 0 && !isOpen }

  /// True while the ramp moves towards sound.
  public var isRising: Bool { isOpen && position < 1 }

  /// Factor of the ramp in force, linear: the raised cosine by its polynomial 3x² − 2x³, flat at both ends,
  /// so neither clicks.
  private var factor: Float { position * position * (3 - 2 * position) }

  /// Lets sound rise from silence, or from where the ramp is.
  #if RT_LINT
    @_noAllocation
  #endif
  public mutating func open() { isOpen = true }

  /// Lets sound fall to silence, from where the ramp is.
  #if RT_LINT
    @_noAllocation
  #endif
  public mutating func close() { isOpen = false }

  /// Falls silent at once, after a gap in the sound, and rises again if it was open.
  #if RT_LINT
    @_noAllocation
  #endif
  public mutating func restart() {
    ears.forEach { $0.reset() }
    position = 0
  }

  /// Moves to other limits: lower ones take effect at once, higher ones by ``OutputLimiter/limitRise``, and
  /// behind silence at once too.
  ///
  /// - Parameter rise: Time from silence to full sound from now on, s, at least ``shortestRise``; nil: as the stage was built.
  #if RT_LINT
    @_noAllocation
  #endif
  public mutating func retarget(to next: OutputLimits, rise: Double? = nil) {
    ears.forEach(next.ears) { $0.retarget(to: $1) }
    riseStep = rise.map { Self.step(of: $0, at: sampleRate) } ?? usualRiseStep
  }

  /// Share of the way from silence to full sound that a sample takes; the longest of two times counts, and what is no number is
  /// ``shortestRise``.
  private static func step(of rise: Double, at sampleRate: Double) -> Float {
    Float(1 / max(1, max(shortestRise, rise) * sampleRate))
  }

  /// Makes one hop safe, in place.
  ///
  /// An ear that is not finite silences both, which then start again from silence.
  ///
  /// - Parameters:
  ///   - leftOutput: The left ear's block; the hop is `start ..< start + frames`.
  ///   - rightOutput: The right ear's.
  ///   - request: Request of the performer.
  /// - Returns: Report of the hop.
  #if RT_LINT
    @_noAllocation
  #endif
  public mutating func process(
    _ leftOutput: inout MutableSpan<Float>, _ rightOutput: inout MutableSpan<Float>, from start: Int,
    frames: Int, request: OutputRequest
  ) -> OutputReport {
    var report = OutputReport()
    report.ears.left.isBroken = !ears.left.process(&leftOutput, from: start, frames: frames)
    report.ears.right.isBroken = !ears.right.process(&rightOutput, from: start, frames: frames)
    if report.isBroken {
      brokenHops += 1
      restart()
    }
    if request.isSilent || report.isBroken {
      // Faults cannot wait for a ramp; sound rises again after them, if it was open.
      position = 0
      for n in start..<start + frames { (leftOutput[n], rightOutput[n]) = (0, 0) }
    } else if position < 1 || !isOpen {
      for n in start..<start + frames {
        position = isOpen ? min(1, position + riseStep) : max(0, position - fallStep)
        leftOutput[n] *= factor
        rightOutput[n] *= factor
      }
    }
    Self.lower(&leftOutput, from: start, frames: frames, by: request.left)
    Self.lower(&rightOutput, from: start, frames: frames, by: request.right)
    ears.forEach(with: &report.ears) { $0.read(into: &$1) }
    report.ramp = factor
    report.ears.left.lowering = Self.bounded(request.left.to)
    report.ears.right.lowering = Self.bounded(request.right.to)
    report.ears.left.factor = factor * report.ears.left.lowering
    report.ears.right.factor = factor * report.ears.right.lowering
    return report
  }

  private static func lower(
    _ output: inout Samples, from start: Int, frames: Int, by request: OutputRequest.Factor
  ) {
    let (from, to) = (bounded(request.from), bounded(request.to))
    if from == 1, to == 1 { return }
    let step = (to - from) / Float(frames)
    var factor = from
    for n in start..<start + frames {
      // Rounding adds up: the last of 64 steps towards 1 came to 1.000004.
      factor = min(1, factor + step)
      output[n] *= factor
    }
  }

  /// A factor within 0...1; 0 for what is not a number.
  @inline(__always)
  private static func bounded(_ factor: Float) -> Float { factor > 0 ? min(factor, 1) : 0 }
}
