import Prescriptions

/// Time that never goes back: from the latest moment seen, it goes on as fast as the clock that nobody can
/// set, and follows the wall clock only forward.
struct BookTime {
  /// A wall clock behind by more than this is worth saying, s. Clocks that are corrected over the network
  /// differ by seconds.
  static let tolerance = 120

  let clock: BookClock
  private(set) var latest: Instant
  private var anchor: Int

  init(clock: BookClock, latest: Instant) {
    self.clock = clock
    self.latest = latest
    anchor = clock.running()
  }

  /// The present.
  mutating func read() -> Instant {
    let running = clock.running()
    latest = max(clock.wall(), latest + max(0, running - anchor))
    anchor = running
    return latest
  }

  /// Seconds by which the wall clock is behind; nil within ``tolerance``.
  var lag: Int? {
    let lag = latest - clock.wall()
    return lag > Self.tolerance ? lag : nil
  }

  /// Believes the wall clock.
  mutating func correct() {
    latest = clock.wall()
    anchor = clock.running()
  }
}
