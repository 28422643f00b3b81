import Base
import CLinux
import Glibc

/// Result of the attempt to keep the process's memory from being paged out.
public enum MemoryLock: Sendable, Equatable, CustomStringConvertible {
  /// Pages are locked as they are first touched (MCL_ONFAULT): exactly those in use.
  case onFault
  /// Every mapping is filled and locked; a kernel before 4.4.
  case everything
  /// Nothing is locked; `limit` is the soft RLIMIT_MEMLOCK, bytes, `nil` for none; `error` the last
  /// failure.
  case refused(limit: UInt64?, error: SystemError)

  /// Locks all present and future pages of the process.
  ///
  /// Call it once pools and buffers exist. Everything counts against RLIMIT_MEMLOCK, touched or not, so the
  /// usual 8 MiB do not suffice for any program; the unit sets `LimitMEMLOCK=infinity`.
  ///
  /// - Parameter lock: The system call (flags in, 0 or a negated errno out); replaced in tests.
  /// - Threads: control.
  public static func lockAll(
    lock: (_ flags: Int32) -> Int32 = { flags in clinux_mlockall(flags) }
  ) -> MemoryLock {
    let all = Int32(CLINUX_MCL_CURRENT | CLINUX_MCL_FUTURE)
    var result = lock(all | Int32(CLINUX_MCL_ONFAULT))
    if result == 0 { return .onFault }
    if result == -EINVAL {
      result = lock(all)
      if result == 0 { return .everything }
    }
    var (soft, hard): (UInt64, UInt64) = (0, 0)
    let known = unsafe clinux_get_limit(Int32(CLINUX_RLIMIT_MEMLOCK), &soft, &hard) == 0
    return .refused(
      limit: known && soft != CLINUX_RLIM_INFINITY ? soft : nil,
      error: SystemError(call: "mlockall", code: -result))
  }

  /// Undoes ``lockAll(lock:)``.
  ///
  /// - Threads: control.
  public static func unlockAll() { _ = clinux_munlockall() }

  /// One sentence without a final stop, for status lines.
  public var description: String {
    switch self {
    case .onFault: "memory in use is locked"
    case .everything: "all memory is locked"
    case .refused(let limit?, let error):
      "memory is not locked: \(error); RLIMIT_MEMLOCK is \(limit / 1024) KiB, set LimitMEMLOCK=infinity in the "
        + "unit, or memlock in /etc/security/limits.d"
    case .refused(nil, let error): "memory is not locked: \(error)"
    }
  }
}
