import Acoustics
import Base
import Control
import Procedures
import Service
import Testing

@testable import AuricleCommands

/// Records as the daemon lists them, and the courses and figures that they become.
@Suite("Courses of matches") struct MatchCourseTests {
  /// - Parameters:
  ///   - calibrations: Devices and days in JSON, one of each entry; empty: the same of all.
  ///   - levels: Digests of their levels; empty: not told, as by an older daemon.
  ///   - masters: Places of the control Master, dB, one of each entry; nil, or an empty list: not told.
  private func records(
    _ entries: [String], by calibrations: [String] = [], levels: [String] = [], masters: [Double?] = []
  ) throws -> [ProcedureList.Entry] {
    let lines = entries.enumerated().map { index, entry in
      let calibration = calibrations.isEmpty ? "\"device\": \"HDA 200\"" : calibrations[index]
      let digest = levels.isEmpty ? "" : "\"calibration_levels\": \"\(levels[index])\", "
      let master = masters.isEmpty ? nil : masters[index]
      let volumes =
        master.map {
          "\"volumes\": [{\"control\": \"Master\", \"gain\": {\"left\": \($0), \"right\": \($0)}, \"on\": true}], "
        } ?? ""
      return """
        {"record": "r\(index)", \(digest) \(volumes) "began_unix_seconds": \(1_790_000_000 + 86_400 * index),
         "ended_unix_seconds": \(1_790_000_100 + 86_400 * index),
         "calibration": {\(calibration), "status": "provisional"}, \(entry)}
        """
    }
    let text = "[\(lines.joined(separator: ","))]"
    return try JSON.value([ProcedureList.Entry].self, from: [UInt8](text.utf8))
  }

  private func loudness(_ level: Double) -> String {
    """
    "name": "loudness", "ear": "right", "result": {"loudness": {"ear": "right", "frequency": 1000, "trials": [\(level)],
     "threshold": 10, "level": \(level), "sensation_level": \(level - 10), "scattered": false, "at_limit": false}}
    """
  }

  private func pitch(_ frequency: Double) -> String {
    """
    "name": "pitch", "ear": "left", "result": {"pitch": {"frequency": \(frequency), "compared_frequency": \(frequency),
     "octave_confused": false}}
    """
  }

  private func pitch(atEdge isAtEdge: Bool) -> String {
    "\"pitch_at_edge\": \(isAtEdge), " + pitch(7786)
  }

  private func masking(_ level: String, signal: String = "broad-noise") -> String {
    """
    "name": "masking", "ear": "left", "result": {"masking": {"ear": "left", "signal": "\(signal)", "frequency": 4000,
     "threshold": 20, "ends": [], "unmasked": 0, "level": \(level), "sensation_level": \(level == "null" ? level : "-0.2")}}
    """
  }

  private let inhibition =
    """
    "name": "inhibition", "ear": "left", "result": {"inhibition": {"ear": "left", "signal": "broad-noise", "frequency": 1000,
     "level": 45, "held_back": false, "ratings": [{"time": 1, "loudness": 40}, {"time": 11, "loudness": 100}],
     "kind": "partial", "recovery": 11}}
    """

  private let bandwidth =
    """
    "name": "bandwidth", "ear": "left", "result": {"bandwidth": {"ear": "left", "frequency": 4000, "tied": false, "sound": "tone",
     "ratings": {"tone": {"ratings": [80, 90]}, "narrow_noise": {"ratings": [40, 40]}, "broad_noise": {"ratings": [0, 10]}}}}
    """

