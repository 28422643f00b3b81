import Glibc

/// Times of day and of the machine.
public enum Moment {
  /// s since 1970-01-01 UTC.
  public static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
