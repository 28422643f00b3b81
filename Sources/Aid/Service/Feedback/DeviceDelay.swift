/// Delay of the devices' loop, by what they say of it again and again.
///
/// Some drivers tell it by whole periods, a period more or less by chance: the shortest of the last while
/// counts. A delay taken too short costs the canceller taps, one too long the path's beginning. A drop-out
/// or another device gives the loop another delay, which counts at once.
struct DeviceDelay: Sendable {
  /// Time in which a delay that grew by itself is believed, s: some ten readings, of which one would have
  /// told the shorter one.
  static let span = 2.0
  /// Shortening that is followed, s: less moves nothing that a canceller's first tap would miss.
  static let leastFall = 0.0005
  /// Lengthening that is followed, s: less lies within the canceller's taps, and two clocks that keep
  /// together wander by some of it.
  static let leastRise = 0.001

  /// s; nil: not told yet.
  private(set) var value: Double?
  private var told: [(time: Double, delay: Double)] = []

  /// Begins anew: readings from now on are of another loop.
  mutating func begin() { told = [] }

  /// Takes what was told.
  ///
  /// - Parameters:
  ///   - delay: s.
  ///   - now: Monotonic, s.
  /// - Returns: True when ``value`` is another one now.
  mutating func tell(_ delay: Double, now: Double) -> Bool {
    told.removeAll { now - $0.time > Self.span }
    told.append((now, delay))
    let shortest = told.reduce(delay) { min($0, $1.delay) }
    guard let former = value else {
      value = delay
      return true
    }
    let change = shortest - former
    guard change >= Self.leastRise || -change >= Self.leastFall else { return false }
    // Of the same loop what was told shorter lasts for the span; of another one nothing is left.
    value = shortest
    return true
  }
}
