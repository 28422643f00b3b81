import Acoustics
import Control
import Glibc
import Procedures
import Testing

@testable import AuricleCommands
@testable import Service

/// A match's result as words and as JSON.
@Suite("Report of a match") struct MatchReportTests {
  /// A pitch match between 500 Hz and 8 kHz by somebody who hears this pitch, Hz.
  ///
  /// - Parameters:
  ///   - chosen: Pitch by which octaves are compared at the end, Hz; nil: the same.
  ///   - unheard: Frequencies of which no tone is heard, Hz.
  ///   - doubted: Those of them that are in doubt, Hz.
  ///   - uncertain: Frequencies whose threshold is in doubt, Hz.
  private func report(
    pitch: Double, chosen: Double? = nil, unheard: [Double] = [], doubted: [Double] = [],
    uncertain: [Double] = []
  ) throws -> MatchReport {
    let points = [500.0, 8000].map {
      LevelCurve.Point(frequency: $0, level: HearingLevel(30), ceiling: HearingLevel(70))
    }
    let curve = try #require(
      LevelCurve(points, unheard: unheard, unheardInDoubt: doubted, uncertain: uncertain))
    let plan = ProcedurePlan.pitch(PitchPlan(ear: .left, curve: curve))
    var procedure = plan.begin(seed: 1)
    while let step = procedure.nextStep {
      // Six halvings of four octaves leave a sixteenth.
      let heard = step.number > 6 ? chosen ?? pitch : pitch
      let octaves = step.cues.compactMap { $0.stimulus }.map { abs(log2($0.frequency / heard)) }
      let isTaken = procedure.take(octaves[0] < octaves[1] ? .first : .second)
      #expect(isTaken)
    }
    let limit = SoundPressureLevel(110)
    let beginning = ProcedureBeginning(
      identifier: "r", at: 1_790_000_000, version: "1", order: ProcedureOrder(.pitch), plan: plan, seed: 1,
      device: ProcedureBeginning.Device(
        capture: "c", playback: "p", rateHz: 48_000, format: "FLOAT_LE", delaySeconds: nil),
      calibration: .assumed, limits: ProcedureBeginning.Limits(left: limit, right: limit))
    return MatchReport(beginning, procedure.result)
  }

  private let words = "The pitch lies at the end of the tones: the true one may lie beyond."

  @Test("a pitch at the end of the range is told as one that may lie beyond, in words and in JSON")
  func atEdge() throws {
    let report = try report(pitch: 12_000)
    #expect(report.text.contains(words + "\n"))
    #expect(try JSON.text(report).contains("\"pitch_at_edge\":true"))
  }

  @Test("a pitch in the middle is not, nor is one whose record cannot be had")
  func within() throws {
    let report = try report(pitch: 2000)
    #expect(!report.text.contains(words))
    #expect(try JSON.text(report).contains("\"pitch_at_edge\":false"))
    let bare = MatchReport("r", report.calibration, report.result)
    #expect(bare.text.hasPrefix("Pitch: ") && !bare.text.contains(words))
    #expect(try !JSON.text(bare).contains("pitch_at_edge"))
  }

  @Test("octaves beyond the tones are told as not compared, in words and in JSON; others are not")
  func octaves() throws {
    let (high, low) = (try report(pitch: 6000), try report(pitch: 700))
    // Halving from 500 Hz up ends at the middle of a sixteenth of an octave: 3.59375 and 0.46875 octaves above.
    #expect(
      high.text.contains(
        "12073 Hz, the octave above 6037 Hz, could not be compared, for the tones end at 8000 Hz: the pitch may lie there.\n"
      ))
    #expect(try JSON.text(high).contains("\"uncompared_octaves\":[\"above\"]"))
    #expect(
      low.text.contains(
        "346 Hz, the octave below 692 Hz, could not be compared, for the tones begin at 500 Hz: the pitch may lie there.\n"
      ))
    let middle = try report(pitch: 2000)
    #expect(!middle.text.contains("compared"))
    #expect(try JSON.text(middle).contains("\"uncompared_octaves\":[]"))
    let bare = MatchReport("r", high.calibration, high.result)
    #expect(!bare.text.contains("could not be compared"))
    #expect(try !JSON.text(bare).contains("uncompared"))
  }

  @Test("where the other octave is chosen, the one that was not compared is that of the tone before")
  func chosenOctave() throws {
    // 3.34375 octaves above 500 Hz, and the octave below that.
    let text = try report(pitch: 5000, chosen: 2500).text
    #expect(text.hasPrefix("Pitch: 2538 Hz.\n"))
    #expect(
      text.contains(
        "10152 Hz, the octave above 5076 Hz, could not be compared, for the tones end at 8000 Hz: the pitch may lie there.\n"
      ))
  }

  @Test("sounds by a threshold that is one or below, or in doubt, are told by their frequencies")
  func uncertain() throws {
    let report = try report(pitch: 2000, uncertain: [500, 8000])
    #expect(
      report.text.contains(
        "Sounds at 500 and 8000 Hz may not be as loud as your tinnitus: the threshold there, or that of your loudness match, "
          + "is the softest tone of its hearing test, and may be lower, or a doubt of that test is about it, or the device makes no softer "
          + "sound there.\n"
      ))
    #expect(try JSON.text(report).contains("\"uncertain_frequencies\":[500,8000]"))
    #expect(try !self.report(pitch: 2000).text.contains("Sounds at"))
  }

  /// A result as it is told.
  private func text(_ result: String) throws -> String {
    let read = try JSON.value(ProcedureResult.self, from: [UInt8](result.utf8))
    return MatchReport("r", OutputCalibration.assumed.device, read).text
  }

  @Test(
    "levels above a threshold that lies there or below are told as lower bounds, and what proves nothing as that",
    arguments: [
      ("", "40 dB HL, 14 dB above your threshold of 26 dB HL.\n", nil),
      (
        #", "threshold_or_below": true"#,
        "40 dB HL, at least 14 dB above your threshold, which lies at 26 dB HL or below.\n", nil
      ),
      (
        #", "threshold_in_doubt": true"#, "40 dB HL, 14 dB above your threshold of 26 dB HL.\n",
        "A doubt of the hearing test is about that threshold"
      ),
      (
        #", "not_turned": true"#, "40 dB HL, 14 dB above your threshold of 26 dB HL.\n",
        "Most trials ended at their first tone, which proves nothing: match once more.\n"
      ),
    ] as [(String, String, String?)])
  func loudness(flags: String, level: String, sentence: String?) throws {
    let told = try text(
      #"{"loudness": {"ear": "right", "frequency": 1000, "trials": [40, 40, 40], "threshold": 26, "level": 40, "#
        + #""sensation_level": 14, "scattered": false, "at_limit": false\#(flags)}}"#)
    #expect(told.hasPrefix("Loudness at 1000 Hz, right ear: " + level))
    for other in ["A doubt of the hearing test is about", "Most trials ended"] {
      #expect(told.contains(other) == (sentence?.hasPrefix(other) == true))
    }
    if let sentence { #expect(told.contains(sentence)) }
  }

  @Test(
    "of a match of one trial that was not turned the way out is told, for the first one always begins there"
  )
  func oneTrial() throws {
    let told = try text(
      #"{"loudness": {"ear": "right", "frequency": 1000, "trials": [31], "threshold": 26, "level": 31, "#
        + #""sensation_level": 5, "scattered": false, "at_limit": false, "not_turned": true}}"#)
    #expect(
      told.contains(
        "The trial ended at its first tone, which proves nothing: match once more, and turn the tone away and back, or take "
          + "more trials.\n"))
  }

  @Test(
    "an inhibition behind a masking level that may be lower is told as one",
    arguments: [true, false, nil] as [Bool?])
  func inhibition(isMaskingOrBelow: Bool?) throws {
    let flag = isMaskingOrBelow.map { ", \"masking_or_below\": \($0)" } ?? ""
    let told = try text(
      #"{"inhibition": {"ear": "left", "signal": "broad-noise", "frequency": 1000, "level": 20, "held_back": false, "#
        + #""ratings": [{"time": 1, "loudness": 100}], "kind": "none"\#(flag)}}"#)
    #expect(told.hasPrefix("Residual inhibition: none.\n"))
    let sentence =
      "The masking level was found as that level or below: the noise may have been further above the true one.\n"
    #expect(told.contains(sentence) == (isMaskingOrBelow == true))
  }

  @Test(
    "a masking level that is an upper bound, or above a threshold that lies lower, is told as such",
    arguments: [
      (false, false, "20 dB HL, 5 dB above the noise's threshold.\n"),
      (
        false, true,
        "20 dB HL, at least 5 dB above the noise's threshold, which lies at 15 dB HL or below.\n"
      ),
      (true, false, "20 dB HL or below, 5 dB above the noise's threshold at most.\n"),
      (true, true, "20 dB HL or below; the noise's threshold lies at 15 dB HL or below.\n"),
    ])
  func masking(isLevelOrBelow: Bool, isThresholdOrBelow: Bool, words: String) throws {
    let told = try text(
      #"{"masking": {"ear": "left", "signal": "broad-noise", "frequency": 1000, "threshold": 15, "ends": [20], "#
        + #""unmasked": 0, "level": 20, "sensation_level": 5, "level_or_below": \#(isLevelOrBelow), "#
        + #""threshold_or_below": \#(isThresholdOrBelow), "threshold_in_doubt": false}}"#)
    #expect(told.hasPrefix("Minimum masking level, left ear: " + words))
    #expect(told.contains("softer noise may mask it too.") == isLevelOrBelow)
  }

  @Test(
    "a match that could not go somewhere says where it was and where it could not go, in words and in JSON")
  func unheard() throws {
    let report = try report(pitch: 2000, unheard: [10_000, 12_500], doubted: [12_500])
    #expect(
      report.text.contains(
        "The tones were those from 500 to 8000 Hz alone: no tone that may be played is heard at 10000 and 12500 Hz, "
          + "and the pitch may lie there. A doubt of the hearing test is about 12500 Hz: was the plug in? Test there again, "
          + "then match again.\n"))
    #expect(try JSON.text(report).contains("\"unheard_frequencies\":[10000,12500]"))
    #expect(try JSON.text(report).contains("\"unheard_in_doubt\":[12500]"))
    let whole = try self.report(pitch: 2000)
    #expect(!whole.text.contains("The tones were those") && !whole.text.contains("was the plug in?"))
    #expect(try JSON.text(whole).contains("\"unheard_frequencies\":[]"))
    let bare = MatchReport("r", report.calibration, report.result)
    #expect(!bare.text.contains("The tones were"))
    #expect(try !JSON.text(bare).contains("unheard"))
  }
}
