import AudioIO
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
      let advice = advice(report.state)
      let daemon = Finding(
        "daemon", verdict, found: sentence, remedy: advice?.remedy, repair: .none(advice?.reason ?? .choice)
      )
      let buffers = report.devices?.buffersSeconds(periods: machine.periods) ?? 0
      let longer = longerPeriod(of: report.devices, machine)
      return [daemon] + (report.latency.map { [delay($0, buffers: buffers, longer: longer)] } ?? [])
    }
  }

  /// The way from a state to sound, and why it is not gone by itself; nil: there is sound.
  private static func advice(
    _ state: StatusReport.State
  ) -> (remedy: String, reason: Repair.Reason)? {
    // Silence that was asked for outlasts every other state.
    let unmuting = state.isMuted ? ", then auricle unmute" : ""
    let afterwards = state.isMuted ? " It is muted: then auricle unmute" : ""
    return switch state.name {
    case .running: nil
    case .muted: ("Sound again: auricle unmute", .hearing)
    case .stopped: ("Sound again: auricle start\(unmuting)", .hearing)
    case .starting: ("It starts: ask again in a few seconds.\(afterwards)", .waiting)
    case .waitingForDevice:
      ("It begins by itself once its reason has gone; see the lines above.\(afterwards)", .waiting)
    case .faulted:
      ("Put right what its reason says, then auricle reload, or auricle start.\(afterwards)", .hearing)
    }
  }

  /// Sentences on periods that are longer than the configuration asks for, and on who decides them; nil: they are not, or it is not known.
  /// The configuration is the file's, which the daemon may not have read since it was changed.
  private static func longerPeriod(of devices: StatusReport.Devices?, _ machine: Machine) -> String? {
    guard let devices, let asked = machine.period, devices.blockFrames > asked else { return nil }
    let longer = [devices.capture, devices.playback].filter { $0.periodFrames > asked }
    let cause =
      longer.contains { DevicePlace.isShared($0.name) }
      ? "it is the setting of the devices' sound server or plugin: change it there, or choose other devices"
      : "the card has no period nearer to it, and only other devices have"
    return
      "The aid has periods of \(devices.blockFrames) frames, not the \(asked) of device.period. If that was changed since its devices"
      + " were opened: auricle reload. Otherwise \(cause): auricle devices"
  }

  /// Longest delay that is good, s. Own choice: it leaves room above the 6 ms of the default settings and stays below what wearers with
  /// open ears are said to notice in their own voice.
  private static let longestDelay = 0.010

  /// Delay as it was measured, beside what the devices tell; where nobody has measured it, what they tell alone.
  ///
  /// - Parameters:
  ///   - buffers: Part of it that grows with the block, s.
  ///   - longer: Sentence on a block that is longer than the configuration asks for; nil: it is as asked for.
  private static func delay(
    _ latency: StatusReport.Latency, buffers: Double, longer: String?
  ) -> Finding {
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
      return Finding("delay", .warning, found: found, remedy: longer ?? "Make device.period smaller.")
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
