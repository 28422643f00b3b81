import Base

/// Scheduling of a thread, as read back from the kernel.
public enum Scheduling: Sendable, Equatable {
  /// SCHED_FIFO at `priority`, 1...99.
  case realtime(priority: Int)
  /// Sharing the processor with everything else, at nice value `nice`, because of `reason`.
  case ordinary(reason: Refusal, nice: Int)

  /// Why a thread has no real-time priority.
  public enum Refusal: Sendable, Equatable {
    /// The kernel said EPERM; `limit` is the process's RLIMIT_RTPRIO, `wanted` the priority asked for.
    case notPermitted(wanted: Int, limit: Int)
    /// The call failed with another errno.
    case failed(code: Int32)
    /// The call succeeded, but the kernel reports this policy and priority.
    case notInForce(policy: Int, priority: Int)
    /// The thread ran for RLIMIT_RTTIME without waiting, and was taken back.
    case ranTooLong
  }

  /// True when the thread has real-time priority.
  public var isRealtime: Bool {
    if case .realtime = self { true } else { false }
  }
}

extension Scheduling: CustomStringConvertible {
  /// One sentence without a final stop, for status lines.
  public var description: String {
    switch self {
    case .realtime(let priority): "real-time, SCHED_FIFO priority \(priority)"
    case .ordinary(let reason, let nice): "not real-time (nice \(nice)): \(reason)"
    }
  }
}

extension Scheduling.Refusal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notPermitted(let wanted, let limit) where limit < wanted:
      "priority \(wanted) was asked for, but RLIMIT_RTPRIO is \(limit); set LimitRTPRIO in the unit, or rtprio "
        + "in /etc/security/limits.d"
    case .notPermitted(let wanted, let limit):
      "priority \(wanted) was refused although RLIMIT_RTPRIO is \(limit); the control group may have no "
        + "real-time budget (cpu.rt_runtime_us), or a sandbox forbids sched_setscheduler"
    case .failed(let code):
      "sched_setscheduler: \(SystemError.words(for: code)) (errno \(code))"
    case .notInForce(let policy, let priority):
      "SCHED_FIFO was granted, but the kernel now reports policy \(policy), priority \(priority)"
    case .ranTooLong:
      "the thread ran for the whole of RLIMIT_RTTIME without waiting and was taken back to SCHED_OTHER"
    }
  }
}
