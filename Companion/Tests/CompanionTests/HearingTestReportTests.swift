import Base
import Studies
import Testing

@testable import Companion

@Suite("Report of a hearing test") struct HearingTestReportTests {
  /// Entry of `thresholds`, as `auricle hearing-test --json` writes it.
  private static func search(
    _ ear: String, _ frequency: Int, _ level: Int?, response: Bool = true, floor: Bool = false,
    noise: Int? = nil, insufficient: Bool = false
  ) -> JSONValue {
    [
      "ear": .text(ear), "frequency": .number(Double(frequency)),
      "level": level.map { .number(Double($0)) }, "has_response": .boolean(response),
      "at_floor": .boolean(floor), "tone_count": 9, "noise": noise.map { .number(Double($0)) },
      "insufficiently_masked": .boolean(insufficient),
    ]
  }

  /// Entry of `unreached`, as `auricle hearing-test --json` writes it.
  private static func unreached(_ ear: String, _ frequencies: [Double]) -> JSONValue {
    ["ear": .text(ear), "frequencies": .array(frequencies.map { .number($0) })]
  }

  /// Numbers of a report with these points, searches and frequencies that were not tested.
  private static func values(
    left: [String] = [], right: [String] = [], _ searches: [JSONValue]? = nil, unreached: [JSONValue] = [],
    inHistory: Bool = false
  ) throws -> [MeasuredValue] {
    let points = "{\"left\":[" + left.joined(separator: ",") + "],\"right\":["
    let audiograms = try JSONValue(Array((points + right.joined(separator: ",") + "]}").utf8))
    let found: JSONValue = [
      "audiograms": audiograms, "doubts": .array([]), "thresholds": searches.map { .array($0) },
      "unreached": .array(unreached), "record": "h1",
      "calibration": ["device": "HDA 200", "status": "verified"],
    ]
    let entry: JSONValue = [
      "record": "h1", "calibration": ["device": "HDA 200", "status": "verified"],
      "result": ["hearing_test": found],
    ]
    let report = inHistory ? entry : found
    let read = MeasurementReport(report, report.minified, of: TaskKind.hearingTest.key)
    return try #require(read).values
  }

