import CLinux
import Glibc

/// The system calls by which a thread gets real-time priority, replaceable so that refusals can be tested
/// by a process that has every permission.
///
/// Results follow the kernel: 0, or a negated errno value. A `thread` of 0 is the caller.
public struct SchedulingCalls: Sendable {
  /// Sets policy and priority.
  public var set: @Sendable (_ thread: Int32, _ policy: Int32, _ priority: Int32) -> Int32
  /// Reads policy and priority.
  public var get: @Sendable (_ thread: Int32, _ policy: inout Int32, _ priority: inout Int32) -> Int32
  /// Sets the nice value.
  public var setNice: @Sendable (_ thread: Int32, _ nice: Int32) -> Int32
  /// The soft RLIMIT_RTPRIO.
  public var priorityLimit: @Sendable () -> Int

  /// Creates a set of calls; tests replace some of them.
  public init(
    set: @escaping @Sendable (_ thread: Int32, _ policy: Int32, _ priority: Int32) -> Int32,
    get: @escaping @Sendable (_ thread: Int32, _ policy: inout Int32, _ priority: inout Int32) -> Int32,
    setNice: @escaping @Sendable (_ thread: Int32, _ nice: Int32) -> Int32,
    priorityLimit: @escaping @Sendable () -> Int
  ) {
    self.set = set
    self.get = get
    self.setNice = setNice
    self.priorityLimit = priorityLimit
  }

  /// The kernel's own.
  public static let kernel = SchedulingCalls(
    set: { thread, policy, priority in clinux_set_scheduling(thread, policy, priority) },
    get: { thread, policy, priority in unsafe clinux_get_scheduling(thread, &policy, &priority) },
    setNice: { thread, nice in clinux_set_nice(thread, nice) },
    priorityLimit: {
      var (soft, hard): (UInt64, UInt64) = (0, 0)
      let result = unsafe clinux_get_limit(Int32(CLINUX_RLIMIT_RTPRIO), &soft, &hard)
      guard result == 0 else { return 0 }
      return Int(clamping: soft)
    })

  /// Nice value asked for when real time is refused: what rtkit and PulseAudio use for sound.
  static let fallbackNice: Int32 = -11

  /// Asks for SCHED_FIFO with RESET_ON_FORK at `priority` and reads back what is in force; when refused,
  /// asks for a better nice value.
  ///
  /// - Threads: control for any thread, or the thread itself before it goes live.
  func request(priority: Int, for thread: Int32) -> Scheduling {
    let policy = Int32(CLINUX_SCHED_FIFO | CLINUX_SCHED_RESET_ON_FORK)
    let result = set(thread, policy, Int32(clamping: priority))
    let reason: Scheduling.Refusal
    if result == 0 {
      switch inForce(for: thread) {
      case .realtime(let granted) where granted == priority: return .realtime(priority: granted)
      case .realtime(let granted):
        reason = .notInForce(policy: Int(CLINUX_SCHED_FIFO), priority: granted)
      case .ordinary(let found, _): reason = found
      }
    } else if result == -EPERM {
      reason = .notPermitted(wanted: priority, limit: priorityLimit())
    } else {
      reason = .failed(code: -result)
    }
    let nice = setNice(thread, Self.fallbackNice) == 0 ? Self.fallbackNice : 0
    return .ordinary(reason: reason, nice: Int(nice))
  }

  /// Scheduling that the kernel reports for `thread` now.
  func inForce(for thread: Int32) -> Scheduling {
    var (policy, priority): (Int32, Int32) = (0, 0)
    let result = get(thread, &policy, &priority)
    guard result == 0 else { return .ordinary(reason: .failed(code: -result), nice: 0) }
    policy &= ~Int32(CLINUX_SCHED_RESET_ON_FORK)
    if policy == Int32(CLINUX_SCHED_FIFO) { return .realtime(priority: Int(priority)) }
    return .ordinary(reason: .notInForce(policy: Int(policy), priority: Int(priority)), nice: 0)
  }
}
