import Glibc

/// The system's clocks, s.
///
/// - Threads: any; no system call where the kernel offers the clock in user space.
public enum SystemTime {
  /// Since an arbitrary start (`CLOCK_MONOTONIC`). It neither jumps nor counts suspended time; ALSA's
  /// monotonic timestamps are on the same clock. A double resolves 2 ns after 100 days.
  public static var monotonic: Double {
    @_semantics("no_performance_analysis") get { seconds(CLOCK_MONOTONIC) }
  }

  /// Since the machine started, suspension included (`CLOCK_BOOTTIME`); it cannot be set.
  public static var running: Double { seconds(CLOCK_BOOTTIME) }

  /// Since 1970-01-01 UTC (`CLOCK_REALTIME`). Anybody may have set it.
  public static var wall: Double { seconds(CLOCK_REALTIME) }

  /// Processor time of the calling thread (`CLOCK_THREAD_CPUTIME_ID`); a system call.
  public static var thread: Double {
    @_semantics("no_performance_analysis") get { seconds(CLOCK_THREAD_CPUTIME_ID) }
  }

  /// Processor time of a running process; 0 when it has ended.
  public static func processor(of process: pid_t) -> Double {
    var clock = clockid_t()
    return clock_getcpuclockid(process, &clock) == 0 ? seconds(clock) : 0
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// A time as people read it, in the local zone.
package struct Timestamp {
  private var parts = tm()

  /// 1970 to 9999, s since 1970-01-01 UTC.
  package static let times = 0.0...253_402_300_799

  /// - Parameter time: s since 1970-01-01 UTC. Outside ``times`` the nearest end is
  ///   shown.
  package init(_ time: Double) {
    // In this form what is not a number is held, too.
    let held = time > Self.times.lowerBound ? min(time, Self.times.upperBound) : Self.times.lowerBound
    var seconds = time_t(held.rounded(.down))
    localtime_r(&seconds, &parts)
  }

  /// `2026-01-31 14:02:11 +0100`: day, time and zone, in every message and table.
  package var text: String { format("%Y-%m-%d %H:%M:%S %z") }
  /// `2026-01-31T14:02:11+0100`, ISO 8601: the time of a line of the log.
  package var stamp: String { format("%Y-%m-%dT%H:%M:%S%z") }
  /// `14:02:11`.
  package var clock: String { format("%H:%M:%S") }
  /// `2026-01-31`.
  package var day: String { format("%Y-%m-%d") }

  private func format(_ pattern: String) -> String {
    var buffer = [CChar](repeating: 0, count: 64)
    let count = withUnsafePointer(to: parts) { strftime(&buffer, buffer.count, pattern, $0) }
    return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
