import Control

/// A state as the wearer is told of it.
enum StateText {
  /// What `start`, `mute` and `stop` answer, such as `Sound is on.`
  static func sentence(_ state: StatusReport.State) -> String {
    let reason = state.reason.map { ": \($0)" } ?? ""
    if state.isMuted { return muted(state) }
    switch state.name {
    case .running, .muted: return "Sound is on."
    case .starting: return "Starting\(reason)."
    case .stopped: return "Sound is off\(reason)."
    case .waitingForDevice:
      return
        "Waiting\(reason).\nSound begins by itself when that has changed; stop waiting with: auricle stop"
    case .faulted: return "No sound\(reason).\nMend it, then: auricle start. More: auricle doctor"
    }
  }

  /// What `unmute` answers: also that nothing is muted any more when no sound flows.
  static func unmuted(_ state: StatusReport.State) -> String {
    switch state.name {
    case .running, .muted: sentence(state)
    case .stopped: "Not muted. Sound is off; let it flow with: auricle start"
    case .starting, .waitingForDevice, .faulted: "Not muted. \(sentence(state))"
    }
  }

  /// Silence that was asked for, and how it ends.
  private static func muted(_ state: StatusReport.State) -> String {
    let reason = state.reason.map { " (\($0))" } ?? ""
    switch state.name {
    case .running, .muted: return "Muted. Sound again with: auricle unmute"
    case .stopped: return "Muted. Sound is off; after auricle start it stays silent until: auricle unmute"
    case .starting, .waitingForDevice:
      return "Muted. No sound yet\(reason); when it comes it stays silent until: auricle unmute"
    case .faulted:
      return "Muted. No sound\(reason). Mend it, then: auricle start. It stays silent until: auricle unmute"
    }
  }

  /// Cautions about prescription, configuration and calibration: missing, held back or not in force, and why.
  static func cautions(_ report: StatusReport) -> [String] {
    var lines = (report.prescription?.notes ?? []) + (report.program?.notes ?? [])
    if !report.fitting.isFitted { lines.append("Not fitted: nothing is amplified.") }
    for ear in report.fitting.needlessGainEars ?? [] {
      lines.append(
        "Caution: the \(ear) ear hears normally by its audiogram and gets gain, which it does not need."
          + " More: auricle check, or auricle rx show")
    }
    let calibration = report.calibration
    if let cap = report.fitting.gainCap {
      lines.append("Not calibrated: gain is held to \(Int(cap)) dB, levels are guesses.")
    } else if calibration.microphone.status == .none || calibration.earphone.status == .none {
      lines.append("Not calibrated: levels are guesses.")
    }
    return lines
  }

  /// How `start` exits: whether sound flows, is muted, may flow yet, or cannot.
  static func exitStatus(_ state: StatusReport.State) -> ExitStatus {
    switch state.name {
    case .running: .done
    case .muted: .no
    case .starting, .stopped, .waitingForDevice: .temporary
    case .faulted: .configuration
    }
  }
}
