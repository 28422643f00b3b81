import Acoustics
import Procedures

/// Bounds the speed at which answers make a sound louder, so that a key that is held down, or a program, leaves a person time to stop it.
struct LoudnessPace {
  /// dB/s.
  static let greatest = Stimulus.growth
  /// Silence before the first sound, s, also of a procedure that is gone on with, which begins where it was (own choice).
  static let beforeFirst = 1.0

  /// When a key may make it louder again, monotonic s.
  private var free = -Double.infinity
  /// The last sound's level and beginning, monotonic s.
  private var last: (level: SoundPressureLevel, began: Double)?
  private let start: Double

  /// - Parameter start: Beginning of the procedure, monotonic s.
  init(start: Double) { self.start = start }

  /// True of every key but a louder one that comes too soon: after a step of 5 dB that is half a second. A turn of a size that
  /// answers nothing takes no time.
  mutating func allows(_ key: ProcedureKey, at moment: Double) -> Bool {
    guard key.name == .turn, let change = key.value, change > 0, LoudnessAdjustment.steps.contains(change)
    else {
      return true
    }
    guard moment >= free else { return false }
    free = moment + change / Self.greatest
    return true
  }

  /// Silence, s, that has to come before a sound that would otherwise begin at a moment, monotonic s.
  func silence(before level: SoundPressureLevel, at moment: Double) -> Double {
    guard let last else { return silence(beforeFirstAt: moment) }
    return max(0, last.began + (level - last.level) / Self.greatest - moment)
  }

  /// The same before a sound that no answer makes louder: it waits where it is the first one.
  func silence(beforeFirstAt moment: Double) -> Double { max(0, start + Self.beforeFirst - moment) }

  /// A sound begins.
  mutating func note(_ level: SoundPressureLevel, at moment: Double) { last = (level, moment) }
}
