import Glibc

/// A moment in local time.
struct Timestamp {
  private var parts = tm()

  /// 1970 to 9999, s since 1970-01-01 UTC.
  static let times = 0.0...253_402_300_799

  /// - Parameter time: s since 1970-01-01 UTC. Outside ``times``, whoever said so, the nearest end is shown.
  init(_ time: Double) {
    // In this form what is not a number is held, too.
    let held = time > Self.times.lowerBound ? min(time, Self.times.upperBound) : Self.times.lowerBound
    var seconds = time_t(held.rounded(.down))
    localtime_r(&seconds, &parts)
  }

  /// `2026-01-31T14:02:11+0100`, ISO 8601.
  var text: String { format("%Y-%m-%dT%H:%M:%S%z") }
  /// `14:02:11`.
  var clock: String { format("%H:%M:%S") }
  /// `2026-01-31`.
  var day: String { format("%Y-%m-%d") }

  private func format(_ pattern: String) -> String {
    var buffer = [CChar](repeating: 0, count: 64)
    let count = withUnsafePointer(to: parts) { strftime(&buffer, buffer.count, pattern, $0) }
    return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Now, s since 1970-01-01 UTC.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Time that never jumps, s since the machine started.
  static var monotonic: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
