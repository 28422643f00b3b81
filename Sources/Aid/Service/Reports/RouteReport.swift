import Control

/// The devices between which sound goes, as `auricle route --json` prints them.
package struct RouteReport: Sendable, Codable, Hashable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package private(set) var schema = 101
  package let devices: Names
  /// Devices that come back at the end of a trial, or did not when it was kept with this call; nil: none.
  package var former: Names?
  /// The configuration's devices, as they were open before others were tried; nil: none were.
  package let asked: Names?
  package let state: StatusReport.State
  /// True while others come back by themselves unless somebody keeps these.
  package let isOnTrial: Bool
  /// Number of the trial under way; nil: none is.
  package let trial: Int?
  /// Rest of the trial, s; nil while it does not sound.
  package let trialLeftSeconds: Double?
  /// Reason for which the last trial ended without being kept, a clause; nil: it was kept, or there was none.
  package let ended: String?
  package let calibration: StatusReport.Calibration
  /// Ends whose calibration was made with another device and does not count here: `microphone`, `earphone`.
  package let uncalibratedEnds: [String]
  /// The configuration in force is read from it; nil: defaults.
  package let configurationFile: String?

  /// ALSA's names of two devices; nil: none is named, and none is open.
  package struct Names: Sendable, Codable, Hashable {
    package let capture: String?
    package let playback: String?
  }
}
