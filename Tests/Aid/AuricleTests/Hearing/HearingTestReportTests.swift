import Acoustics
import Base
import Control
import Procedures
import Testing

@testable import AuricleCommands
@testable import Service

/// A hearing test's result as words, as JSON, and as what its page is made of.
@Suite("Report of a hearing test") struct HearingTestReportTests {
  /// A test of the left ear by somebody who hears all of it: at 1000 Hz, and not at 500 Hz, where no limit lets a sound through.
  ///
  /// - Parameters:
  ///   - tested: Frequencies at which limits let sounds through, Hz.
  ///   - heard: Frequencies at which all are heard, Hz.
  private func found(
    _ signal: Stimulus.Signal, tested: Set<Double> = [1000], heard: Set<Double> = [1000],
    by calibration: OutputCalibration = .assumed
  ) throws -> (beginning: ProcedureBeginning, summary: HearingTestSummary) {
    let limits = try #require(
      HearingTestPlan.Limits(lowest: HearingLevel(-10), highest: HearingLevel(90)))
    let plan = HearingTestPlan(
      method: .hughsonWestlake, ears: [.left], frequencies: [1000, 500],
      limits: Binaural(both: Dictionary(uniqueKeysWithValues: tested.map { ($0, limits) })), signal: signal,
      catchShare: 0)
    var test = HearingTest(plan, seed: 1)
    while let trial = test.next {
      test.answer(heard.contains(trial.frequency) ? .heard(after: 0.4) : .notHeard)
    }
    var order = ProcedureOrder(.hearingTest)
    order.ears = [.left]
    let limit = SoundPressureLevel(110)
    let beginning = ProcedureBeginning(
      identifier: "h", at: 1_790_000_000, version: "1", order: order, plan: .hearingTest(plan), seed: 1,
      device: ProcedureBeginning.Device(
        capture: "c", playback: "p", rateHz: 48_000, format: "FLOAT_LE", delaySeconds: nil),
      calibration: calibration, limits: ProcedureBeginning.Limits(left: limit, right: limit))
    return (beginning, HearingTestSummary(try #require(HearingTestResult(test))))
  }

  @Test(
    "screen and page have the same cautions: what was not tested, and what a prescription would lack")
  func cautions() throws {
    let (beginning, summary) = try found(.pulsed)
    let report = HearingTestReport(beginning, summary, room: nil)
    #expect(
      report.cautions.first
        == "The left ear was not tested at 500 Hz, where the calibration or a limit lets no tone through.")
    #expect(report.cautions.contains { $0.hasPrefix("The right ear has no air-conduction thresholds") })
    #expect(report.cautions.contains { $0.hasPrefix("The left ear was not tested at 500, 2000") })
    for caution in report.cautions { #expect(report.text(.plain).contains("Caution: \(caution)\n")) }
  }

  @Test("a frequency at which the softest tone was heard is told for the page, of the ear that heard it")
  func floors() throws {
    let (beginning, summary) = try found(.pulsed)
    let report = HearingTestReport(beginning, summary, room: nil)
    #expect(report.floors == Binaural(left: [1000], right: []))
    #expect(report.text(.plain).contains("≤ -10"))
  }

  @Test("a result is called reliable for what was so alone, and silences that were answered are counted")
  func reliability() throws {
    func words(_ silences: ProcedureDetails.Silences?, heard: Set<Double> = [1000, 500]) throws -> String? {
      let (beginning, summary) = try found(.pulsed, tested: [1000, 500], heard: heard)
      let report = HearingTestReport(beginning, summary, room: nil, silences: silences)
      #expect(report.isReliable && report.text(.plain).contains("\(report.reliability ?? "none")\n"))
      return report.reliability
    }
    typealias Silences = ProcedureDetails.Silences
    let retested = "Reliable: the first tone was found again"
    #expect(try words(Silences(answered: 0, count: 9)) == retested + ", and silences were left alone.")
    #expect(try words(Silences(answered: 2, count: 3)) == retested + ", but 2 of 3 silences were answered.")
    #expect(try words(Silences(answered: 1, count: 1)) == retested + ", but 1 of 1 silence was answered.")
    for silences in [nil, Silences(answered: 0, count: 0)] {
      #expect(try words(silences) == retested + ".")
    }
    // No tone of 1000 Hz was heard, twice: that is no retest.
    let alone = Silences(answered: 0, count: 9)
    #expect(try words(alone, heard: [500]) == "Reliable: silences were left alone.")
    #expect(
      try words(Silences(answered: 2, count: 3), heard: [500])
        == "No reason for doubt was found, but 2 of 3 silences were answered.")
    #expect(try words(nil, heard: [500]) == "No reason for doubt was found.")
  }

  @Test("what cannot be relied on has doubts alone, and silences that are not known are null")
  func unreliable() throws {
    let (beginning, summary) = try found(.pulsed, heard: [])
    let report = HearingTestReport(beginning, summary, room: nil)
    #expect(!report.isReliable && report.reliability == nil && !report.text(.plain).contains("Reliable"))
    #expect(try JSON.text(report).contains("\"silences\":null"))
    let known = HearingTestReport(
      beginning, summary, room: nil, silences: ProcedureDetails.Silences(answered: 1, count: 4))
    #expect(try JSON.text(known).contains("\"silences\":{\"answered\":1,\"count\":4}"))
  }

  @Test(
    "thresholds through an earphone whose reference thresholds are in doubt are provisional in words, in JSON and in the note of FHIR",
    arguments: [
      ("hda200", nil), ("er3a", nil),
      ("earpods", "the source of the reference thresholds of earpods does not state their coupler"),
    ] as [(String, String?)])
  func uncertain(transducer: String, words: String?) throws {
    let device = DeviceCalibration(
      device: "rig", date: CalendarDate(year: 2026, month: 2, day: 28), status: .verified)
    let calibration = OutputCalibration(
      device: device, sensitivity: OutputCalibration.assumed.sensitivity,
      transducer: Transducer.named(transducer))
    let (beginning, summary) = try found(.pulsed, by: calibration)
    let report = HearingTestReport(beginning, summary, room: nil)
    let status = words == nil ? "verified" : "provisional"
    let doubt = words.map { ": they may be some dB off, for \($0)" } ?? ""
    #expect(report.text(.plain).contains("Levels: rig, calibration \(status)\(doubt).\n"))
    #expect(report.source == "Auricle hearing test with rig, calibration \(status).")
    #expect(try JSON.text(report).contains("\"status\":\"\(status)\""))
  }

  @Test(
    "thresholds of noise are named as such in words, in the note of FHIR and in JSON; those of tones are not"
  )
  func noise() throws {
    let device = "\(OutputCalibration.assumed.device.device), calibration none."
    for (signal, name) in [(.pulsed, nil), (.warble, nil), (.narrowNoise, "narrow noise")]
      as [(Stimulus.Signal, String?)]
    {
      let (beginning, summary) = try found(signal)
      let report = HearingTestReport(beginning, summary, room: nil)
      #expect(report.source == "Auricle hearing test\(name.map { " by \($0)" } ?? "") with \(device)")
      let words = "These are thresholds of narrow noise; prescriptions are made from those of tones."
      #expect(report.text(.plain).contains("Caution: \(words)\n") == (name != nil))
      #expect(try JSON.text(report).contains("\"signal\":\"\(signal.rawValue)\""))
      let bare = HearingTestReport("h", report.calibration, summary)
      #expect(bare.noise == nil)
      #expect(try !JSON.text(bare).contains("\"signal\""))
    }
  }
}
