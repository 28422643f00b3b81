import Control

/// A state as the wearer is told of it.
enum StateText {
  /// One sentence, such as `Sound is on.`
  static func sentence(_ state: StatusReport.State) -> String {
    let reason = state.reason.map { ": \($0)" } ?? ""
    switch state.name {
    case .running: return "Sound is on."
    case .muted: return "Muted\(reason). Unmute with: auricle unmute"
    case .starting: return "Starting\(reason)."
    case .stopped: return "Sound is off\(reason)."
    case .waitingForDevice:
      return
        "Waiting\(reason).\nSound begins by itself when that has changed; stop waiting with: auricle stop"
    case .faulted: return "No sound\(reason).\nMend it, then: auricle start. More: auricle doctor"
    }
  }

  /// How `start` exits: whether sound flows, may yet, or cannot.
  static func exitStatus(_ state: StatusReport.State) -> ExitStatus {
    switch state.name {
    case .running, .muted: .done
    case .starting, .stopped, .waitingForDevice: .temporary
    case .faulted: .configuration
    }
  }
}
