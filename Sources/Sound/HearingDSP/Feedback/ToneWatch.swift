/// Follows whether a sound is a steady tone or has few harmonics, as a flute does.
///
/// - Threads: `audio`.
struct ToneWatch {
  /// Share of the power in three peaks above and one below the lowest frequency of a howl that makes a sound one, and
  /// readings in which it must be so.
  static let share: Float = 0.99
  static let readings = 5

  private(set) var certainty = ToneCertainty.absent
  private var run = 0
  private var lastPower: Float = 0

  /// Takes the next reading.
  ///
  /// - Parameters:
  ///   - low: Power below what was read.
  ///   - lowPeak: Of that, in the strongest peak.
  mutating func read(_ reading: ToneReading, low: Float, lowPeak: Float) {
    let high = reading.power / max(reading.share, 1e-6)
    let total = high + low + 1e-20
    let strongest = reading.threeShare * high + lowPeak
    let power = reading.power + lowPeak
    let isSteady = power < 1.3 * lastPower && lastPower < 1.3 * power
    lastPower = power
    run = strongest > Self.share * total && isSteady ? min(run + 1, Self.readings) : max(0, run - 2)
    if run == Self.readings || (certainty == .certain && run > 0) {
      certainty = .certain
    } else {
      certainty = run > 0 ? .possible : .absent
    }
  }
}
