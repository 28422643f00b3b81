import Acoustics
import Base
import Control
import HearingDSP
import Testing

@testable import Service

/// The view of a spectrum as lines of text.
@Suite("Spectrum on a terminal") struct SpectrumScreenTests {
  /// Twenty bands of 10 dB gain, of which the parts are 14 dB prescribed and −4 dB of the program.
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
      inputCalibration: .provisional,
      outputCalibration: .provisional)
  }()

  @Test(
    "fits its terminal at every size, and shows levels, gain and the parts that are not nothing",
    arguments: [(60, 16), (80, 24), (120, 40), (200, 60)])
  func sizes(_ columns: Int, _ rows: Int) {
    let lines = SpectrumScreen(columns: columns, rows: rows).lines(Self.report)
    #expect(lines.count == rows && lines.allSatisfy { $0.count <= columns })
    let text = lines.joined(separator: "\n")
    for words in [
      "Right ear · in 60.0 · out 70.0 dB SPL", "Target gain, dB", " prescription", " program", "1k",
    ] {
      #expect(text.contains(words), "\(words)")
    }
    #expect(!text.contains("wind relief"))
    // Bars of the ear are higher than those of the microphone.
    #expect(text.filter { $0 == "#" }.count > text.filter { $0 == ":" }.count)
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
