import Base

/// One moment by the three clocks that the daemon goes by, s.
struct Moment: Sendable, Equatable {
  /// Monotonic, without suspension: for deadlines.
  var monotonic: Double
  /// Since the machine started, suspension included: for how long something has lasted.
  var running: Double
  /// Since 1970-01-01 UTC. Anybody may set it.
  var wall: Double

  /// The present.
  static var now: Moment {
    Moment(monotonic: SystemTime.monotonic, running: SystemTime.running, wall: SystemTime.wall)
  }

  /// The wall clock's time of an earlier moment: as it was noted, unless the wall clock was set since; then
  /// as it goes now.
  func wallTime(of earlier: Moment) -> Double {
    let time = wall - (running - earlier.running)
    return abs(time - earlier.wall) < 1 ? earlier.wall : time
  }
}
