import Base
import Control

/// Findings on the daemon, and on its delay.
extension DoctorReport {
  static func daemon(_ machine: Machine) -> [Finding] {
    switch machine.daemon {
    case .failure(let failure) where failure.exitStatus == .unavailable:
      return [
        Finding(
          "daemon", .warning, found: "not running",
          remedy: "\(machine.start.request): \(machine.start.command)", repair: .none(.hearing))
      ]
    case .failure(let failure):
      return [Finding("daemon", .bad, found: failure.found, remedy: failure.remedy)]
    case .success(let report):
      let sentence = "process \(report.daemon.pid), \(StatusText(report).sentence)"
      let verdict: Finding.Verdict =
        switch report.state.name {
        case .running: .good
        case .muted, .stopped, .starting, .waitingForDevice: .warning
        case .faulted: .bad
        }
      let daemon = Finding("daemon", verdict, found: sentence)
      let buffers = report.devices?.buffersSeconds(periods: machine.periods) ?? 0
      return [daemon] + (report.latency.map { [delay($0, buffers: buffers)] } ?? [])
    }
  }

  /// Longest delay that is good, s. Own choice: it leaves room above the 6 ms of the default settings and stays below what wearers with
  /// open ears are said to notice in their own voice.
  private static let longestDelay = 0.010

  /// Delay as it was measured, beside what the devices tell; where nobody has measured it, what they tell alone.
  ///
  /// - Parameter buffers: Part of it that grows with the block, s.
  private static func delay(_ latency: StatusReport.Latency, buffers: Double) -> Finding {
    let found =
      if let measured = latency.measuredWords {
        measured
      } else if let loop = latency.loopSeconds {
        NumberText.milliseconds(loop) + (latency.chainClause.map { ", \($0)" } ?? "")
      } else {
        "not measured yet" + (latency.chainWords.map { "; the chain's own is \($0)" } ?? "")
      }
    guard let loop = latency.measured?.loopSeconds ?? latency.loopSeconds, loop > longestDelay else {
      return Finding("delay", .good, found: found)
    }
    // Shorter periods take nothing away but a part of the buffers, and the buffers are no more than what the devices tell.
    guard loop - min(buffers, latency.loopSeconds ?? buffers) > longestDelay else {
      return Finding("delay", .warning, found: found, remedy: "Make device.period smaller.")
    }
    let untold = loop - (latency.loopSeconds ?? 0)
    return Finding(
      "delay", .warning, found: found,
      remedy: untold > LoopDelayText.ordinary
        ? LoopDelayText.hidden
        : "Most of it lies behind the buffers of the devices: a sound server, a plugin or a radio link. auricle devices"
          + " lists the others.")
  }
}
