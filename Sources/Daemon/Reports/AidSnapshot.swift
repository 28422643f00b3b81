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
  /// The chain's own delay beyond its block, s; nil while no chain runs.
  var chainDelay: Double?
  var memory: MemoryLock

  /// Whether sound flows, muted or not.
  var isSounding: Bool { devices != nil && (state.name == .running || state.name == .muted) }
}

extension StatusReport.State {
  init(of state: AidState, since: Double) {
    switch state {
    case .stopped: self.init(.stopped, since: since)
    case .starting: self.init(.starting, since: since)
    case .running: self.init(.running, since: since)
    case .muted: self.init(.muted, since: since)
    case .waitingForDevice(let reason): self.init(.waitingForDevice, reason: reason, since: since)
    case .faulted(let reason): self.init(.faulted, reason: reason, since: since)
    }
  }

  /// Whether name and reason are the same; the time is not looked at.
  func isSame(as other: Self) -> Bool { name == other.name && reason == other.reason }
}
