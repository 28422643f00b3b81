import Base
import CLinux
import Glibc

/// Scheduling of a thread, as read back from the kernel.
public enum Scheduling: Sendable, Equatable, CustomStringConvertible {
  /// At `priority`, 1...99.
  case realtime(priority: Int, policy: Policy = .firstInFirstOut)
  /// Sharing the processor with everything else, at nice value `nice`, because of `reason`.
  case ordinary(reason: Refusal, nice: Int)

  /// Among threads of the same priority.
  public enum Policy: String, Sendable {
    /// Until it waits: what the aid asks for itself.
    case firstInFirstOut = "SCHED_FIFO"
    /// In turn: what RealtimeKit gives.
    case roundRobin = "SCHED_RR"
  }

  /// Reason for which a thread has no real-time priority.
  public enum Refusal: Sendable, Equatable, CustomStringConvertible {
    /// The kernel said EPERM; `limit` is the process's RLIMIT_RTPRIO, `wanted` the priority asked for.
    case notPermitted(wanted: Int, limit: Int)
    /// The call failed with another errno.
    case failed(code: Int32)
    /// The call succeeded, but the kernel reports this policy and priority.
    case notInForce(policy: Int, priority: Int)
    /// The thread ran for RLIMIT_RTTIME without waiting, and was taken back.
    case ranTooLong

    public var description: String {
      switch self {
      case .notPermitted(let wanted, let limit) where limit < wanted:
        "priority \(wanted) was asked for, but RLIMIT_RTPRIO is \(limit); set LimitRTPRIO in the unit, or rtprio "
          + "in /etc/security/limits.d"
      case .notPermitted(let wanted, let limit):
        "priority \(wanted) was refused although RLIMIT_RTPRIO is \(limit); the control group may have no "
          + "real-time budget (cpu.rt_runtime_us), or a sandbox forbids sched_setscheduler"
      case .failed(let code): "sched_setscheduler: \(SystemError.words(for: code)) (errno \(code))"
      case .notInForce(let policy, let priority):
        "SCHED_FIFO was granted, but the kernel now reports policy \(policy), priority \(priority)"
      case .ranTooLong:
        "the thread ran for the whole of RLIMIT_RTTIME without waiting and was taken back to SCHED_OTHER"
      }
    }
  }

  /// True when the thread has real-time priority.
  public var isRealtime: Bool { if case .realtime = self { true } else { false } }

  /// One sentence without a final stop, for status lines.
  public var description: String {
    switch self {
    case .realtime(let priority, let policy): "real-time, \(policy.rawValue) priority \(priority)"
    case .ordinary(let reason, let nice): "not real-time (nice \(nice)): \(reason)"
    }
  }
}

/// The system calls by which a thread gets real-time priority, replaceable so that refusals can be tested
/// by a process that has every permission.
///
/// Results follow the kernel: 0, or a negated errno value. A `thread` of 0 is the caller.
struct SchedulingCalls: Sendable {
  /// Sets policy and priority.
  var set: @Sendable (_ thread: Int32, _ policy: Int32, _ priority: Int32) -> Int32
  /// Reads policy and priority.
  var get: @Sendable (_ thread: Int32, _ policy: inout Int32, _ priority: inout Int32) -> Int32
  /// Sets the nice value.
  var setNice: @Sendable (_ thread: Int32, _ nice: Int32) -> Int32
  /// Reads the nice value, −20 to 19.
  var nice: @Sendable (_ thread: Int32) -> Int32
  /// The soft RLIMIT_RTPRIO.
  var priorityLimit: @Sendable () -> Int

  /// The kernel's own.
  static let kernel = SchedulingCalls(
    set: { thread, policy, priority in clinux_set_scheduling(thread, policy, priority) },
    get: { thread, policy, priority in unsafe clinux_get_scheduling(thread, &policy, &priority) },
    setNice: { thread, nice in clinux_set_nice(thread, nice) },
    // Fails for a thread that is gone, of which nobody asks.
    nice: { thread in getpriority(Int32(PRIO_PROCESS.rawValue), id_t(bitPattern: thread)) },
    priorityLimit: {
      var (soft, hard): (UInt64, UInt64) = (0, 0)
      let result = unsafe clinux_get_limit(Int32(CLINUX_RLIMIT_RTPRIO), &soft, &hard)
      return result == 0 ? Int(clamping: soft) : 0
    })

  /// Nice value asked for when real time is refused: what rtkit and PulseAudio use for sound.
  static let fallbackNice: Int32 = -11

  /// Asks for SCHED_FIFO with RESET_ON_FORK at `priority` and reads back what is in force; when refused,
  /// asks for a better nice value, where the thread does not have that already.
  ///
  /// - Threads: control for any thread, or the thread itself before it goes live.
  func request(priority: Int, for thread: Int32) -> Scheduling {
    let policy = Int32(CLINUX_SCHED_FIFO | CLINUX_SCHED_RESET_ON_FORK)
    let result = set(thread, policy, Int32(clamping: priority))
    let reason: Scheduling.Refusal
    if result == 0 {
      switch inForce(for: thread) {
      case .realtime(let granted, let policy) where granted == priority:
        return .realtime(priority: granted, policy: policy)
      case .realtime(let granted, _):
        reason = .notInForce(policy: Int(CLINUX_SCHED_FIFO), priority: granted)
      case .ordinary(let found, _): reason = found
      }
    } else if result == -EPERM {
      reason = .notPermitted(wanted: priority, limit: priorityLimit())
    } else {
      reason = .failed(code: -result)
    }
    // Refused, or left, it keeps what it has, which whoever started the process may have chosen.
    if nice(thread) > Self.fallbackNice { _ = setNice(thread, Self.fallbackNice) }
    return .ordinary(reason: reason, nice: Int(nice(thread)))
  }

  /// Scheduling that the kernel reports for `thread` now.
  func inForce(for thread: Int32) -> Scheduling {
    var (policy, priority): (Int32, Int32) = (0, 0)
    let result = get(thread, &policy, &priority)
    guard result == 0 else { return .ordinary(reason: .failed(code: -result), nice: Int(nice(thread))) }
    policy &= ~Int32(CLINUX_SCHED_RESET_ON_FORK)
    if policy == Int32(CLINUX_SCHED_FIFO) { return .realtime(priority: Int(priority)) }
    if policy == Int32(CLINUX_SCHED_RR) { return .realtime(priority: Int(priority), policy: .roundRobin) }
    return .ordinary(
      reason: .notInForce(policy: Int(policy), priority: Int(priority)), nice: Int(nice(thread)))
  }
}
