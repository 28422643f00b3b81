import Acoustics
import Base
import Control
import HearingDSP
import Testing

@testable import Service

/// The view of a spectrum as lines of text.
@Suite("Spectrum on a terminal") struct SpectrumScreenTests {
  /// Twenty bands of 10 dB gain, of which the parts are 14 dB prescribed and −4 dB of the program; calibrated at both ends.
  static let report: SpectrumReport = {
    let bands = BandLayout.standard.centres
    let thirds = (-10...12).map { _ in 60.0 }
    func sound(_ level: Double) -> SpectrumReport.Sound {
      SpectrumReport.Sound(
        levelDBSPL: level, binsDBSPL: Array(repeating: level - 20, count: 256),
        thirdOctavesDBSPL: thirds.map { $0 + level - 60 }, bandsDBSPL: bands.map { _ in level - 10 })
    }
    var parts = Dictionary(uniqueKeysWithValues: GainPart.allCases.map { ($0.key, bands.map { _ in 0.0 }) })
    parts["prescription"] = bands.map { _ in 14 }
    parts["program"] = bands.map { _ in -4 }
    let gain = SpectrumReport.Gain(
      levelDBSPL: bands.map { _ in 50 }, targetDB: bands.map { _ in 10 }, appliedDB: bands.map { _ in 10 },
      partsDB: parts, feedbackEstimateDB: bands.map { _ in -40 })
    let ear = SpectrumReport.Ear(input: sound(60), output: sound(70), gain: gain)
    return SpectrumReport(
      schema: 100, timeSeconds: 1, setting: 1,
      frequencies: SpectrumReport.Frequencies(
        binWidthHz: 86.13, thirdOctavesHz: ThirdOctave.all(below: 22_050).map(\.centre), bandsHz: bands),
      left: ear, right: ear, scene: "speech", isWindy: false, loadShare: 0.04,
      inputCalibration: .verified,
      outputCalibration: .verified)
  }()

  @Test(
    "fits its terminal at every size, and shows levels, gain and the parts that are not nothing",
    arguments: [(60, 16), (80, 24), (120, 40), (200, 60)])
  func sizes(_ columns: Int, _ rows: Int) {
    let lines = SpectrumScreen(columns: columns, rows: rows).lines(Self.report)
    #expect(lines.count == rows && lines.allSatisfy { $0.count <= columns })
    let text = lines.joined(separator: "\n")
    for words in [
      "Right ear · in 60.0 · out 70.0 dB SPL", "scene speech", "Target gain, dB", " prescription",
      " program", "1k",
    ] {
      #expect(text.contains(words), "\(words)")
    }
    #expect(!text.contains("wind relief"))
    // Bars of the ear are higher than those of the microphone.
    #expect(text.filter { $0 == "#" }.count > text.filter { $0 == ":" }.count)
  }

