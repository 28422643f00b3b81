import Base
import Glibc
import Realtime

/// Waits until something is so that another thread brings about.
///
/// - Parameter limit: Time after which it is given up, s: far longer than it takes, for a busy machine.
/// - Returns: Whether it came to be.
func eventually(within limit: Double = 10, _ condition: () -> Bool) -> Bool {
  let end = SystemTime.monotonic + limit
  while SystemTime.monotonic < end {
    if condition() { return true }
    usleep(500)
  }
  return condition()
}
