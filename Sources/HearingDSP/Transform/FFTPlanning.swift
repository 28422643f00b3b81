import CFFTW
import Glibc
import Synchronization

/// FFTW's planner, which is one per process and not thread-safe.
///
/// - Threads: `control`. Planning measures for 0.1–0.3 s when nothing is known and takes about 1 ms from
///   kept wisdom; it overwrites the buffers it is given.
public enum FFTPlanning {
  private static let planner = Mutex(())

  /// Runs `body` while no other thread plans.
  static func exclusively(_ body: () -> Void) {
    planner.withLock { _ in body() }
  }

  /// Reads wisdom that an earlier run kept.
  ///
  /// - Parameter path: File written by ``keepWisdom(at:)``.
  /// - Returns: Whether the file was there and understood; false costs only planning time.
  @discardableResult
  public static func recallWisdom(from path: String) -> Bool {
    var isUnderstood = false
    exclusively { isUnderstood = unsafe fftwf_import_wisdom_from_filename(path) != 0 }
    return isUnderstood
  }

  /// Keeps what the planner has learnt, replacing the file in one step.
  ///
  /// - Returns: False when the folder cannot be written; the next start then plans anew.
  @discardableResult
  public static func keepWisdom(at path: String) -> Bool {
    let draft = path + ".new"
    var isWritten = false
    exclusively { isWritten = unsafe fftwf_export_wisdom_to_filename(draft) != 0 }
    guard isWritten else {
      unsafe unlink(draft)
      return false
    }
    return unsafe rename(draft, path) == 0
  }
}