  @Test("a threshold at the softest tone of the device is the threshold or below it; one above is exact")
  func floor() throws {
    let values = try Self.values(
      left: [AidReport.point(1000, -10), AidReport.point(2000, 5)],
      [Self.search("left", 1000, -10, floor: true), Self.search("left", 2000, 5)])
    #expect(
      values == [
        MeasuredValue("left_1000_hz", -10, "dB HL"), MeasuredValue("left_1000_hz_or_below", 1, ""),
        MeasuredValue("left_2000_hz", 5, "dB HL"), MeasuredValue("left_2000_hz_or_below", 0, ""),
        MeasuredValue("doubts", 0, ""),
      ])
  }

  @Test("a masked threshold is exact where the one without noise was at the floor, and the other way about")
  func masked() throws {
    let values = try Self.values(
      left: [AidReport.point(500, 0)],
      right: [AidReport.point(1000, 0), AidReport.point(1000, 40, masked: true)],
      [
        Self.search("right", 1000, 0, floor: true), Self.search("right", 1000, 40, noise: 60),
        // No noise was enough: the threshold found without it stays.
        Self.search("left", 500, 0, floor: true),
        Self.search("left", 500, 0, noise: 80, insufficient: true),
      ])
    #expect(
      values == [
        MeasuredValue("right_1000_hz", 40, "dB HL"), MeasuredValue("right_1000_hz_or_below", 0, ""),
        MeasuredValue("left_500_hz", 0, "dB HL"), MeasuredValue("left_500_hz_or_below", 1, ""),
        MeasuredValue("left_500_hz_insufficiently_masked", 1, ""), MeasuredValue("doubts", 0, ""),
      ])
  }

  @Test(
    "a threshold that no noise could mask enough has a mark that names the other ear; a masked one has not"
  )
  func insufficientlyMasked() throws {
    let marks = try Self.values(
      left: [AidReport.point(500, 50), AidReport.point(1000, 55), AidReport.point(1000, 70, masked: true)],
      right: [AidReport.point(500, 10)],
      [
        Self.search("left", 500, 50), Self.search("left", 500, 50, noise: 85, insufficient: true),
        Self.search("left", 1000, 55), Self.search("left", 1000, 60, noise: 85, insufficient: true),
        Self.search("left", 1000, 70, noise: 80), Self.search("right", 500, 10),
      ]
    ).filter { $0.name.hasSuffix("_insufficiently_masked") }
    #expect(marks == [MeasuredValue("left_500_hz_insufficiently_masked", 1, "")])
    let figure = try #require(TaskKind.hearingTest.figure("left_500_hz_insufficiently_masked"))
    #expect(figure.unit == "" && figure.meaning.contains("the right ear's"))
  }

  @Test(
    "no response, contradictory answers and a frequency that no tone reaches are three different numbers")
  func reasons() throws {
    let values = try Self.values(
      right: [AidReport.point(4000, 90, response: false)],
      [Self.search("right", 4000, 90, response: false), Self.search("right", 2000, nil, response: false)],
      unreached: [Self.unreached("right", [125, 250, 8000]), Self.unreached("left", [125])])
    #expect(
      values == [
        MeasuredValue("right_125_hz_not_tested", 1, ""), MeasuredValue("right_250_hz_not_tested", 1, ""),
        MeasuredValue("right_2000_hz_contradictory", 1, ""),
        MeasuredValue("right_4000_hz_no_response_up_to", 90, "dB HL"),
        MeasuredValue("right_8000_hz_not_tested", 1, ""), MeasuredValue("left_125_hz_not_tested", 1, ""),
        MeasuredValue("doubts", 0, ""),
      ])
    let kind = TaskKind.hearingTest
    #expect(values.allSatisfy { kind.figure($0.name)?.unit == $0.unit })
  }

  @Test("an aid of schema 100 tells what was not tested in sentences, which give the same numbers")
  func sentences() throws {
    let words = ", where the calibration or a limit lets no tone through."
    let sentences = [
      "The right ear was not tested at 125, 250 and 8000 Hz" + words,
      "The left ear was not tested at 12500 Hz" + words, "Something was said of both ears.",
    ]
    let values = try Self.values(
      left: [AidReport.point(1000, 30)], unreached: sentences.map { .text($0) })
    let lists = try Self.values(
      left: [AidReport.point(1000, 30)],
      unreached: [Self.unreached("right", [125, 250, 8000]), Self.unreached("left", [12500])])
    #expect(values == lists)
    #expect(values.count { $0.name.hasSuffix("_not_tested") } == 4)
  }

  @Test("a search that contradicts itself is told beside the threshold of another one")
  func again() throws {
    let values = try Self.values(
      left: [AidReport.point(1000, 30)],
      [Self.search("left", 1000, 30), Self.search("left", 1000, nil, response: false)])
    #expect(
      values == [
        MeasuredValue("left_1000_hz", 30, "dB HL"), MeasuredValue("left_1000_hz_or_below", 0, ""),
        MeasuredValue("left_1000_hz_contradictory", 1, ""), MeasuredValue("doubts", 0, ""),
      ])
  }

  @Test("an entry of the aid's history has the same numbers; a report without searches has its audiograms")
  func others() throws {
    let points = [AidReport.point(1000, -10), AidReport.point(8000, 80, response: false)]
    let searches = [
      Self.search("left", 1000, -10, floor: true), Self.search("left", 8000, 80, response: false),
    ]
    #expect(
      try Self.values(left: points, searches, inHistory: true) == Self.values(left: points, searches))
    #expect(
      try Self.values(left: points) == [
        MeasuredValue("left_1000_hz", -10, "dB HL"),
        MeasuredValue("left_8000_hz_no_response_up_to", 80, "dB HL"), MeasuredValue("doubts", 0, ""),
      ])
  }
}
