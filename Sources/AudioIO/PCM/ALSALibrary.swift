import CALSA
import Glibc

/// What is settled for alsa-lib as a whole, once per process.
public enum ALSALibrary {
  private static let settled: Bool = {
    calsa_silence_errors()
    // alsa-lib locks a mutex in every call on every device but `hw`, for programs that share a device between
    // threads. A stream has one owner at a time, and its thread should not even lock uncontended.
    return unsafe setenv("LIBASOUND_THREAD_SAFE", "0", 0) == 0
  }()

  /// Keeps alsa-lib from printing to standard error, and from locking (unless LIBASOUND_THREAD_SAFE is set
  /// already). Opening a device does it too; a program that has threads by then should do it first, because
  /// it sets an environment variable.
  ///
  /// - Threads: control.
  public static func prepare() { _ = settled }
}