  @Test("matches of a kind by one ear and sound make one course, of every kind there is")
  func courses() throws {
    let all = MatchCourse.all(
      try records([
        inhibition, loudness(30), pitch(4000), loudness(34), masking("36"),
        masking("40", signal: "narrow-noise"), bandwidth,
        "\"name\": \"pitch\", \"ear\": \"left\"", masking("null"),
      ]))
    #expect(
      all.map(\.title) == [
        "Loudness, right ear, 1000 Hz", "Pitch, left ear", "Bandwidth, left ear, 4000 Hz",
        "Masking level, left ear, broad noise", "Masking level, left ear, narrow noise, 4000 Hz",
        "Residual inhibition, left ear, broad noise",
      ])
    #expect(all.map(\.matches.count) == [2, 1, 1, 2, 1, 1])
    #expect(all[3].matches.map(\.value) == [36, nil])
    #expect(all[3].matches.map(\.words) == ["36.0 dB HL, −0.2 dB SL", "not masked"])
    #expect(all[2].matches[0].words == "tone 85, narrow noise 40, broad noise 5")
    #expect(all[5].matches[0].words == "partial, least 40 %, usual after 11 s")
  }

  @Test("a pitch at the end of the range is told as such; nothing is said where a daemon tells nothing")
  func edges() throws {
    let course = try #require(
      MatchCourse.all(try records([pitch(atEdge: true), pitch(atEdge: false), pitch(7786)])).first)
    #expect(course.matches.map(\.words) == ["7786 Hz, at the end of the tones", "7786 Hz", "7786 Hz"])
  }

  @Test("what a match does not prove stands beside its figures, and octaves that were not compared")
  func reservations() throws {
    func words(_ entry: String, _ key: String, with flags: String) throws -> [String] {
      let flagged = entry.replacing("\"\(key)\":", with: flags + "\"\(key)\":")
      let records = try records([flagged])
      return MatchCourse.all(records).flatMap(\.matches).map(\.words)
    }
    for (flags, expected) in [
      ("", "30.0 dB HL, 20.0 dB SL"),
      (#""threshold_or_below": true, "#, "30.0 dB HL, ≥ 20.0 dB SL"),
      (#""threshold_in_doubt": true, "#, "30.0 dB HL, 20.0 dB SL, threshold in doubt"),
      (#""not_turned": true, "threshold_or_below": false, "#, "30.0 dB HL, 20.0 dB SL, not turned"),
    ] {
      #expect(try words(loudness(30), "trials", with: flags) == [expected])
    }
    for (flags, expected) in [
      (#""level_or_below": true, "#, "≤ 36.0 dB HL, ≤ −0.2 dB SL"),
      (#""threshold_or_below": true, "#, "36.0 dB HL, ≥ −0.2 dB SL"),
      (#""level_or_below": true, "threshold_or_below": true, "#, "≤ 36.0 dB HL"),
    ] {
      #expect(try words(masking("36"), "ends", with: flags) == [expected])
    }
    for (octaves, expected) in [
      (#"[]"#, "4000 Hz"), (#"["above"]"#, "4000 Hz, octave above 4000 Hz not compared"),
      (#"["below", "above"]"#, "4000 Hz, octaves below and above 4000 Hz not compared"),
    ] {
      let entry = "\"uncompared_octaves\": \(octaves), " + pitch(4000)
      let records = try records([entry])
      #expect(MatchCourse.all(records).first?.matches.map(\.words) == [expected])
    }
    // Where an octave was chosen it is that of the tone before.
    let chosen = pitch(5000).replacing("\"frequency\": 5000", with: "\"frequency\": 2500")
    let named = try records(["\"uncompared_octaves\": [\"above\"], " + chosen])
    #expect(
      MatchCourse.all(named).first?.matches.map(\.words) == [
        "2500 Hz, octave above 5000 Hz not compared"
      ])
  }

  @Test("levels agree in dB, pitches in octaves; of a bandwidth there is no deviation")
  func agreement() throws {
    let all = MatchCourse.all(
      try records([loudness(30), loudness(34), pitch(4000), pitch(8000), bandwidth, bandwidth]))
    let (levels, pitches) = (all[0].agreement, all[1].agreement)
    // √(mean square of the differences / 2): one difference of 4 dB, and one of an octave.
    #expect(abs((levels.retestDeviation ?? 0) - 4 / 2.0.squareRoot()) < 1e-9 && levels.unit == "dB")
    #expect(abs((pitches.retestDeviation ?? 0) - 1 / 2.0.squareRoot()) < 1e-9 && pitches.unit == "octaves")
    // The mean of pitches is that of their octaves.
    #expect(abs((pitches.mean ?? 0) - 4000 * 2.0.squareRoot()) < 1e-6 && levels.mean == 32)
    #expect(all[2].agreement.count == 2 && all[2].agreement.retestDeviation == nil)
    // Without a pitch there is no mean.
    #expect(MatchCourse.all(try records([masking("null")]))[0].agreement.mean == nil)
  }

  @Test("levels by another calibration are another course, whose name tells it; pitches are one")
  func calibrations() throws {
    let (january, february, other) = (
      #""device": "HDA 200", "date": "2026-01-31""#, #""device": "HDA 200", "date": "2026-02-28""#,
      #""device": "ER-3A""#
    )
    // The earphones were calibrated anew, 6 dB elsewhere.
    let report = MatchHistoryReport(
      try records(
        [
          loudness(30), loudness(32), pitch(4000), loudness(38), loudness(36), pitch(8000), masking("40"),
          loudness(50),
        ],
        by: [january, january, january, february, february, february, february, other]))
    #expect(
      report.courses.map(\.title) == [
        "Loudness, right ear, 1000 Hz, HDA 200 of 2026-01-31",
        "Loudness, right ear, 1000 Hz, HDA 200 of 2026-02-28",
        "Loudness, right ear, 1000 Hz, ER-3A", "Pitch, left ear", "Masking level, left ear, broad noise",
      ])
    #expect(report.courses.map(\.matches.count) == [2, 2, 1, 2, 1])
    // One difference of 2 dB each.
    for course in report.agreement.prefix(2) {
      #expect(abs((course.retestDeviation ?? 0) - 2.0.squareRoot()) < 1e-9)
    }
    #expect(report.text.contains("Loudness, right ear, 1000 Hz, HDA 200 of 2026-02-28"))
    #expect(try JSON.text(report).contains(#""calibration":{"date":"2026-02-28","device":"HDA 200"}"#))
    #expect(report.agreement[3].calibration == nil)
  }

  @Test("levels that are the same sound are one course, whatever the calibration is called; others are not")
  func sameLevels() throws {
    func titles(_ calibrations: [String], _ levels: [String]) throws -> [String] {
      MatchCourse.all(try records([loudness(30), loudness(32)], by: calibrations, levels: levels))
        .map(\.title)
    }
    let stated = #""device": "HDA 200", "date": "2026-01-31""#
    // The name that auricle route keep writes, and the day of another measurement with the same levels.
    let named = #""device": "hw:CARD=PCH (HDA 200)", "date": "2026-02-28""#
    #expect(try titles([stated, named], ["a", "a"]) == ["Loudness, right ear, 1000 Hz"])
    // A data sheet whose level at full scale was corrected.
    let sheet = #""device": "HDA 200""#
    let days = [1_790_000_100.0, 1_790_086_500].map { Timestamp($0).day }
    #expect(
      try titles([sheet, sheet], ["a", "b"])
        == days.map { "Loudness, right ear, 1000 Hz, HDA 200 from \($0) on" })
    // The same levels of a model that is known to be another one.
    let models = ["HDA 200", "ER-3A"].map { "\"device\": \"\($0)\", \"identity\": {\"name\": \"\($0)\"}" }
    #expect(
      try titles(models, ["a", "a"])
        == ["Loudness, right ear, 1000 Hz, HDA 200", "Loudness, right ear, 1000 Hz, ER-3A"])
  }

  @Test(
    "levels with a volume control that stood elsewhere are another course; where it is not known they are one"
  )
  func otherVolumes() throws {
    func counts(_ masters: [Double?], _ entry: (Double) -> String) throws -> [Int] {
      let entries = masters.indices.map { entry(30 + Double($0)) }
      let levels = Array(repeating: "a", count: masters.count)
      return MatchCourse.all(try records(entries, levels: levels, masters: masters)).map(\.matches.count)
    }
    let masking = { (level: Double) in self.masking("\(level)") }
    for entry in [loudness, masking] {
      #expect(try counts([-20, 0, -20.4, 0.3], entry) == [2, 2])
      #expect(try counts([nil, nil], entry) == [2])
      // Those that do not tell stand in the first course, which goes by those that do.
      #expect(try counts([nil, -20, nil, 0, -20], entry) == [4, 1])
    }
    // A pitch is no level.
    #expect(try counts([-20, 0], { self.pitch($0 * 100) }) == [2])
    func report(_ levels: [String], _ masters: [Double?]) throws -> MatchHistoryReport {
      MatchHistoryReport(
        try records(masters.map { _ in loudness(30) }, levels: levels, masters: masters))
    }
    // Their name tells the control, whichever day they are of.
    let turned = try report(["a", "a"], [-20, 0])
    let name = "Loudness, right ear, 1000 Hz, HDA 200"
    #expect(turned.courses.map(\.title) == ["\(name), Master at −20 dB", "\(name), Master at 0 dB"])
    #expect(turned.agreement.map { $0.calibration?.device } == ["HDA 200", "HDA 200"])
    for agreement in turned.agreement {
      #expect(try JSON.text(agreement).contains(#""control":"Master""#))
    }
    // The day as well where another course has the same place by other levels.
    let days = [1_790_000_100.0, 1_790_086_500].map { Timestamp($0).day }
    #expect(
      try report(["a", "b", "a"], [-20, -20, 0]).courses.map(\.title)
        == days.map { "\(name), Master at −20 dB from \($0) on" } + ["\(name), Master at 0 dB"])
  }

  @Test("figures stand in columns, one below the other, and what was left says how to go on")
  func text() throws {
    let report = MatchHistoryReport(
      try records([
        loudness(30), loudness(100), pitch(4000), inhibition, "\"name\": \"pitch\", \"ear\": \"left\"",
      ]))
    let lines = report.text.split(separator: "\n").map(String.init)
    #expect(
      lines[0].split(separator: " ").map(String.init) == [
        "begun", "kind", "ear", "sound", "result", "record",
      ])
    for (line, words) in [
      (1, "loudness    right  1000 Hz      30.0 dB HL, 20.0 dB SL"),
      (2, "loudness    right  1000 Hz      100.0 dB HL, 90.0 dB SL"),
      (3, "pitch       left                4000 Hz"),
      (4, "inhibition  left   broad noise  partial, least 40 %"),
      (5, "left; go on with: --resume r4"),
    ] {
      #expect(lines[line].contains(words), "\(lines[line])")
    }
    #expect(report.text.contains("Loudness, right ear, 1000 Hz"))
    #expect(MatchHistoryReport([]).text.hasPrefix("No matches and no hearing tests yet."))
    // After 30 days it does not go on.
    let left = try records(["\"name\": \"pitch\", \"ear\": \"left\""])
    for (days, isYoung) in [(29.0, true), (31, false)] {
      let text = MatchHistoryReport(left, at: 1_790_000_000 + days * 86_400).text
      #expect(text.contains("go on with: --resume r0") == isYoung)
      #expect(text.contains("left too long ago to go on with  r0") != isYoung)
    }
  }
}
