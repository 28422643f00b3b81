import Glibc

/// Follows the distance between two clocks and says by how much to correct the rate.
///
/// A second-order loop: the correction is proportional to the error plus its integral, so that a constant
/// drift is held with no error left. With ω = 2π · bandwidth, error e in seconds and T seconds a step:
///
///     c = √2 · ω · e + z,   z ← z + ω² · T · e
///
/// the gains of F. Adriaensen, "Using a DLL to filter time", Linux Audio Conference 2005 (b = √2 ω T, c =
/// (ω T)²). Two low-pass poles at 20 ω before it, as in PipeWire's `spa/utils/dll.h`, keep pointers that
/// move in bursts from becoming vibrato.
///
/// The bandwidth starts wide and is halved every ``settlingTime`` while the error is small, and doubled at
/// once when it is not: PipeWire's schedule, which sets 0.016 to 0.128 Hz by the error every 3 s, with a
/// wider beginning, because a buffer of three short periods cannot wait for it.
///
/// - Threads: one at a time.
/// - Complexity: a step allocates nothing.
struct DelayLockedLoop: BitwiseCopyable {
  /// Widest and narrowest bandwidth, Hz. The narrowest is PipeWire's SPA_DLL_BW_MIN; the widest settles a
  /// drift of 300 ppm within a second.
  static let widest = 0.512
  static let narrowest = 0.016
  /// Time between two narrowings, s: PipeWire's BW_PERIOD.
  static let settlingTime = 3.0

  /// Time of one step, s.
  let step: Double
  /// Error beyond which the bandwidth is widened, s.
  let tolerance: Double
  /// Largest correction, as a share of the rate.
  let limit: Double

  private(set) var bandwidth = DelayLockedLoop.widest
  /// The lasting part of the correction: the drift between the clocks, as a share of the rate.
  private(set) var drift = 0.0
  /// The same as it was last while the error was small; nil before the loop has settled for the first time.
  private(set) var settledDrift: Double?
  private var smoothed = (first: 0.0, second: 0.0)
  private var settledFor = 0.0
  private var proportional = 0.0
  private var integral = 0.0
  private var smoothing = 0.0

  init(step: Double, tolerance: Double, limit: Double) {
    (self.step, self.tolerance, self.limit) = (step, tolerance, limit)
    setBandwidth(Self.widest)
  }

  /// Forgets the error but not the drift: an interruption does not change the clocks.
  mutating func restart() {
    smoothed = (0, 0)
    settledFor = 0
    setBandwidth(Self.widest)
  }

  /// Takes one measurement.
  ///
  /// - Parameter error: Excess of the delay over its target, s.
  /// - Returns: Share by which the flow into the delay must be reduced, `-limit...limit`.
  mutating func update(error: Double) -> Double {
    smoothed.first += smoothing * (error - smoothed.first)
    smoothed.second += smoothing * (smoothed.first - smoothed.second)
    // At its limit the correction cannot follow, and what it leaves of the error is no drift.
    let wanted = proportional * smoothed.second + drift
    if bounded(wanted) == wanted || wanted * smoothed.second < 0 {
      drift = bounded(drift + integral * smoothed.second)
    }
    schedule()
    if bandwidth < Self.widest { settledDrift = drift }
    return bounded(proportional * smoothed.second + drift)
  }

  /// Narrows a settled loop, widens one that is off.
  private mutating func schedule() {
    let size = smoothed.second < 0 ? -smoothed.second : smoothed.second
    if size > tolerance {
      settledFor = 0
      if bandwidth < Self.widest { setBandwidth(bandwidth * 2) }
    } else {
      settledFor += step
      if settledFor >= Self.settlingTime && bandwidth > Self.narrowest {
        settledFor = 0
        setBandwidth(bandwidth / 2)
      }
    }
  }

  private mutating func setBandwidth(_ wanted: Double) {
    bandwidth = wanted < Self.narrowest ? Self.narrowest : wanted > Self.widest ? Self.widest : wanted
    let omega = 2 * Double.pi * bandwidth
    proportional = 1.4142135623730951 * omega
    integral = omega * omega * step
    // 1 − exp(−20 ω T) to first order, held below 1: the pole only has to lie far above the loop's.
    let share = 20 * omega * step
    smoothing = share / (1 + share)
  }

  private func bounded(_ value: Double) -> Double {
    value > limit ? limit : value < -limit ? -limit : value
  }
}
