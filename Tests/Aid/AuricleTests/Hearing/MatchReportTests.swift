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
  /// - Parameter unheard: Frequencies of which no tone is heard, Hz.
  private func report(pitch: Double, unheard: [Double] = []) throws -> MatchReport {
    let points = [500.0, 8000].map {
      LevelCurve.Point(frequency: $0, level: HearingLevel(30), ceiling: HearingLevel(70))
    }
    let curve = try #require(LevelCurve(points, unheard: unheard))
    let plan = ProcedurePlan.pitch(PitchPlan(ear: .left, curve: curve))
    var procedure = plan.begin(seed: 1)
    while let step = procedure.nextStep {
      let octaves = step.cues.compactMap { $0.stimulus }.map { abs(log2($0.frequency / pitch)) }
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

  @Test(
    "a match that could not go somewhere says where it was and where it could not go, in words and in JSON")
  func unheard() throws {
    let report = try report(pitch: 2000, unheard: [10_000, 12_500])
    #expect(
      report.text.contains(
        "The tones were those from 500 to 8000 Hz alone: no tone that may be played is heard at 10000 and 12500 Hz, "
          + "and the pitch may lie there.\n"))
    #expect(try JSON.text(report).contains("\"unheard_frequencies\":[10000,12500]"))
    let whole = try self.report(pitch: 2000)
    #expect(!whole.text.contains("The tones were those"))
    #expect(try JSON.text(whole).contains("\"unheard_frequencies\":[]"))
    let bare = MatchReport("r", report.calibration, report.result)
    #expect(!bare.text.contains("The tones were"))
    #expect(try !JSON.text(bare).contains("unheard"))
  }
}
