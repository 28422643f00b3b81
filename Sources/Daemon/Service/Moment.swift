import Glibc

/// Times of day and of the machine.
public enum Moment {
  /// s since 1970-01-01 UTC.
  public static var now: Double { seconds(CLOCK_REALTIME) }

  /// s since the machine started, those that it slept with them (`CLOCK_BOOTTIME`): nobody can set this clock.
  static var running: Double { seconds(CLOCK_BOOTTIME) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// The two clocks by which a daemon says since when something is so. Durations are the running clock's: the other
/// may be set while they pass.
struct DaemonClock: Sendable {
  /// s since 1970-01-01 UTC.
  var wall: @Sendable () -> Double
  /// s, never set and never back.
  var running: @Sendable () -> Double

  static let system = DaemonClock(wall: { Moment.now }, running: { Moment.running })

  /// The wall clock's time of a moment of the running clock: as it was noted, unless the wall clock was set since;
  /// then as it goes now.
  func wallTime(of moment: Double, noted: Double) -> Double {
    let time = wall() - (running() - moment)
    return abs(time - noted) < 1 ? noted : time
  }
}
