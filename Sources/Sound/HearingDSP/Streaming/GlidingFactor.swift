import Glibc

/// A factor that moves to another one no faster than any gain of the aid.
///
/// - Threads: `any`, one at a time; allocates nothing.
struct GlidingFactor: BitwiseCopyable {
  /// Greatest speed, dB per s: below 2 dB in 100 ms, as of a change of program. A jump of 3 dB in that time is heard
  /// as one.
  static let speed = 20.0

  private(set) var value: Float
  private let step: Float

  /// - Parameters:
  ///   - value: Linear, above 0.
  ///   - hopTime: Time between two moves, s.
  init(_ value: Float, hopTime: Double) {
    self.value = value
    step = Float(pow(10, Self.speed * hopTime / 20))
  }

  /// Moves by one hop.
  ///
  /// - Returns: Factors before the hop's first sample and at its last.
  mutating func process(towards wanted: Float) -> (from: Float, to: Float) {
    let from = value
    value = wanted < from ? max(wanted, from / step) : min(wanted, from * step)
    return (from, value)
  }
}
