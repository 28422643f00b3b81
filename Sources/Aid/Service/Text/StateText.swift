import Base

/// A state in words for the wearer.
package enum StateText {
  /// Answer of `start`, `mute` and `stop`, such as `Sound is on.`
  package static func sentence(_ state: StatusReport.State) -> String {
    let reason = state.reason.map { ": \($0)" } ?? ""
    if state.isMuted { return muted(state) }
    return switch state.name {
    case .running, .muted: "Sound is on\(reason)."
    case .starting: "Starting\(reason)."
    case .stopped: "Sound is off\(reason)."
    case .waitingForDevice:
      "Waiting\(reason).\nThe sound starts by itself when that has changed; stop waiting with: auricle stop"
    case .faulted: "No sound\(reason).\nCorrect it, then: auricle start. More: auricle doctor"
    }
  }

  /// Answer of `unmute`, which also says that nothing is muted any more when no sound flows.
  package static func unmuted(_ state: StatusReport.State) -> String {
    switch state.name {
    case .running, .muted: sentence(state)
    case .stopped: "Not muted. Sound is off; start it with: auricle start"
    case .starting, .waitingForDevice, .faulted: "Not muted. \(sentence(state))"
    }
  }

  /// Silence that was asked for, and how it ends.
  private static func muted(_ state: StatusReport.State) -> String {
    let reason = state.reason.map { " (\($0))" } ?? ""
    return switch state.name {
    case .running, .muted: "Muted. Sound again with: auricle unmute"
    case .stopped: "Muted. Sound is off; after auricle start it stays silent until: auricle unmute"
    case .starting, .waitingForDevice: "Muted. No sound yet\(reason); it stays silent until: auricle unmute"
    case .faulted:
      "Muted. No sound\(reason). Correct it, then: auricle start. It stays silent until: auricle unmute"
    }
  }

  /// Exit status of `start`: sound flows, is muted, may still begin, or cannot.
  package static func exitStatus(_ state: StatusReport.State) -> ExitStatus {
    switch state.name {
    case .running: .done
    case .muted: .no
    case .starting, .stopped, .waitingForDevice: .temporary
    case .faulted: .configuration
    }
  }
}
