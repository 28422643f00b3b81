import Acoustics
import Base
import Fitting
import Testing

@testable import Prescriptions

@Suite("Prescription report") struct PrescriptionReportTests {
  private func report(
    born: String = "1950-02-03", left: Audiogram = StandardAudiogram.n3.audiogram,
    plan: FittingPlan? = nil
  ) throws -> PrescriptionReport {
    let birth = try #require(CalendarDate(born))
    let prescription = try Prescription(
      serial: 1, patient: Patient(givenName: "Ada", familyName: "Example", birthDate: birth),
      prescriber: Prescriber(name: "B. Ear", clinic: "City"), environment: .quiet,
      audiograms: Binaural(left: left, right: StandardAudiogram.n3.audiogram),
      plan: plan ?? FittingPlan(target: .rule(.nalR)), adjustment: .none,
      // 20 November 2026.
      issued: Instant(seconds: 1_795_132_800))
    return PrescriptionReport(prescription, verdict: nil)
  }

  @Test("audible speech of N3 by NAL-R is told in words and in JSON, per ear, level and aid, within 0.01")
  func audibility() throws {
    let report = try report()
    // phonometry 3.3.0, as in AudibilityTests: to two decimals.
    let text = PrescriptionText(report).text
    for ear in ["right", "left"] {
      let lines = text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
      #expect(lines.contains("\(ear) ear, without an aid 0.08 0.31 0.61"))
      #expect(lines.contains { $0.hasPrefix("\(ear) ear, as prescribed 0.3") })
    }
    #expect(text.contains("\n  Output limits do not count here.\n"))
    #expect(report.json["schema"] == 102)
    let expected = [
      "unaided_50_sii": 0.0811, "unaided_65_sii": 0.3074, "unaided_80_sii": 0.6127, "aided_50_sii": 0.3351,
      "aided_65_sii": 0.7102, "aided_80_sii": 0.8077,
    ]
    for (key, index) in expected {
      guard case .number(let found) = report.json["audibility"]?["right"]?[key]?.content else {
        Issue.record("no number for \(key)")
        continue
      }
      #expect(abs(found - index) <= 0.01, "\(key)")
    }
  }

  @Test("an ear without thresholds has no line and null in JSON")
  func untested() throws {
    let gains = SpeechLevels(soft: 20.0, ordinary: 15, loud: 10)
    let table = try TargetTable(points: [500, 4000].map { .init(frequency: $0, gains: gains) })
    let plan = try FittingPlan(target: .tables(Binaural(both: table), source: "made up"))
    let report = try report(left: Audiogram(points: []), plan: plan)
    let text = PrescriptionText(report).text
    #expect(text.contains("right ear, as prescribed") && !text.contains("left ear, as prescribed"))
    #expect(report.json["audibility"]?["left"] == .some(JSONValue(.null)))
  }

  @Test("rows of a table between and beyond the usual frequencies are shown, in words and in JSON")
  func rows() throws {
    func point(_ frequency: Double, _ gain: Double, _ output: Double?) -> TargetTable.Point {
      .init(
        frequency: frequency, gains: SpeechLevels(all: gain),
        maximumOutput: output.map { SoundPressureLevel($0) })
    }
    // Typing slips in the first and in the last row.
    let slips = try TargetTable(points: [point(125, 60, 110), point(1000, 20, nil), point(10_000, 70, 118)])
    let plain = try TargetTable(points: [point(1000, 20, nil)])
    let plan = try FittingPlan(
      target: .tables(Binaural(left: plain, right: slips), source: "made up"),
      outputCeiling: SoundPressureLevel(120))
    let report = try report(plan: plan)
    let usual: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]
    #expect(report.targets.left.map(\.frequency) == usual)
    let shown = report.targets.right
    #expect(shown.map(\.frequency) == [125] + usual + [10_000])
    // At the centre of a band the table holds as it is.
    #expect(shown.first == point(125, 60, 110) && shown.last == point(10_000, 70, 118))
    let lines = PrescriptionText(report).text.split(separator: "\n")
      .map { $0.split(separator: " ").joined(separator: " ") }
    #expect(lines.contains("Hz 125 250 500 750 1000 1500 2000 3000 4000 6000"))
    #expect(lines.contains("Hz 8000 10000"))
    #expect(lines.contains { $0.hasPrefix("gain at 65 dB SPL, dB 60.0 ") })
    #expect(lines.contains { $0.hasPrefix("gain at 65 dB SPL, dB ") && $0.hasSuffix(" 70.0") })
    #expect(lines.contains { $0.hasPrefix("at most, dB SPL 110 ") })
    #expect(lines.contains { $0.hasPrefix("at most, dB SPL ") && $0.hasSuffix(" 118") })
    guard case .array(let targets) = report.json["targets"]?["right"]?.content else {
      Issue.record("no targets")
      return
    }
    #expect(targets.count == 12 && targets.last?["frequency_hz"] == 10_000)
    #expect(targets.last?["gain_65_db"] == 70 && targets.last?["maximum_output_db_spl"] == 118)
    // N3 was tested from 250 to 6000 Hz.
    #expect(report.findings.contains { $0.kind == .untestedGain && $0.frequencies == [125, 10_000] })
  }

  @Test("a child by the date of issue is reported, with the finding's kind in JSON")
  func child() throws {
    let report = try report(born: "2008-11-21")
    #expect(report.findings.first?.kind == .child)
    #expect(PrescriptionText(report).text.contains("\nCaution: The patient is a child of 17 years: "))
    guard case .array(let findings) = report.json["findings"]?.content else {
      Issue.record("no findings")
      return
    }
    #expect(findings.first?["kind"] == "child" && findings.first?["severity"] == "caution")
    #expect(try !self.report(born: "2008-11-20").findings.contains { $0.kind == .child })
  }

  @Test("fine tuning names the frequencies beyond its outermost points at which it holds")
  func tuning() throws {
    func words(_ points: [Double: Double]) throws -> [String] {
      let tuning = try FineTuning(
        points: points.sorted { $0.key < $1.key }.map {
          .init(frequency: $0.key, changes: SpeechLevels(all: $0.value))
        })
      let plan = try FittingPlan(
        target: .rule(.nalR), fineTuning: Binaural(left: tuning, right: .none))
      let report = try report(plan: plan)
      for line in report.prescription.fineTuningWords {
        #expect(
          PrescriptionText(report).text.contains(
            "Fine tuning, left ear, \(line.dropFirst("left ".count))\n"))
      }
      return report.prescription.fineTuningWords
    }
    #expect(try words([2000: 3]) == ["left 2000 Hz and all others: +3, +3, +3 dB at 50, 65, 80 dB SPL"])
    #expect(
      try words([1000: 0, 2000: 3, 4000: 0]) == [
        "left 1000 Hz and below: 0, 0, 0 dB at 50, 65, 80 dB SPL",
        "left 2000 Hz: +3, +3, +3 dB at 50, 65, 80 dB SPL",
        "left 4000 Hz and above: 0, 0, 0 dB at 50, 65, 80 dB SPL",
      ])
  }

  @Test("a plot stands between what was decided and the ears")
  func plot() throws {
    let text = PrescriptionText(try report(), plot: "PLOT\n").text
    #expect(text.contains("Patient may  adjust nothing\n\nPLOT\n\nRight ear (O)\n"))
  }
}
