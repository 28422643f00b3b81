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

  /// Least RLIMIT_MEMLOCK with which memory is locked, bytes: 843 MB counted as locked with JACK, as
  /// measured, and a margin. An eighth of the memory, a session's limit by systemd, is more from 8 GB on.
  static let leastLimit: UInt64 = 900_000_000

  /// Locks all present and future pages of the process.
  ///
  /// Call it once pools and buffers exist. Everything counts against RLIMIT_MEMLOCK, touched or not, so the
  /// usual 8 MiB do not suffice for any program; the unit sets `LimitMEMLOCK=infinity`. A limit that holds
  /// the process as it is, and not its devices and threads to come, would leave it without them: then nothing
  /// is locked.
  ///
  /// - Threads: control.
  public static func lockAll() -> MemoryLock { lockAll { flags in clinux_mlockall(flags) } }

  /// The same with other system calls.
  ///
  /// - Parameters:
  ///   - lock: Flags in, 0 or a negated errno out.
  ///   - unlock: Undoes the lock.
  ///   - map: Maps so many bytes and gives them back: 0 or a negated errno.
  ///   - limit: The soft RLIMIT_MEMLOCK, bytes; nil for none.
  static func lockAll(
    lock: (_ flags: Int32) -> Int32, unlock: () -> Void = MemoryLock.unlockAll,
    map: (_ bytes: UInt64) -> Int32 = MemoryLock.map, limit: UInt64? = MemoryLock.limit
  ) -> MemoryLock {
    let all = Int32(CLINUX_MCL_CURRENT | CLINUX_MCL_FUTURE)
    var outcome = MemoryLock.onFault
    var result = lock(all | Int32(CLINUX_MCL_ONFAULT))
    if result == -EINVAL {
      outcome = .everything
      result = lock(all)
    }
    guard result == 0 else {
      return .refused(limit: limit, error: SystemError(call: "mlockall", code: -result))
    }
    guard let limit, limit < leastLimit else { return outcome }
    // Only a process that the limit does not bind (CAP_IPC_LOCK) gets as much as the limit, besides what is
    // locked already.
    let mapped = map(limit)
    guard mapped == -EAGAIN else { return outcome }
    unlock()
    return .refused(limit: limit, error: SystemError(call: "mmap", code: -mapped))
  }

  /// The soft RLIMIT_MEMLOCK, bytes; nil for none.
  private static var limit: UInt64? {
    var (soft, hard): (UInt64, UInt64) = (0, 0)
    let known = unsafe clinux_get_limit(Int32(CLINUX_RLIMIT_MEMLOCK), &soft, &hard) == 0
    return known && soft != CLINUX_RLIM_INFINITY ? soft : nil
  }

  /// Maps bytes that may not be read, so that no page is filled, and gives them back. Beyond the limit the
  /// kernel says EAGAIN (mmap(2)).
  private static func map(_ bytes: UInt64) -> Int32 {
    let size = Int(clamping: bytes)
    let memory = unsafe mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard unsafe memory != MAP_FAILED else { return -errno }
    unsafe munmap(memory, size)
    return 0
  }

  /// Undoes ``lockAll()``.
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
