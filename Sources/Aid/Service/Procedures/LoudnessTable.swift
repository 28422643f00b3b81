import Acoustics
import Base
import Engine
import Glibc
import Procedures

/// Loudness matches as a table for studies: the columns of the tinnitus study's export in its order (TinniTrack,
/// docs/sources.md), then ours.
package struct LoudnessTable: Sendable {
  /// A column, and what stands in it.
  package struct Column: Sendable {
    package let name: String
    package let unit: String
    package let meaning: String
    fileprivate let value: @Sendable (Row) -> String
  }

  /// Everything that a row is made of.
  fileprivate struct Row {
    let beginning: ProcedureBeginning
    let loudness: LoudnessSummary
    let ended: Double
    /// A-weighted level of the room heard last, dB.
    let ambient: Double?
    /// Of the match; nil where the calibration does not tell any more.
    let level: StimulusLevel?
    /// Peaks of the trials, full scale 1.
    let peaks: [Double]
    /// Begin of the first match, s since 1970; of the wearer's day 0.
    let first: Double
  }

  /// Nil: with instants, places and names as they are.
  private let studyCode: String?
  private let rows: [Row]

  /// - Parameters:
  ///   - records: Of any procedures; finished loudness matches are taken.
  ///   - studyCode: Stands for the person in a table without instants and device names; nil: nothing is left out.
  package init(_ records: [ProcedureDetails], studyCode: String? = nil) {
    self.studyCode = studyCode
    let finished = records.filter { $0.loudness != nil }
    let first = finished.first?.beginning.at ?? 0
    rows = finished.compactMap { Row($0, first: first) }
  }

  package var count: Int { rows.count }

  package var columns: [Column] { studyCode.map(Self.columns(studyCode:)) ?? Self.whole }

  /// Each match's cells in the order of the columns.
  package var cells: [[String]] {
    let columns = columns
    return rows.map { row in columns.map { $0.value(row) } }
  }

  /// Lines after RFC 4180: a heading, then one for each match. What is not known is empty.
  package var text: String {
    let lines = [columns.map(\.name)] + cells
    return lines.map { $0.map(Self.quoted).joined(separator: ",") + "\r\n" }.joined()
  }

  /// Every column with its unit and meaning, in the same form.
  package var dictionary: String {
    let lines =
      [["column", "unit", "meaning", "missing"]] + columns.map { [$0.name, $0.unit, $0.meaning, "empty"] }
    return lines.map { $0.map(Self.quoted).joined(separator: ",") + "\r\n" }.joined()
  }

  private static func quoted(_ cell: String) -> String {
    guard cell.contains(where: { ",\"\r\n".contains($0) }) else { return cell }
    return "\"" + cell.replacing("\"", with: "\"\"") + "\""
  }

  // MARK: - Columns

  private static func column(
    _ name: String, _ unit: String, _ meaning: String,
    _ value: @escaping @Sendable (Row) -> String = { _ in "" }
  ) -> Column { Column(name: name, unit: unit, meaning: meaning, value: value) }

  private static func number(_ value: Double?, _ digits: Int = 3) -> String {
    guard let value, value.isFinite else { return "" }
    // For programs: a hyphen is the minus sign of numbers.
    return NumberText.fixed(value, digits).replacing("−", with: "-")
  }

  private static func time(_ seconds: Double) -> String {
    var (moment, parts) = (time_t(seconds), tm())
    gmtime_r(&moment, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static let study = "of a study; empty outside one"

  private static let whole: [Column] = [
    column("task_run_id", "", "name of the record") { $0.beginning.identifier },
    column("scheduled_task_id", "", study), column("enrollment_id", "", study),
    column("user_id", "", study),
    column("participant_id", "", study),
    column("submitted_at", "UTC", "end of the match") { time($0.ended) },
    column("scheduled_for", "UTC", study),
    column("day_index", "days", "whole days after the first match") {
      number(($0.beginning.at / 86_400).rounded(.down) - ($0.first / 86_400).rounded(.down), 0)
    },
    column("slot_index", "", study),
    column("started_at", "UTC", "beginning of the match") { time($0.beginning.at) },
    column("completed_at", "UTC", "end of the match") { time($0.ended) },
    column("schema_version", "", "of this table") { _ in "1" },
    column("validation_status", "", "valid, or flagged where quality_flags has one") {
      flags($0).isEmpty ? "valid" : "flagged"
    },
    column(
      "quality_flags", "",
      "separated by |: scattered (trials more than 10 dB apart), at_limit, not_turned (most trials ended at their first tone), "
        + "threshold_or_below (dB SL are lower bounds), threshold_in_doubt (by its hearing test), not_calibrated"
    ) {
      flags($0).joined(separator: "|")
    },
    column("task_key", "", "lm_1khz_v1 at 1 kHz, otherwise lm_v1") {
      $0.loudness.frequency == 1000 ? "lm_1khz_v1" : "lm_v1"
    },
    column("task_version", "", "of the program that carried it out") { $0.beginning.version },
    column("matched_normalized_amplitude", "full scale 1", "peak of the matched tone") {
      number($0.level?.digital.sinePeak, 9)
    },
    column("peak_dbfs", "dB re full scale", "the same") { number($0.level?.digital.decibels) },
    column("rms_dbfs", "dB re full scale", "root mean square of the tone, 3.01 dB lower") {
      number($0.level.map { 20 * log10($0.digital.rootMeanSquare) })
    },
    column("estimated_db_spl", "dB SPL", "in the coupler of the calibration") {
      number($0.level?.sound.decibels)
    },
    column("estimated_db_hl", "dB HL", "median of the trials") { number($0.loudness.level.decibels) },
    column("estimated_db_sl_left", "dB SL", "above the left ear's threshold, where the tone was there") {
      $0.loudness.ear == .left ? number($0.loudness.sensationLevel.decibels) : ""
    },
    column("estimated_db_sl_right", "dB SL", "above the right ear's threshold, where the tone was there") {
      $0.loudness.ear == .right ? number($0.loudness.sensationLevel.decibels) : ""
    },
    column(
      "estimated_db_sl_bilateral_mean", "dB SL", "of tones in both ears; empty: one ear hears the tone"),
    column("calibration_profile_id", "", "earphone that was calibrated") {
      $0.beginning.calibration.device.device
    },
    column("calibration_profile_version", "", "day of its measurement") {
      $0.beginning.calibration.device.date.map { "\($0)" } ?? ""
    },
    column("calibration_source_table_version", "", "reference thresholds") {
      $0.beginning.calibration.transducer.map { "\($0.identifier) \($0.standard)" } ?? ""
    },
    column("route_name", "", "device that played") { $0.beginning.device.playback },
    column("route_port_type", "", "format of its samples") { $0.beginning.device.format },
    column("system_output_volume", "", "empty: of a card volume_controls has them"),
    column("volume_curve_offset_db", "dB", "empty: of a card volume_controls has them"),
    column("audiogram_threshold_left_db_hl", "dB HL", "at the tone's frequency, where the tone was there") {
      $0.loudness.ear == .left ? number($0.loudness.threshold.decibels) : ""
    },
    column("audiogram_threshold_right_db_hl", "dB HL", "at the tone's frequency, where the tone was there")
    {
      $0.loudness.ear == .right ? number($0.loudness.threshold.decibels) : ""
    },
    column(
      "audiogram_threshold_derivation", "",
      "measured: by a hearing test with the same calibration; given: by whoever began the match"
    ) {
      $0.beginning.thresholdFrom == nil ? "given" : "measured"
    },
    column("ambient_db_at_submit", "dB(A)", "room, the last second that was heard") {
      number($0.ambient, 1)
    },
    column("trial_count", "", "trials") { String($0.loudness.trials.count) },
    column("trial_standard_deviation", "full scale 1", "standard deviation of the trials' peaks") {
      number(deviation($0.peaks), 9)
    },
    column("trial_standard_deviation_db", "dB", "standard deviation of the trials, without bias") {
      number($0.loudness.deviation)
    },
    column("calibration_status", "", "verified, provisional or none: of the level in dB HL") {
      $0.beginning.levelCalibration.status.rawValue
    },
    column("ear", "", "ear that heard the tone") { $0.loudness.ear.rawValue },
    column("tinnitus_side", "", "left, right, both or head") {
      $0.beginning.order.tinnitusSide?.rawValue ?? ""
    },
    column("frequency_hz", "Hz", "of the tone") { number($0.loudness.frequency, 1) },
    column(
      "volume_controls", "dB; %",
      "controls of the earphones' card as they stood, separated by |, left and right where these differ: with others a level is another "
        + "sound. none: the card has none. Empty: not known, as behind a sound server. -1000 dB is silence"
    ) { row in volumes(row) { "\($0.control) \(place($0))" } },
  ]

  /// - Parameter words: One control in words.
  private static func volumes(_ row: Row, _ words: (VolumeSetting) -> String) -> String {
    guard let volumes = row.beginning.device.volumes else { return "" }
    return volumes.isEmpty ? "none" : volumes.map(words).joined(separator: "|")
  }

  /// "-12.00 dB", "-12.00/-10.50 dB muted", "33.30 %".
  private static func place(_ volume: VolumeSetting) -> String {
    let (left, right) = (number(volume.gain.left, 2), number(volume.gain.right, 2))
    return (left == right ? left : "\(left)/\(right)") + (volume.isScaled ? " dB" : " %")
      + (volume.isOn ? "" : " muted")
  }

  /// Instants by relative day and part of the day, the person by a code, no device, and of the earphone the model without the device that it is
  /// reached by, whose name may have a Bluetooth address; places of volume controls without their names, of which some cards have their own.
  /// Own choice, after 45 CFR 164.514(b)(2), by which dates and identifiers of devices are removed.
  private static func columns(studyCode: String) -> [Column] {
    whole.filter { $0.name != "route_name" }.map { column in
      switch column.name {
      case "user_id", "participant_id": Self.column(column.name, "", "study code") { _ in studyCode }
      case "task_run_id":
        Self.column(column.name, "", "study code and number of the day and second") {
          "\(studyCode)-\(number($0.beginning.at - $0.first, 0))"
        }
      case "submitted_at", "completed_at":
        Self.column(column.name, "day, part of the day", "end of the match") {
          relative($0.ended, from: $0.first)
        }
      case "started_at":
        Self.column(column.name, "day, part of the day", "beginning of the match") {
          relative($0.beginning.at, from: $0.first)
        }
      case "calibration_profile_id":
        Self.column(column.name, "", "earphone that was calibrated, without the name of its device") {
          $0.beginning.calibration.device.nameWithoutDevice
        }
      case "volume_controls":
        Self.column(column.name, column.unit, "\(column.meaning). In the order of the card, without names")
        { row in
          volumes(row) { place($0) }
        }
      default: column
      }
    }
  }

  /// "day 3 evening": parts of six hours, UTC.
  private static func relative(_ time: Double, from first: Double) -> String {
    let day = (time / 86_400).rounded(.down) - (first / 86_400).rounded(.down)
    let parts = ["night", "morning", "afternoon", "evening"]
    let hour = time.truncatingRemainder(dividingBy: 86_400) / 3600
    return "day \(number(day, 0)) \(parts[min(max(Int(hour / 6), 0), 3)])"
  }

  private static func flags(_ row: Row) -> [String] {
    [
      row.loudness.isScattered ? "scattered" : nil, row.loudness.isAtLimit ? "at_limit" : nil,
      row.loudness.isNotTurned == true ? "not_turned" : nil,
      row.loudness.isThresholdOrBelow == true ? "threshold_or_below" : nil,
      row.loudness.isThresholdInDoubt == true ? "threshold_in_doubt" : nil,
      row.beginning.calibration.device.status == .none ? "not_calibrated" : nil,
    ].compactMap(\.self)
  }

  private static func deviation(_ values: [Double]) -> Double? {
    guard values.count > 1 else { return nil }
    let mean = values.reduce(0, +) / Double(values.count)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)).squareRoot()
  }
}

