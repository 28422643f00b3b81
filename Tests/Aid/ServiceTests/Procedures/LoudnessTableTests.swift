import Acoustics
import Base
import Procedures
import Testing

@testable import Service

/// Matches as a table for studies.
@Suite("Table of loudness matches") struct LoudnessTableTests {
  /// - Parameter device: Name in its calibration; nil: "HDA 200", without one of ALSA's.
  private func details(on device: String? = nil) throws -> ProcedureDetails {
    let lines = try RecordedProcedure.lines(.loudness, RecordedProcedure.plans[1].1)
    guard case .begin(let beginning)? = lines.first else { preconditionFailure("no beginning") }
    var calibrated = beginning.calibration.device
    if let device { calibrated.device = device }
    let calibration = beginning.calibration.with(calibrated, transducer: beginning.calibration.transducer)
    return ProcedureDetails(
      beginning: beginning.named(calibration: calibration), lines: Array(lines.dropFirst()))
  }

  private func rows(_ text: String) -> [[String]] {
    text.split(separator: "\r\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Columns of `export_study_no_1_loudness_matches` in TinniTrack's migrations (docs/sources.md).
  private static let upstream =
    "task_run_id, scheduled_task_id, enrollment_id, user_id, participant_id, submitted_at, scheduled_for, day_index, slot_index, started_at, completed_at, schema_version, validation_status, quality_flags, task_key, task_version, matched_normalized_amplitude, peak_dbfs, rms_dbfs, estimated_db_spl, estimated_db_hl, estimated_db_sl_left, estimated_db_sl_right, estimated_db_sl_bilateral_mean, calibration_profile_id, calibration_profile_version, calibration_source_table_version, route_name, route_port_type, system_output_volume, volume_curve_offset_db, audiogram_threshold_left_db_hl, audiogram_threshold_right_db_hl, audiogram_threshold_derivation, ambient_db_at_submit, trial_count, trial_standard_deviation"
    .split(separator: ", ").map(String.init)

  @Test("the columns of TinniTrack's export stand first, in its order, all 37, and each one is described")
  func columns() throws {
    let table = LoudnessTable([try details()])
    let head = rows(table.text)[0]
    #expect(Self.upstream.count == 37 && Array(head.prefix(37)) == Self.upstream)
    #expect(head.contains("trial_standard_deviation_db") && head.contains("calibration_status"))
    #expect(Set(head).count == head.count)
    let described = table.dictionary.split(separator: "\r\n").count
    #expect(described == head.count + 1)
    #expect(table.columns.allSatisfy { !$0.meaning.isEmpty })
  }

  @Test("levels of a row follow from each other by the formulas")
  func levels() throws {
    let details = try details()
    let loudness = try #require(
      details.lines.compactMap { if case .end(let result, _) = $0 { result.loudness } else { nil } }.first)
    let all = rows(LoudnessTable([details]).text)
    func number(_ name: String) throws -> Double {
      let column = try #require(all[0].firstIndex(of: name))
      return try #require(Double(all[1][column]))
    }
    let hearing = loudness.level.decibels
    #expect(abs(try number("estimated_db_hl") - hearing) < 0.001)
    #expect(abs(try number("estimated_db_sl_left") - (hearing - 10)) < 0.001)
    // 5.5 dB SPL at 0 dB HL (ISO 389-8), 120 dB SPL at full scale, 3.01 dB between peak and root mean square.
    #expect(abs(try number("estimated_db_spl") - (hearing + 5.5)) < 0.001)
    #expect(abs(try number("peak_dbfs") - (hearing + 5.5 - 120)) < 0.001)
    #expect(abs(try number("rms_dbfs") - (hearing + 5.5 - 120 - 3.0103)) < 0.001)
    #expect(abs(try number("trial_count") - 3) < 1e-9)
  }

  @Test(
    "a match whose tones nobody turned, and one above a threshold that lies there or below or is in doubt, have a flag",
    arguments: [
      (.accept, false, false, ["not_turned"]),
      (.turn(5), true, false, ["at_limit", "threshold_or_below"]),
      (.turn(5), false, true, ["at_limit", "threshold_in_doubt"]),
    ] as [(ProcedureAnswer, Bool, Bool, [String])])
  func flags(answer: ProcedureAnswer, isOrBelow: Bool, isInDoubt: Bool, expected: [String]) throws {
    let plan = LoudnessPlan(
      ear: .left, frequency: 1000, range: RecordedProcedure.range, trialCount: 1,
      reservation: ThresholdReservation(isOrBelow: isOrBelow, isInDoubt: isInDoubt))
    // Turned up to the loudest tone, or taken at once.
    var turns = 0
    let lines = try RecordedProcedure.lines(.loudness, .loudness(plan)) { _ in
      turns += 1
      return turns > 12 ? .accept : answer
    }
    guard case .begin(let beginning)? = lines.first else { preconditionFailure("no beginning") }
    let table = LoudnessTable([
      ProcedureDetails(beginning: beginning, lines: Array(lines.dropFirst()))
    ])
    func cell(_ name: String) throws -> String {
      table.cells[0][try #require(table.columns.firstIndex { $0.name == name })]
    }
    #expect(try cell("quality_flags") == expected.joined(separator: "|"))
    #expect(try cell("validation_status") == "flagged")
    let column = try #require(table.columns.first { $0.name == "quality_flags" })
    for flag in expected { #expect(column.meaning.contains(flag)) }
  }

  @Test("a match has the status of its level in dB HL, no better than that of the reference threshold")
  func status() throws {
    for (name, expected) in [("hda200", "verified"), ("earpods", "provisional")] {
      let whole = try details()
      var device = whole.beginning.calibration.device
      (device.status, device.date) = (.verified, CalendarDate(year: 2026, month: 2, day: 28))
      let calibration = whole.beginning.calibration.with(
        device, transducer: Transducer.named(name))
      let table = LoudnessTable([
        ProcedureDetails(beginning: whole.beginning.named(calibration: calibration), lines: whole.lines)
      ])
      let column = try #require(table.columns.firstIndex { $0.name == "calibration_status" })
      #expect(table.cells[0][column] == expected)
    }
  }

  @Test("with a study's code no instant, no device and no name is in it")
  func deidentified() throws {
    let table = LoudnessTable([try details()], studyCode: "S07")
    #expect(table.text.contains("S07") && !table.text.contains("2026-"))
    #expect(!rows(table.text)[0].contains("route_name"))
    #expect(table.text.contains("day 0 afternoon"))
  }

  @Test(
    "with a study's code the earphone's model stays, without the name of the device by which it is reached",
    arguments: [
      ("bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp (AirPods Pro (2))", "AirPods Pro (2)"),
      ("hw:CARD=PCH (HDA 200)", "HDA 200"), ("default: (earphones)", "earphones"), ("default:", ""),
      ("HDA 200", "HDA 200"),
    ])
  func modelAlone(device: String, expected: String) throws {
    func earphone(_ code: String?) throws -> String {
      let table = LoudnessTable([try details(on: device)], studyCode: code)
      let column = try #require(table.columns.firstIndex { $0.name == "calibration_profile_id" })
      return table.cells[0][column]
    }
    #expect(try earphone("S07") == expected)
    // One's own table has the calibration's name as it is.
    #expect(try earphone(nil) == device)
  }

  @Test(
    "a match has the volume controls of its earphones' card as they stood, with a study's code without their names; none are told apart from none known"
  )
  func volumes() throws {
    let whole = try details()
    func cell(_ volumes: [VolumeSetting]?, _ code: String? = nil) throws -> String {
      var device = whole.beginning.device
      device.volumes = volumes
      let table = LoudnessTable(
        [ProcedureDetails(beginning: whole.beginning.named(device: device), lines: whole.lines)],
        studyCode: code)
      return table.cells[0][try #require(table.columns.firstIndex { $0.name == "volume_controls" })]
    }
    let volumes = [
      VolumeSetting(control: "Master", gain: Binaural(both: -12), isOn: true),
      VolumeSetting(control: "PCM", gain: Binaural(left: 0, right: -1.5), isOn: false),
      VolumeSetting(control: "Headset", gain: Binaural(both: 100.0 / 3), isOn: true, isScaled: false),
    ]
    #expect(try cell(volumes) == "Master -12.00 dB|PCM 0.00/-1.50 dB muted|Headset 33.33 %")
    #expect(try cell(volumes, "S07") == "-12.00 dB|0.00/-1.50 dB muted|33.33 %")
    #expect(try cell(nil) == "" && cell([]) == "none" && cell([], "S07") == "none")
  }

  @Test("without matches there is a heading alone")
  func empty() { #expect(rows(LoudnessTable([]).text).count == 1) }
}
