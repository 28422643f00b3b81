import Control
import Testing

@testable import Service

/// Recordings and other programs can have any number.
@Suite("Report of a spectrum") struct SpectrumReportTests {
  private static let whole: SpectrumReport = SpectrumScreenTests.report

  private static func report(
    _ frequencies: SpectrumReport.Frequencies, at time: Double = 1
  ) -> SpectrumReport {
    SpectrumReport(
      schema: 102, timeSeconds: time, setting: 1, frequencies: frequencies, left: whole.left,
      right: whole.right, scene: nil, isWindy: false, loadShare: 0, inputCalibration: .none,
      outputCalibration: .none)
  }

  @Test(
    "is damaged by a level that no sound has, wherever it stands",
    arguments: [
      ("level_db_spl", "60"), ("bins_db_spl", "[40,"), ("third_octaves_db_spl", "[60,"),
      ("bands_db_spl", "[50,"), ("level_db_spl", "[50,"), ("target_db", "[10,"), ("applied_db", "[10,"),
      ("feedback_estimate_db", "[-40,"), ("program", "[-4,"),
    ])
  func levels(key: String, value: String) throws {
    let text = try JSON.text(Self.whole)
    let (start, end) = (value.hasPrefix("[") ? "[" : "", value.hasSuffix(",") ? "," : "")
    // The bounds themselves are numbers of sound.
    for (number, isWhole) in [
      ("1e300", false), ("-1e300", false), ("1000.5", false), ("-10000.5", false), ("1000", true),
      ("-10000", true),
    ] {
      let other = text.replacing("\"\(key)\":\(value)", with: "\"\(key)\":\(start)\(number)\(end)")
      #expect(other != text)
      #expect(try JSON.value(SpectrumReport.self, from: Array(other.utf8)).isWhole == isWhole, "\(number)")
    }
  }

  @Test("is damaged by a time beyond thirty years", arguments: [1e308, -1e308, 1.1e9, -1.1e9])
  func times(time: Double) {
    #expect(!Self.report(Self.whole.frequencies, at: time).isWhole)
    #expect(Self.report(Self.whole.frequencies, at: time < 0 ? -1e9 : 1e9).isWhole)
  }

  @Test(
    "is damaged by frequencies that no sound has, and by those that do not rise",
    arguments: [0, -1, 0.5, 1e300, 500_001, 125, 99])
  func frequencies(last: Double) {
    let frequencies = Self.whole.frequencies
    let bands = Array(frequencies.bandsHz.dropLast()) + [last]
    let thirds = Array(frequencies.thirdOctavesHz.dropLast()) + [last]
    let width = frequencies.binWidthHz
    #expect(Self.report(frequencies).isWhole)
    let others = [
      SpectrumReport.Frequencies(
        binWidthHz: width, thirdOctavesHz: thirds, bandsHz: frequencies.bandsHz),
      .init(binWidthHz: width, thirdOctavesHz: frequencies.thirdOctavesHz, bandsHz: bands),
    ]
    for other in others { #expect(!Self.report(other).isWhole) }
  }

  @Test("is damaged by words longer than any daemon's, and by more changes than can be made")
  func words() {
    func isWhole(scene: String? = nil, debug: [String]? = nil) -> Bool {
      SpectrumReport(
        schema: 102, timeSeconds: 1, setting: 1, frequencies: Self.whole.frequencies, left: Self.whole.left,
        right: Self.whole.right, scene: scene, isWindy: false, loadShare: 0, inputCalibration: .none,
        outputCalibration: .none, debug: debug
      ).isWhole
    }
    let long = String(repeating: "W", count: 401)
    #expect(isWhole(scene: String(long.dropLast()), debug: [String(long.dropLast())]))
    #expect(!isWhole(scene: long) && !isWhole(debug: ["attack 10 ms", long]))
    #expect(isWhole(debug: Array(repeating: "x", count: 500)))
    #expect(!isWhole(debug: Array(repeating: "x", count: 501)))
  }

  @Test("is damaged by bins that lie nowhere", arguments: [0, -86, 1e300])
  func bins(width: Double) {
    let frequencies = Self.whole.frequencies
    let others = SpectrumReport.Frequencies(
      binWidthHz: width, thirdOctavesHz: frequencies.thirdOctavesHz, bandsHz: frequencies.bandsHz)
    #expect(!Self.report(others).isWhole)
  }

  @Test(
    "is shown without a trap whatever its frequencies are, and without anything that acts on the terminal")
  func shown() {
    let frequencies = Self.whole.frequencies
    for centre in [1e300, 9.3e18, -1e300, .nan, .infinity] {
      let bands = frequencies.bandsHz.map { $0 == 1000 ? centre : $0 }
      let lines = SpectrumScreen(columns: 200, rows: 60).lines(
        Self.report(.init(binWidthHz: 86.13, thirdOctavesHz: frequencies.thirdOctavesHz, bandsHz: bands)))
      #expect(lines.contains { $0.hasPrefix("Band, Hz") })
    }
    var report = SpectrumReport(
      schema: 102, timeSeconds: 1, setting: 1, frequencies: frequencies, left: Self.whole.left,
      right: Self.whole.right, scene: "\u{1B}]0;scene\u{7}", isWindy: false, loadShare: 0,
      inputCalibration: .none, outputCalibration: .none)
    report.debug = ["\u{9B}2J", "a\r\nb"]
    let title = SpectrumScreen(columns: 200, rows: 60).lines(report)[0]
    #expect(title.contains("scene ?]0;scene?"))
    #expect(title.hasSuffix("?2J; a??b"))
  }
}