extension LoudnessTable.Row {
  init?(_ details: ProcedureDetails, first: Double) {
    guard let loudness = details.loudness, let ended = details.ended else { return nil }
    (beginning, self.loudness, self.ended, self.first) = (details.beginning, loudness, ended, first)
    ambient =
      details.lines.lazy.reversed().compactMap { line -> Double? in
        if case .room(let reading) = line { reading.level } else { nil }
      }.first
    let calibration = details.beginning.calibration
    func level(_ hearing: Double) -> StimulusLevel? {
      let tone = Stimulus(
        .tone, loudness.ear, frequency: loudness.frequency, level: HearingLevel(hearing), duration: 1)
      return try? StimulusLevel(tone, by: calibration)
    }
    self.level = level(loudness.level.decibels)
    peaks = loudness.trials.compactMap { level($0)?.digital.sinePeak }
  }
}

extension DeviceCalibration {
  /// Its name for people alone: "bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp (AirPods Pro)" is "AirPods Pro". Empty where there is none.
  fileprivate var nameWithoutDevice: String {
    guard deviceName != nil else { return device }
    let name = device.drop { $0 != " " }.drop { $0 == " " }
    return name.hasPrefix("(") && name.hasSuffix(")") ? String(name.dropFirst().dropLast()) : String(name)
  }
}

extension ProcedureDetails {
  /// Nil: it was not finished, or is another procedure.
  fileprivate var loudness: LoudnessSummary? {
    lines.lazy.compactMap { if case .end(let result, _) = $0 { result.loudness } else { nil } }.first
  }

  /// s since 1970-01-01 UTC; nil: it was not finished.
  fileprivate var ended: Double? {
    lines.lazy.compactMap { if case .end(_, let at) = $0 { at } else { nil } }.first
  }
}
