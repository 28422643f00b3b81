import Acoustics
import AudioIO
import Control
import HearingAid
import HearingDSP
import Realtime

/// Everything about a running aid at one moment, from which reports are written.
struct AidSnapshot: Sendable {
  var state: StatusReport.State
  var reading = AidReading()
  var devices: AidDevices?
  /// Times devices were opened.
  var opens = 0
  var scheduling: Scheduling?
  var hearing = HearingSettings()
  var configuration = LoadedConfiguration.defaults
  var prescription: StatusReport.Prescription?
  var program: ProgramReport?
  var feedback: StatusReport.Feedback?
  /// The chain's own delay beyond its block, s; nil while no chain runs.
  var chainDelay: Double?
  var memory: MemoryLock

  /// Whether sound flows, muted or not.
  var isSounding: Bool { devices != nil && (state.name == .running || state.name == .muted) }

  /// The same with a note of what keeps things from being read and kept, beside the prescription, or beside the
  /// program where no book is.
  func noting(_ trouble: String?) -> AidSnapshot {
    guard let trouble else { return self }
    var noting = self
    if let prescription {
      noting.prescription = prescription.with(note: trouble)
    } else {
      noting.program?.notes.append(trouble)
    }
    return noting
  }
}

extension StatusReport.State {
  init(of state: AidState, isMuted: Bool, since: Double) {
    let (name, reason): (Name, String?) =
      switch state {
      case .stopped: (.stopped, nil)
      case .starting: (.starting, nil)
      case .running: (.running, nil)
      case .muted: (.muted, nil)
      case .waitingForDevice(let reason): (.waitingForDevice, reason)
      case .faulted(let reason): (.faulted, reason)
      }
    // The state was read a moment before or after; running and muted say it themselves.
    let isWished = name == .running ? false : name == .muted || isMuted
    self.init(name, reason: reason, isMuted: isWished, since: since)
  }

  /// Whether name, reason and mute are the same; the time is not looked at.
  func isSame(as other: Self) -> Bool { isAlike(other) && isMuted == other.isMuted }

  /// Whether name and reason are the same.
  func isAlike(_ other: Self) -> Bool { name == other.name && reason == other.reason }
}
