import Base
import Glibc
import Realtime

/// Factor of every wait's limit: AURICLE_PATIENCE, for an emulator, which takes some sixty times as long.
private let patience = getenv("AURICLE_PATIENCE").flatMap { Double(String(cString: $0)) } ?? 1

/// Waits until something is so that another thread brings about.
///
/// - Parameter limit: Time after which it is given up, s: far longer than it takes, for a busy machine.
/// - Returns: Whether it came to be.
package func eventually(within limit: Double = 120, _ condition: () -> Bool) -> Bool {
  let end = SystemTime.monotonic + limit * patience
  while SystemTime.monotonic < end {
    if condition() { return true }
    usleep(500)
  }
  return condition()
}
