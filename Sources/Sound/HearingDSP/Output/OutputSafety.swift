import Acoustics
import Glibc

/// The last stage before the ears: limiter, clamp, ramp, lowering. Whatever a performer makes, nothing
/// above the limits, no step up from silence and nothing that is not finite comes out.
///
/// The ramp comes after the limiter, which would otherwise lift the beginning of a loud sound to the limit
/// at once. Ramp and lowering are factors of at most 1, which cannot exceed what the limiter allowed.
///
/// - Threads: built on `control`, run on `audio`. Nothing there allocates, locks or throws.
public struct OutputSafety: ~Copyable {
  /// Time from full sound to silence when closed, s.
  public static let fallTime = 0.02
  /// Shortest time from silence to full sound, s.
  public static let shortestRise = 0.05

  /// Hops that were not finite, since the stage was built: a fault of the performer.
  public private(set) var brokenHops: Int64 = 0
  private var ears: Binaural<LimitedEar>
  private var ramp: OutputRamp

  /// Builds a stage that is silent until ``open()``.
  ///
  /// - Parameters:
  ///   - limits: Greatest output.
  ///   - geometry: Sizes of the performer.
  ///   - rise: Time from silence to full sound, s; at least ``shortestRise``.
  public init(limits: OutputLimits, geometry: ChainGeometry, rise: Double) {
    ears = limits.ears.map { LimitedEar($0, geometry: geometry) }
    ramp = OutputRamp(
      rise: max(Self.shortestRise, rise), fall: Self.fallTime, sampleRate: geometry.sampleRate)
  }

  /// True when the output is silence and stays so.
  public var isSilent: Bool { ramp.isSilent }

  /// Lets sound rise from silence.
  #if RT_LINT
    @_noAllocation
  #endif
  public mutating func open() { ramp.open() }

  /// Lets sound fall to silence.
  #if RT_LINT
    @_noAllocation
  #endif
  public mutating func close() { ramp.close() }

  /// Falls silent at once, after a gap in the sound, and rises again if it was open.
  #if RT_LINT
    @_noAllocation
  #endif
  public mutating func restart() {
    ears.forEach { $0.reset() }
    ramp.cut()
  }

  /// Moves to other limits: lower ones take effect at once, higher ones by ``LimitedEar/limitRise``.
  #if RT_LINT
    @_noAllocation
  #endif
  public mutating func retarget(to limits: OutputLimits) {
    ears.forEach(limits.ears) { $0.retarget(to: $1) }
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
      ramp.silence(&leftOutput, &rightOutput, from: start, frames: frames)
    } else {
      ramp.apply(&leftOutput, &rightOutput, from: start, frames: frames)
    }
    Self.lower(&leftOutput, from: start, frames: frames, by: request.left)
    Self.lower(&rightOutput, from: start, frames: frames, by: request.right)
    ears.forEach(with: &report.ears) { $0.read(into: &$1) }
    report.ramp = ramp.factor
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
      factor += step
      output[n] *= factor
    }
  }

  /// A factor within 0...1; 0 for what is not a number.
  @inline(__always)
  private static func bounded(_ factor: Float) -> Float { factor > 0 ? min(factor, 1) : 0 }
}

/// One ear's limiter with the limits in force.
///
/// - Threads: built on `control`, run on `audio`.
struct LimitedEar: ~Copyable {
  /// Speed with which a limit rises to a higher one, dB per s, so that an active limiter releases
  /// gradually. Own choice; the greatest step, 60 to 120 dB SPL, takes 0.6 s.
  static let limitRise = 100.0

  private var limits: OutputLimits.Ear
  private var limiter: OutputLimiter
  /// Peak allowed now: that of ``limits``, or on its way up to it.
  private var limitPeak: Float
  private let riseFactor: Float

  init(_ limits: OutputLimits.Ear, geometry: ChainGeometry) {
    self.limits = limits
    limiter = OutputLimiter(geometry: geometry)
    limitPeak = limits.peak
    riseFactor = Float(pow(10, Self.limitRise * geometry.hopTime / 20))
  }

  /// Forgets the past.
  mutating func reset() { limiter.reset() }

  /// Moves to other limits.
  mutating func retarget(to limits: OutputLimits.Ear) { self.limits = limits }

  /// Holds one hop below the limits.
  ///
  /// - Returns: False when a sample was not finite; the hop is then silence.
  mutating func process(_ output: inout Samples, from start: Int, frames: Int) -> Bool {
    let risen = limitPeak * riseFactor
    limitPeak = limits.peak < risen ? limits.peak : risen
    // Both limits stand for one level: their ratio stays.
    let share = limitPeak / limits.peak
    return limiter.limit(
      &output, from: start, frames: frames, limitPower: limits.power * share * share, limitPeak: limitPeak)
  }

  /// Reports the last hop.
  func read(into report: inout OutputReport.Ear) {
    report.power = limiter.outputPower
    report.limitShare = limiter.outputPower / limits.power
    report.limiterGain = limiter.gain
  }
}

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
  mutating func silence(_ left: inout Samples, _ right: inout Samples, from start: Int, frames: Int) {
    position = 0
    for n in start..<start + frames {
      left[n] = 0
      right[n] = 0
    }
  }

  /// Applies the ramp to `frames` samples of each ear from `start`.
  mutating func apply(_ left: inout Samples, _ right: inout Samples, from start: Int, frames: Int) {
    if isOpen { return }
    for n in start..<start + frames {
      position = rising ? min(1, position + riseStep) : max(0, position - fallStep)
      left[n] *= factor
      right[n] *= factor
    }
  }
}
