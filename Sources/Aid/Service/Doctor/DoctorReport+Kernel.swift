import Base
import Control
import Realtime

/// Findings on what the machine grants to the audio thread.
extension DoctorReport {
  static func priority(_ machine: Machine) -> [Finding] {
    let isRealtime: Bool
    let found: String
    // While it has no thread, a daemon of this user will have what this command is granted.
    if let realtime = machine.report?.realtime, realtime.hasThread || machine.isAnothers {
      guard realtime.hasThread else {
        // It says nothing of another user's, as of the service, which has limits of its own.
        let found = "not known of the daemon: \(StatusReport.Realtime.noThread)"
        return [Finding("real time", .good, found: found), memory(machine)]
      }
      isRealtime = realtime.isGranted
      found =
        "the daemon has "
        + (isRealtime
          ? "\(realtime.policy) \(realtime.priority)" : "none: \(realtime.reason ?? "no reason given")")
    } else {
      isRealtime = machine.scheduling?.isRealtime == true
      let words = machine.scheduling.map { "\($0)" } ?? "no thread can be made to try it"
      found = isRealtime ? "granted, \(words)" : words
    }
    return [
      Finding(
        "real time", isRealtime ? .good : .warning, found: found, remedy: isRealtime ? nil : priorityRemedy,
        repair: .none(.administrator)),
      memory(machine),
    ]
  }

  private static func memory(_ machine: Machine) -> Finding {
    let isLocked: Bool
    let found: String
    if let memory = machine.report?.memory {
      isLocked = memory.isLocked
      found =
        isLocked
        ? "the daemon's is locked" : "the daemon's is not locked" + (memory.reason.map { ": \($0)" } ?? "")
    } else {
      isLocked = if case .refused = machine.memory { false } else { true }
      found = "\(machine.memory)"
    }
    guard !isLocked else { return Finding("memory", .good, found: found) }
    return Finding(
      "memory", .warning, found: found,
      remedy: "Sound can drop out when memory is short. Write \"@audio - memlock unlimited\" into"
        + " /etc/security/limits.d/95-auricle.conf and log in again.", repair: .none(.administrator))
  }

  private static let priorityRemedy =
    "Sound can drop out under load. Write \"@audio - rtprio 80\" into /etc/security/limits.d/95-auricle.conf, join"
    + " the group audio, and log in again; or use the system service."

  static func kernel(_ machine: Machine) -> [Finding] {
    let governor =
      switch machine.governor {
      case nil: Finding("processor speed", .good, found: "not adjustable from here")
      case "performance": Finding("processor speed", .good, found: "governor performance")
      case .some(let name):
        Finding(
          "processor speed", .warning, found: "governor \(name), which may slow down between blocks",
          remedy: "As root: cpupower frequency-set -g performance", repair: .none(.administrator))
      }
    let words = machine.kernel.split(separator: " ")
    let isRealtime = machine.isRealtimeKernel || words.contains("PREEMPT_RT")
    let preemption =
      isRealtime
      ? "fully preemptible, PREEMPT_RT"
      : words.first { $0.hasPrefix("PREEMPT") }.map { "preemptible, \($0)" }
    return [
      governor,
      preemption.map { Finding("kernel", .good, found: $0) }
        ?? Finding(
          "kernel", .warning, found: "not known to be preemptible",
          remedy: "If sound drops out, use longer periods or a kernel with PREEMPT_RT.",
          repair: .none(.administrator)),
    ]
  }
}
