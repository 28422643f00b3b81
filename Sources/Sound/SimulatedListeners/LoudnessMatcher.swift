import Base

/// Somebody who turns a tone to the loudness of their tinnitus in steps of 5 and 1 dB, and misses it by chance.
///
/// - Threads: any, one at a time.
package struct LoudnessMatcher: Sendable {
  /// dB HL of a tone as loud as the tinnitus.
  package let loudness: Double
  /// Standard deviation of what a trial is turned to, dB.
  package let spread: Double
  /// Level that this trial is turned to, dB HL; nil: the trial has not begun.
  private var wanted: Double?
  /// Level before the last turn.
  private var former: Double?
  private var isFine = false

  package init(loudness: Double, spread: Double) { (self.loudness, self.spread) = (loudness, spread) }

  /// The next key for a tone of some level: dB to turn it by; nil: it is as loud as the tinnitus.
  ///
  /// - Parameter level: dB HL. Where it did not follow the last key, at the end of what may sound, it is taken.
  package mutating func turn(from level: Double, _ random: inout SeededNumbers) -> Double? {
    let wanted = wanted ?? loudness + spread * random.normal()
    self.wanted = wanted
    if !isFine, abs(wanted - level) >= 5, level != former {
      former = level
      return wanted > level ? 5 : -5
    }
    if !isFine { (isFine, former) = (true, nil) }
    if abs(wanted - level) > 0.5, level != former {
      former = level
      return wanted > level ? 1 : -1
    }
    (self.wanted, former, isFine) = (nil, nil, false)
    return nil
  }
}
