import Acoustics
import CommonTesting
import Fitting
import Prescriptions
import Testing

@testable import Paper

@Suite("Texts of a prescription sheet") struct SheetTextTests {
  @Test("every text given can be read in the PDF, in Latin, Greek and Cyrillic letters")
  func texts() throws {
    let folder = TemporaryFolder()
    let report = try SampleSheet.report(
      prescriber: "Сергей Иванович Ковалёв", given: "Ελένη", family: "Παπαδοπούλου-Żółć")
    let prescription = report.prescription
    try SampleSheet.sheet(report).write(to: folder.file("a.pdf"))
    let text = try Poppler.text(folder.file("a.pdf"))
    let expected =
      [
        "Hearing Centre Lindenhof", "Сергей Иванович Ковалёв", "Ελένη Παπαδοπούλου-Żółć", "1951-03-12",
        "P-20418", "conversation-in-noise", "No. 1042", "Replaces No. 1017", "Issued 2026-11-21",
        "EXPIRES 2028-11-21", "TRIAL until " + (prescription.trialEnds?.localText ?? ""),
        "NAL-NL2, explicit targets", "80 % of the gain", "volume −6 to +4 dB", "tone −3 to +3 dB",
        "4F2A 91C7 0B3E D85A 6C11 7E90 A2B4 53FD 18E6 C97B 40D2 8F35 B7A1 06EC 9D48 217F",
        "auricle rx scan", "auricle rx revert",
        "250 Hz and all others: −2, +1.5, −3.5 dB at 50, 65, 80 dB SPL",
      ] + report.findings.map(\.sentence)
    for words in expected { #expect(text.contains(words), "\(words)") }
    // Right ear at 1 kHz: 40 / 2.1 = 19.05, with 1.25 and 0.62 of it, in tenths, tuned by −2, +1.5 and −3.5 dB,
    // of all of which a new user begins with 80 %; and 95 + 19.05 / 2 rounded.
    #expect(text.contains("1000 17.4 16.4 6.6 105"))
  }

  @Test(
    "frequency lowering and tinnitus sound are printed where they are prescribed, and not named otherwise")
  func additions() throws {
    let folder = TemporaryFolder()
    try SampleSheet.sheet().write(to: folder.file("a.pdf"))
    let plain = try Poppler.text(folder.file("a.pdf"))
    #expect(!plain.contains("Lowering") && !plain.contains("Tinnitus"))
    let plan = try SampleSheet.plan(
      lowering: Binaural(both: FrequencyLowering(cutoff: 2000, ratio: 2)),
      sound: Binaural(left: TinnitusSound(shape: .broadband, level: SoundPressureLevel(45)), right: nil))
    try SampleSheet.sheet(SampleSheet.report(plan: plan)).write(to: folder.file("b.pdf"))
    let text = try Poppler.text(folder.file("b.pdf"))
    #expect(text.contains("Lowering both ears \(try FrequencyLowering(cutoff: 2000, ratio: 2))"))
    #expect(text.contains("Tinnitus sound left noise of 45 dB SPL, broadband"))
    #expect(text.contains("volume −6 to +4 dB, tone −3 to +3 dB"))
  }

  @Test("the speech that each ear can hear is printed in percent, without the aid and with it")
  func audibility() throws {
    let folder = TemporaryFolder()
    let plan = try FittingPlan(target: .rule(.nalR))
    let n3 = Binaural(left: StandardAudiogram.n4.audiogram, right: StandardAudiogram.n3.audiogram)
    try SampleSheet.sheet(SampleSheet.report(audiograms: n3, plan: plan)).write(
      to: folder.file("a.pdf"))
    let text = try Poppler.text(folder.file("a.pdf"))
    // N3 and N4 unaided and by NAL-R; phonometry 3.3.0, as in AudibilityTests.
    #expect(text.contains("Speech you can hear Right ear Left ear"))
    for words in [
      "soft speech 8 % 34 % 0 % 13 %", "ordinary speech 31 % 71 % 4 % 47 %",
      "loud speech 61 % 81 % 25 % 70 %",
    ] {
      #expect(text.contains(words), "\(words)")
    }
    try SampleSheet.sheet(SampleSheet.bare(), side: 21).write(to: folder.file("b.pdf"))
    #expect(try Poppler.text(folder.file("b.pdf")).contains("soft speech – – – –"))
  }

  @Test("every finding is on the pages, whole; what a physician must see first comes first")
  func findings() throws {
    let folder = TemporaryFolder()
    var points = [(500.0, 60.0), (1000, 62), (2000, 95)].map {
      Audiogram.Point(frequency: $0, threshold: HearingLevel($1))
    }
    points.append(.init(frequency: 4000, threshold: HearingLevel(110), hasResponse: false))
    points += [500.0, 1000, 2000].map {
      Audiogram.Point(frequency: $0, threshold: HearingLevel(30), conduction: .bone)
    }
    let report = try SampleSheet.report(
      audiograms: Binaural(
        left: Audiogram(points: points), right: Audiogram(air: [500: 15, 1000: 15, 2000: 15])))
    // More than the ten lines that a page of one column once had room for.
    #expect(report.findings.count >= 7)
    let pages = try SampleSheet.sheet(report).write(to: folder.file("a.pdf"))
    let text = try Poppler.text(folder.file("a.pdf"))
    for finding in report.findings { #expect(text.contains(finding.sentence), "\(finding.sentence)") }
    let referral = try #require(text.firstRange(of: "a physician should see it first"))
    for other in report.findings where other.severity == .caution && other.kind != .airBoneGap {
      let place = try #require(text.firstRange(of: other.sentence))
      #expect(place.lowerBound > referral.upperBound)
    }
    // 21 CFR 801.422: a gap of 15 dB at 500, 1000 and 2000 Hz is a reason to see a physician before an aid.
    #expect(pages[0].labels.contains { $0.text.contains("See a doctor before you begin") })
    let alike = try SampleSheet.report(audiograms: Binaural(both: SampleSheet.rightEar()))
    #expect(
      try !SampleSheet.sheet(alike).pages()[0].labels.contains { $0.text.contains("before you begin") })
    let kinds = pages[1].labels.map(\.text).filter { ["Caution", "Note"].contains($0) }
    #expect(kinds == kinds.sorted())
  }

  // American Academy of Otolaryngology: a difference of the averages above 15 dB is a reason to see a physician.
  @Test("ears that differ send the patient to a doctor before the aid is used")
  func asymmetry() throws {
    func flat(_ level: Double) throws -> Audiogram {
      try Audiogram(air: [500: level, 1000: level, 2000: level, 4000: level])
    }
    for (difference, isReferred) in [(35.0, true), (5, false)] {
      let ears = try Binaural(left: flat(30), right: flat(30 + difference))
      let page = try SampleSheet.sheet(SampleSheet.report(audiograms: ears)).pages()[0]
      #expect(
        page.labels.contains { $0.text.contains("See a doctor before you begin") } == isReferred,
        "\(difference) dB")
    }
  }

  @Test("a person who is known by a reference alone has nothing else on the pages")
  func pseudonym() throws {
    let folder = TemporaryFolder()
    let named = try SampleSheet.report().prescription
    let prescription = try Prescription(
      serial: 1, patient: Patient(reference: "P-17", of: "Hearing Centre Lindenhof"),
      prescriber: named.prescriber, environment: .quiet, audiograms: named.audiograms, plan: named.plan,
      issued: named.issued)
    try SampleSheet.sheet(PrescriptionReport(prescription, verdict: nil)).write(to: folder.file("a.pdf"))
    let text = try Poppler.text(folder.file("a.pdf"))
    #expect(text.contains("Reference P-17") && text.contains("a reference"))
    #expect(!text.contains("Born") && !text.contains("born") && !text.contains("date of birth"))
  }

  @Test("the patient's name is not among the document's properties")
  func properties() throws {
    #expect(try SampleSheet.sheet().pages().allSatisfy { $0.title == "Auricle prescription 1042" })
  }
}
