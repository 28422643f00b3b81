import Glibc
public import Prescriptions

/// The two clocks that the book reads.
public struct BookClock: Sendable {
  /// What the system says the time is. Anybody may have set it.
  public let wall: @Sendable () -> Instant
  /// s since the system started, sleep included. Nobody can set it.
  public let running: @Sendable () -> Int

  public init(wall: @escaping @Sendable () -> Instant, running: @escaping @Sendable () -> Int) {
    self.wall = wall
    self.running = running
  }

  /// CLOCK_REALTIME and CLOCK_BOOTTIME.
  public static let system = BookClock(
    wall: { Instant(seconds: seconds(of: CLOCK_REALTIME)) }, running: { seconds(of: CLOCK_BOOTTIME) })

  private static func seconds(of clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec
  }
}
