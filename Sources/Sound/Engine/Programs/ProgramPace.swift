import Acoustics
import HearingDSP

/// Time of the way to another setting, so that nothing becomes louder or softer by a jump.
///
/// - Threads: control.
public struct ProgramPace: Sendable {
  /// Time of a switch that a person asks for, s: long enough not to click, short enough to compare by ear.
  public static let bySwitch = 0.05
  /// Time of any other change, s.
  public static let byTurn = 0.1
  /// Time of a move that the aid makes by itself, s: not noticed as it happens.
  public static let byItself = 4.0
  /// Greatest speed with which the gain moves, dB per s: 2 dB in 100 ms, 1 dB below what counts as a jump, because a
  /// sound's own level moves as well.
  public static let greatestSpeed = 20.0
  /// Ratio of the greatest speed of a way to its mean: 1.5 where it begins and ends flat, as 3p² − 2p³ does.
  static let steepest = 1.5

  /// The way that was begun last: its length, dB, when, and how long it takes, s.
  private var last = (difference: 0.0, begin: 0.0, time: 0.0)

  /// A pace without a way that was begun.
  public init() {}

  /// The next settings with the time of the way to them.
  ///
  /// What is left of a way not finished yet counts along.
  ///
  /// - Parameters:
  ///   - next: Wanted.
  ///   - former: In force, or on the way to be.
  ///   - shortest: Time that it takes at least, s.
  ///   - now: Monotonic, s.
  public mutating func settings(
    _ next: HearingSettings, after former: HearingSettings, shortest: Double, now: Double
  ) -> HearingSettings {
    let left = last.time > 0 ? min(max(1 - (now - last.begin) / last.time, 0), 1) : 0
    let difference = last.difference * left + next.greatestDifference(from: former)
    let time = min(
      max(shortest, difference * Self.steepest / Self.greatestSpeed), Treatment.transitions.upperBound)
    last = (difference, now, time)
    var paced = next
    paced.transition = time
    return paced
  }
}

extension HearingSettings {
  /// Levels between which settings are compared, dB SPL in a band: soft and loud speech.
  private static let levels = stride(from: 40.0, through: 80, by: 5).map { SoundPressureLevel($0) }

  /// Difference that other times or another link can make to the same sound, dB: two ears 16 dB apart at a ratio of 2. Own choice.
  private static let differenceByTimes = 8.0

  /// True where a sound becomes louder by a change from other settings; false when either cannot be played.
  ///
  /// - Threads: control.
  public func isLouder(than other: HearingSettings) -> Bool {
    // Less is the rounding of two fittings.
    greatestGain(over: other) { $0 } > 0.01
  }

  /// Greatest change of any sound's level by a change from other settings, dB; 0 when either cannot be played.
  func greatestDifference(from other: HearingSettings) -> Double {
    let gain = greatestGain(over: other, by: abs)
    let isTimedAlike = soundingDynamics == other.soundingDynamics
    return gain + treatment.greatestDifference(from: other.treatment)
      + (isTimedAlike ? 0 : Self.differenceByTimes)
  }

  /// Greatest measure of the gain's difference from other settings, dB, 0 at least; 0 when either cannot be played.
  private func greatestGain(over other: HearingSettings, by measure: (Double) -> Double) -> Double {
    var gain = 0.0
    for ear in Ear.allCases {
      guard let old = try? other.fitting(for: ear), let new = try? fitting(for: ear) else { return 0 }
      for (a, b) in zip(old.curves, new.curves) {
        gain = Self.levels.reduce(gain) { max($0, measure(b.gain(at: $1) - a.gain(at: $1))) }
      }
    }
    return gain
  }
}

extension Treatment {
  /// Greatest difference of any one effect from another treatment, dB. The effects do not add up: a sound is
  /// speech, noise, wind or nothing.
  func greatestDifference(from other: Treatment) -> Double {
    [
      noiseReduction - other.noiseReduction, windReduction - other.windReduction,
      expansion - other.expansion, impulseSoftening - other.impulseSoftening,
    ].map(abs).max() ?? 0
  }
}
