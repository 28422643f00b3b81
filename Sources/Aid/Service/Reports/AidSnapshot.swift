import Engine
import Realtime

/// A running aid at one moment, from which reports are written.
struct AidSnapshot: Sendable {
  var state: StatusReport.State
  var reading = AidReading()
  var devices: AidDevices?
  /// Times devices were opened.
  var opens = 0
  var scheduling: Scheduling?
  var hearing = HearingSettings()
  /// Models of the devices in use.
  var found = FoundDevices()
  /// The chain's own delay beyond its block, s; nil while no chain runs.
  var chainDelay: Double?
  var memory: MemoryLock

  /// True while sound flows, muted or not.
  var isSounding: Bool { devices != nil && (state.name == .running || state.name == .muted) }
}
