import Service

/// The aid at one moment, as far as the desktop is concerned.
struct AidStanding: Sendable, Equatable {
  var state: StatusReport.State
  /// True while a procedure, which a person has begun, has the earphones.
  var isTesting = false
  /// End of a prescription's trial, s since 1970-01-01 UTC; nil: no trial.
  var trialEnds: Double?
  /// Time of the report by the daemon's clock, s since 1970-01-01 UTC.
  var time = 0.0
  /// ALSA's name of the earphones' device; nil while it is closed.
  var playback: String?

  init(state: StatusReport.State) { self.state = state }

  init(_ report: StatusReport) {
    self.init(state: report.state)
    isTesting = report.isTesting
    trialEnds = report.prescription?.trialEndsUnixSeconds
    time = report.daemon.nowUnixSeconds
    playback = report.devices?.playback.name
  }

  /// The sound, as the wearer notices it.
  enum Sound: Equatable {
    case heard
    case silent(Silence)
    /// For a moment: neither tells anything new.
    case between
  }

  var sound: Sound {
    if isTesting { return .between }
    switch state.name {
    // With a reason it is nearly silent: drop-outs keep it below its full level.
    case .running: return state.reason == nil ? .heard : .silent(Silence(state))
    case .starting: return .between
    case .muted, .stopped, .waitingForDevice, .faulted: return .silent(Silence(state))
    }
  }
}
