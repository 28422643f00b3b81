import Acoustics
import Base
import Control
import Engine

/// Findings on the calibration of both ends.
extension DoctorReport {
  /// - Parameter right: Way to the right to read the volume controls that the earphones were measured with, sentences; nil, by default: no right is
  ///   missing.
  static func calibration(_ hearing: HearingSettings, right: String? = nil) -> [Finding] {
    let ears = hearing.earphones.earCheck.map { check in
      "; " + (check.outliers.isEmpty ? "checked" : "contradicted")
        + " by \(English.count(check.ears, "ear")), \(check.date)"
    }
    let (microphone, earphone) = (hearing.microphones.device, hearing.earphones.device)
    return [
      calibration("microphone", .init(microphone), by: microphone.source, cap: hearing.gainCap),
      calibration(
        "earphones", .init(earphone), by: earphone.source, checked: ears ?? "", cap: hearing.gainCap,
        right: right),
    ]
  }

  /// That of the daemon, which does not tell where levels are from that were not measured.
  static func calibration(_ report: StatusReport) -> [Finding] {
    let cap = report.fitting.gainCapDB
    return [
      calibration("microphone", report.calibration.microphone, cap: cap),
      calibration("earphones", report.calibration.earphone, cap: cap),
    ]
  }

  /// Remedy of levels that are not known to be right.
  ///
  /// - Parameter command: Of `auricle calibrate`.
  static func measuring(_ command: String) -> String {
    "Levels may be some dB off; measure them: auricle calibrate \(command)"
  }

  /// - Parameters:
  ///   - source: Of levels that were not measured; nil: not known.
  ///   - checked: Outcome of a check by ears, a clause with its semicolon.
  ///   - cap: Greatest gain while an end is not calibrated, dB; nil: none is held back.
  ///   - right: Remedy of one that is provisional for want of a right; nil: to measure.
  private static func calibration(
    _ name: String, _ end: StatusReport.Calibration.End, by source: String? = nil, checked: String = "",
    cap: Double?, right: String? = nil
  ) -> Finding {
    let subject = "calibration, \(name)"
    let command = name == "microphone" ? "microphone" : "earphone"
    let device = end.device.flatMap { $0 == DeviceCalibration.unknown.device ? nil : $0 }
    switch end.status {
    case .verified:
      return Finding(
        subject, .good, found: "verified, \(end.device ?? "no device"), \(end.date ?? "no date")\(checked)")
    case .provisional:
      return Finding(
        subject, .warning,
        found: "provisional, \(device ?? "device not named")" + (source.map { ", by: \($0)" } ?? "")
          + checked + (end.caveat.map { ": \($0)" } ?? ""),
        remedy: right ?? measuring(command),
        repair: .none(right == nil ? .hearing : .administrator))
    case .none:
      return Finding(
        subject, .warning,
        found: "none: \(end.caveat ?? "levels in dB SPL are guesses")"
          + (cap.map { "; gain is held to \(Int($0)) dB" } ?? ""),
        remedy:
          "Measure them: auricle calibrate \(command); or set [calibration.\(command)] from a data sheet, as auricle.toml(5) shows.",
        repair: .none(.hearing))
    }
  }
}
