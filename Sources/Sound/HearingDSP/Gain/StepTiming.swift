import Acoustics
import Fitting
import Glibc

/// Smoothing that gives a band its prescribed attack and release times.
///
/// A time constant is not an attack time: the time in which the output settles after the standard's step
/// depends on the band's compression ratio and on the window through which the level is read. So the step
/// is played through a model of the level reading (Hann window, hop, one-pole smoothing of the level in
/// dB) and the band's own gain curve, and the smoothing is found by bisection. The level moves from start
/// to end without turning back, so the output is steady once the level is near enough to its end.
///
/// - Threads: `control`.
struct StepTiming {
  /// Lower and upper level of the step, dB SPL (ANSI/ASA S3.22).
  static let levels = (low: 55.0, high: 90.0)
  /// Distance from the steady output at which attack and release count as over, dB (ANSI/ASA S3.22, from
  /// memory).
  static let tolerance = (attack: 3.0, release: 4.0)

  /// Time between two readings of the level, s.
  let hopTime: Double
  /// Length of the level window, s.
  let windowTime: Double

  /// All of a band's smoothing: shares of the distance to a level that are covered per hop, 0...1. Without a
  /// slow average the fast one stands in for it, and both are the same.
  func shares(_ dynamics: Dynamics, curve: GainCurve) -> [(row: EarTable.Row, share: Double)] {
    let attack = attackCoefficient(dynamics.attack, curve: curve)
    let release = releaseCoefficient(dynamics.release, curve: curve)
    let average = dynamics.average
    return [
      (.attack, attack), (.release, release),
      (.averageAttack, average.map { attackCoefficient($0.attack, curve: curve) } ?? attack),
      (.averageRelease, average.map { releaseCoefficient($0.release, curve: curve) } ?? release),
    ]
  }

  /// Share of the distance to a risen level that is covered per hop, 0...1.
  func attackCoefficient(_ attack: Double, curve: GainCurve) -> Double {
    coefficient(attack, from: Self.levels.low, to: Self.levels.high, within: Self.tolerance.attack, curve)
  }

  /// Share of the distance to a fallen level that is covered per hop, 0...1.
  func releaseCoefficient(_ release: Double, curve: GainCurve) -> Double {
    coefficient(release, from: Self.levels.high, to: Self.levels.low, within: Self.tolerance.release, curve)
  }

  private func coefficient(
    _ time: Double, from start: Double, to end: Double, within tolerance: Double, _ curve: GainCurve
  ) -> Double {
    let owed = abs(curve.gain(at: SoundPressureLevel(end)) - curve.gain(at: SoundPressureLevel(start)))
    // A band that changes its gain by less than the tolerance has no attack time by the standard; it gets
    // the smoothing of a band with compression 2:1.
    let effective = owed > tolerance * 1.2 ? curve : Self.twoToOne
    let margin = Self.margin(from: start, to: end, within: tolerance, effective)
    let readings = readings(from: start, to: end)
    var (fast, slow) = (hopTime / 20, 100.0)
    for _ in 0..<40 {
      let middle = sqrt(fast * slow)
      if settlingTime(from: start, to: end, readings, margin: margin, timeConstant: middle) < time {
        fast = middle
      } else {
        slow = middle
      }
    }
    return 1 - exp(-hopTime / sqrt(fast * slow))
  }

  /// Gain of a compression ratio of 2:1 at all levels.
  private static let twoToOne = GainCurve(
    checked: [GainCurve.Knot(level: SoundPressureLevel(0), gain: 0)], slopeBelow: -0.5, slopeAbove: -0.5)

  /// Least distance from the end that counts, dB.
  private static let leastMargin = 0.01

  /// Distance of the level from `end`, dB, from which on the gain stays within `tolerance` of its steady
  /// value.
  ///
  /// Between two knots the gain follows a straight line, so it leaves the tolerance before the first knot
  /// that lies outside.
  static func margin(
    from start: Double, to end: Double, within tolerance: Double, _ curve: GainCurve
  ) -> Double {
    let knots = curve.knots.map(\.level.decibels).filter { min(start, end) < $0 && $0 < max(start, end) }
    let outwards = (start < end ? knots.reversed() : knots) + [start]
    let steady = curve.gain(at: SoundPressureLevel(end))
    var inside = (level: end, change: 0.0)
    for level in outwards {
      let change = curve.gain(at: SoundPressureLevel(level)) - steady
      if abs(change) > tolerance {
        let limit = change > 0 ? tolerance : -tolerance
        let share = (limit - inside.change) / (change - inside.change)
        return max(abs(inside.level + share * (level - inside.level) - end), leastMargin)
      }
      inside = (level, change)
    }
    return abs(end - start)
  }

  /// Levels that the window reads of the step, dB SPL, hop by hop until it has gone in whole.
  private func readings(from start: Double, to end: Double) -> [Double] {
    let (before, after) = (pow(10, start / 20), pow(10, end / 20))
    return stride(from: 1, through: (windowTime / hopTime).rounded(.up), by: 1).map { hop in
      let progress = Self.windowProgress(min(1, hop * hopTime / windowTime))
      return 20 * log10(before + (after - before) * progress)
    }
  }

  /// Time after the step from which the smoothed level stays within `margin` of its end, s. The gain is
  /// crossfaded over each hop, so a crossing lies in proportion within it.
  private func settlingTime(
    from start: Double, to end: Double, _ readings: [Double], margin: Double, timeConstant: Double
  ) -> Double {
    let share = 1 - exp(-hopTime / timeConstant)
    var level = start
    var time = 0.0
    for reading in readings {
      let former = abs(level - end)
      time += hopTime
      level += share * (reading - level)
      let distance = abs(level - end)
      if distance <= margin { return time - hopTime * (margin - distance) / max(former - distance, 1e-9) }
    }
    // The window is full: from here on every hop leaves the same share of the distance.
    let distance = abs(level - end)
    let hops = (log(margin / distance) / log(1 - share)).rounded(.up)
    let (last, first) = (distance * pow(1 - share, hops), distance * pow(1 - share, hops - 1))
    return time + hopTime * (hops - (margin - last) / max(first - last, 1e-9))
  }

  /// Share of a Hann window that a new sound has entered: ∫ of the window from 0 to `u`, 0...1.
  private static func windowProgress(_ u: Double) -> Double { u - sin(2 * .pi * u) / (2 * .pi) }
}