  @Test("a band's frequency stands above its column in kHz with two decimals at most, cut off")
  func heads() throws {
    let whole = Self.report
    let frequencies = SpectrumReport.Frequencies(
      binWidthHz: whole.frequencies.binWidthHz, thirdOctavesHz: whole.frequencies.thirdOctavesHz,
      bandsHz: [500, 1000, 1005, 1050, 1250, 1500, 2063, 4200, 12_345])
    let report = SpectrumReport(
      schema: 100, timeSeconds: 1, setting: 1, frequencies: frequencies, left: whole.left,
      right: whole.right, scene: nil, isWindy: false, loadShare: 0, inputCalibration: .none,
      outputCalibration: .none)
    let lines = SpectrumScreen(columns: 100, rows: 24).lines(report)
    let head = try #require(lines.first { $0.hasPrefix("Band, Hz") })
    #expect(
      head.split(separator: " ").dropFirst(2).map(String.init)
        == ["500", "1k", "1k", "1k05", "1k25", "1k5", "2k06", "4k2", "12k34"])
  }

  @Test("lists the parts of one band of both ears side by side")
  func oneBand() {
    var screen = SpectrumScreen(columns: 80, rows: 24)
    screen.band = 5
    let lines = screen.lines(Self.report)
    #expect(lines.contains { $0.hasPrefix("1000 Hz, dB") && $0.hasSuffix("right    left") })
    #expect(lines.contains { $0.hasPrefix(" prescription") && $0.contains("14.0    14.0") })
  }

  @Test("says in words that a terminal is too small", arguments: [(20, 10), (59, 60), (80, 15), (1, 1)])
  func tooSmall(_ columns: Int, _ rows: Int) {
    let lines = SpectrumScreen(columns: columns, rows: rows).lines(Self.report)
    #expect(lines.count <= rows && lines[0].hasPrefix("This".prefix(columns)))
  }

  @Test("is averaged by power for levels and by decibels for gain")
  func average() throws {
    var average = SpectrumAverage()
    #expect(average.report == nil)
    average.add(Self.report)
    average.add(Self.report)
    let mean = try #require(average.report)
    #expect(mean.left == Self.report.left && mean.right == Self.report.right)
    // Of 60 and 70 dB the mean power is 10 log10((10⁶ + 10⁷) / 2) = 67.40 dB.
    var both = SpectrumAverage()
    let ears = [Self.report.left.input, Self.report.left.output]
    for sound in ears {
      let ear = SpectrumReport.Ear(input: sound, output: sound, gain: nil)
      both.add(
        SpectrumReport(
          schema: 100, timeSeconds: 1, setting: 0, frequencies: Self.report.frequencies, left: ear,
          right: ear,
          scene: nil, isWindy: false, loadShare: 0, inputCalibration: .none, outputCalibration: .none))
    }
    #expect(both.report?.left.input.levelDBSPL == 67.4)
  }

  /// The report at a time, with other parts, as silent as a moment of a ramp from nothing.
  static func report(
    at time: Double = 1, parts: [String: Double] = [:], isSilent: Bool = false, isMuted: Bool? = nil,
    isFitted: Bool? = nil,
    calibrations: (input: CalibrationStatus, output: CalibrationStatus) = (.verified, .verified)
  ) -> SpectrumReport {
    func silenced(_ sound: SpectrumReport.Sound) -> SpectrumReport.Sound {
      guard isSilent else { return sound }
      return SpectrumReport.Sound(
        levelDBSPL: -80, binsDBSPL: sound.binsDBSPL.map { _ in -80 },
        thirdOctavesDBSPL: sound.thirdOctavesDBSPL.map { _ in -80 },
        bandsDBSPL: sound.bandsDBSPL.map { _ in -80 })
    }
    let whole = report.left
    let ear = SpectrumReport.Ear(
      input: whole.input, output: silenced(whole.output),
      gain: whole.gain.map { gain in
        let (ramp, ended) = (
          isSilent ? -200.0 : 0, parts.mapValues { value in gain.targetDB.map { _ in value } }
        )
        return SpectrumReport.Gain(
          levelDBSPL: gain.levelDBSPL, targetDB: gain.targetDB,
          appliedDB: gain.appliedDB.map { $0 + ramp - 17.9 * (isSilent ? 1 : 0) },
          partsDB: gain.partsDB.merging(["ramp": gain.targetDB.map { _ in ramp }]) { $1 }.merging(ended) {
            $1
          },
          feedbackEstimateDB: gain.feedbackEstimateDB)
      }, isFitted: isFitted)
    return SpectrumReport(
      schema: 102, timeSeconds: time, setting: 1, frequencies: report.frequencies, left: ear, right: ear,
      scene: "speech", isWindy: false, loadShare: 0.04, inputCalibration: calibrations.input,
      outputCalibration: calibrations.output, isMuted: isMuted)
  }

  @Test("is averaged over the moments with sound, of levels and gains alike, and says what is left out")
  func averageOfSound() throws {
    var average = SpectrumAverage()
    // 21 moments 0.1 s apart stand for 2.1 s, of which the first three are silent.
    for moment in 0..<21 { average.add(Self.report(at: 0.1 * Double(moment), isSilent: moment < 3)) }
    let mean = try #require(average.report)
    #expect(mean.left.gain?.appliedDB == Self.report().left.gain?.appliedDB)
    #expect(mean.left.output.levelDBSPL == 70)
    #expect(average.remark?.hasPrefix("0.3 s of 2.1 s are left out") == true)
    var screen = SpectrumScreen(columns: 100, rows: 24)
    screen.remark = average.remark
    let lines = screen.lines(mean)
    #expect(lines.count == 24 && lines[1].hasPrefix("0.3 s of 2.1 s"))
    // Silence alone is averaged as it is.
    var silence = SpectrumAverage()
    for moment in 0..<3 { silence.add(Self.report(at: 0.1 * Double(moment), isSilent: true)) }
    #expect(silence.report?.left.output.levelDBSPL == -80 && silence.remark == nil)
    // So is a gain that only some of them have.
    #expect(silence.report?.left.gain?.partsDB["ramp"]?.first == -200)
  }

  @Test(
    "has of the load the greatest, of debug mode all changes, and a scene where it is one all the time; what changed is said"
  )
  func averageOfStates() throws {
    let whole = Self.report()
    func moment(_ number: Int, _ scene: String?, _ load: Double, _ debug: [String]?) -> SpectrumReport {
      SpectrumReport(
        schema: 102, timeSeconds: 0.04 * Double(number), setting: 1, frequencies: whole.frequencies,
        left: whole.left, right: whole.right, scene: scene, isWindy: false, loadShare: load,
        inputCalibration: debug == nil ? .provisional : .verified, outputCalibration: .verified,
        debug: debug)
    }
    // The last of fifty comes when debug mode has ended.
    var average = SpectrumAverage()
    average.add(moment(0, nil, 0.1, []))
    for number in 1..<49 { average.add(moment(number, "speech", 0.95, number < 20 ? ["a"] : ["a", "b"])) }
    average.add(moment(49, "noise", 0.01, nil))
    let mean = try #require(average.report)
    #expect(mean.loadShare == 0.95 && mean.debug == ["a", "b"] && mean.scene == nil)
    #expect(mean.inputCalibration == .provisional && mean.outputCalibration == .verified)
    #expect(average.remark == "Not the same all the time: scene, calibration and debug mode.")
    var screen = SpectrumScreen(columns: 60, rows: 24)
    screen.remark = average.remark
    let lines = screen.lines(mean)
    #expect(lines.count == 24 && lines[0].hasPrefix("Right ear · DEBUG MODE · in 60.0 (provisional)"))
    #expect(lines[1...2].joined(separator: " ") == average.remark)
    // A scene that is known only later is one.
    var same = SpectrumAverage()
    for number in 0..<3 { same.add(moment(number, number == 0 ? nil : "speech", 0.1, nil)) }
    #expect(same.report?.scene == "speech" && same.report?.debug == nil && same.remark == nil)
  }

  @Test("names a muted and an unfitted aid, shows no parts while muted, and writes silence as such")
  func muted() {
    let lines = SpectrumScreen(columns: 80, rows: 24)
      .lines(Self.report(isSilent: true, isMuted: true, isFitted: false))
    #expect(lines[0].hasPrefix("Right ear · MUTED · not fitted · in 60.0 dB SPL · out silence"))
    let text = lines.joined(separator: "\n")
    #expect(!text.contains("207.9") && !text.contains("200.0") && !text.contains(" prescription"))
    #expect(lines.contains { $0.hasPrefix("Applied gain, dB") && $0.hasSuffix("     –     –") })
    let heard = SpectrumScreen(columns: 80, rows: 24).lines(Self.report(isMuted: false, isFitted: true))[0]
    #expect(!heard.contains("MUTED") && !heard.contains("not fitted"))
  }

  @Test(
    "marks each of its two levels by the status of its own end, also on the narrowest terminal",
    arguments: [
      (.none, .verified, "in 60.0 (assumed) · out 70.0 dB SPL · scene"),
      (.verified, .provisional, "in 60.0 · out 70.0 dB SPL (provisional)"),
      (.provisional, .verified, "in 60.0 (provisional) · out 70.0 dB SPL"),
      (.none, .none, "in 60.0 (assumed) · out 70.0 dB SPL (assumed)"),
    ] as [(CalibrationStatus, CalibrationStatus, String)])
  func calibrations(_ input: CalibrationStatus, _ output: CalibrationStatus, _ levels: String) {
    let report = Self.report(calibrations: (input, output))
    let title = SpectrumScreen(columns: 60, rows: 16).lines(report)[0]
    #expect(title.hasPrefix("Right ear · \(levels)"))
  }

  @Test("of an older recording is read without the marks of a newer one")
  func older() throws {
    let text = try JSON.text(Self.report())
    #expect(!text.contains("is_muted") && !text.contains("is_fitted"))
    #expect(try JSON.value(SpectrumReport.self, from: Array(text.utf8)) == Self.report())
  }

  @Test("is damaged where a list has another length than its frequencies")
  func damaged() throws {
    #expect(Self.report.isWhole)
    let text = try JSON.text(Self.report())
    for (key, value) in [
      ("applied_db", "10"), ("level_db_spl", "50"), ("bands_db_spl", "50"), ("program", "-4"),
    ] {
      let cut = text.replacing("\"\(key)\":[\(value),", with: "\"\(key)\":[")
      #expect(cut != text, "\(key)")
      #expect(try !JSON.value(SpectrumReport.self, from: Array(cut.utf8)).isWhole, "\(key)")
    }
  }

  @Test("tells how many parts do not fit, and has all of them, and the legend, where it is printed")
  func manyParts() throws {
    let parts = Dictionary(uniqueKeysWithValues: GainPart.allCases.map { ($0.key, 1.0) })
    var screen = SpectrumScreen(columns: 80, rows: 24)
    let lines = screen.lines(Self.report(parts: parts))
    // Four lines above the parts, of 14 that a plot of six leaves; the last one is the count.
    #expect(
      lines.count == 24 && lines.contains("… \(GainPart.allCases.count - 9) more: enlarge the terminal"))
    screen.isPrinted = true
    let printed = screen.lines(Self.report(parts: parts))
    let rows = printed.filter { line in GainPart.allCases.contains { line.hasPrefix(" " + $0.words + " ") }
    }
    #expect(rows.count == GainPart.allCases.count && Set(rows.map(\.count)).count == 1)
    #expect(printed.last == ": microphone  # ear")
  }

  @Test("says the same with colours and without, and is as wide")
  func colours() {
    var screen = SpectrumScreen(columns: 120, rows: 40)
    let plain = screen.lines(Self.report)
    screen.style = Style(isOn: true)
    let coloured = screen.lines(Self.report)
    #expect(coloured != plain)
    #expect(coloured.map { $0.replacing(#/\u{1B}\[[0-9]*m/#, with: "") } == plain)
  }

  @Test(
    "marks every twentieth decibel from 0 to 120 at usual heights, with its unit", arguments: [24, 40, 60])
  func levels(_ rows: Int) {
    let lines = SpectrumScreen(columns: 120, rows: rows).lines(Self.report)
    let labels = lines.filter { $0.contains("|") }.map { $0.prefix { $0 != "|" }.filter { $0 != " " } }
    #expect(labels.filter { !$0.isEmpty } == ["120", "dB", "100", "80", "60", "40", "20", "0"])
  }
}
