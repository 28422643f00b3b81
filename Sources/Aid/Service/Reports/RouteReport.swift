import Control

/// The devices between which sound goes, as `auricle route --json` prints them.
package struct RouteReport: Sendable, Codable, Hashable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package private(set) var schema = 200
  package let devices: Names
  /// Devices that come back at the end of a trial, or did not when it was kept with this call; nil: none.
  package var former: Names?
  /// Devices with which calibrations count that name none, before others were tried: as they were named or open, which after a refused
  /// reload need not be those that the file asks for; `unknown` where nobody can tell one. Nil: none were tried.
  package let asked: Names?
  package let state: StatusReport.State
  /// True while others come back by themselves unless somebody keeps these.
  package private(set) var isOnTrial: Bool
  /// Number of the trial under way; nil: none is.
  package private(set) var trial: Int?
  /// Rest of the trial, s; nil while it does not sound.
  package private(set) var trialLeftSeconds: Double?
  /// Reason for which the last trial ended without being kept, a clause; nil: it was kept, or there was none.
  package private(set) var ended: String?
  package let calibration: StatusReport.Calibration
  /// Ends whose calibration was made with another device and does not count here: `microphone`, `earphone`.
  package let uncalibratedEnds: [String]
  /// The configuration in force is read from it; nil: defaults.
  package let configurationFile: String?
  /// Cautions before they are kept, whole sentences.
  package var notes: [String] = []

  /// The same for who began a trial that another one has taken the place of.
  package var overtaken: RouteReport {
    var report = self
    (report.isOnTrial, report.trial, report.trialLeftSeconds) = (false, nil, nil)
    report.ended = "somebody else has tried other devices meanwhile"
    return report
  }

  /// ALSA's names of two devices; nil: none is named, and none is open.
  package struct Names: Sendable, Codable, Hashable {
    package let capture: String?
    package let playback: String?
  }
}
