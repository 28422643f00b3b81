import Glibc
import Testing

@testable import Acoustics

@Suite("Audiogram file") struct AudiogramFileTests {
  static let sample = """
    {
      "format": "auricle-audiogram",
      "version": 1,
      "name": "J. D., “March”",
      "left": {
        "air": { "250": 35, "1000": 40.5, "4000": { "threshold": 110, "response": false } },
        "air-masked": { "2000": 55 },
        "bone": { "1000": { "threshold": -10 } }
      },
      "right": {}
    }
    """

  private func failure(_ text: String) -> AcousticsError? {
    do {
      _ = try AudiogramFile(parsing: text)
      return nil
    } catch {
      return error
    }
  }

  /// The sample with one place changed.
  private func broken(_ good: String, _ bad: String) -> AcousticsError? {
    let text = Self.sample.replacing(good, with: bad)
    #expect(text != Self.sample, "\(good) is in the sample")
    return failure(text)
  }

  @Test("both ears are read, with masked, bone-conduction and no-response points")
  func reads() throws {
    let file = try AudiogramFile(parsing: Self.sample)
    #expect(file.name == "J. D., “March”")
    #expect(
      file.ears.left.points == [
        .init(frequency: 250, threshold: HearingLevel(35)),
        .init(frequency: 1000, threshold: HearingLevel(40.5)),
        .init(frequency: 2000, threshold: HearingLevel(55), isMasked: true),
        .init(frequency: 4000, threshold: HearingLevel(110), hasResponse: false),
        .init(frequency: 1000, threshold: HearingLevel(-10), conduction: .bone),
      ])
    #expect(file.ears.right.points.isEmpty)
  }

  @Test("a file written and read is the same, whatever its name")
  func roundTrip() throws {
    var file = try AudiogramFile(parsing: Self.sample)
    #expect(try AudiogramFile(parsing: file.text) == file)
    for name in ["", "a \"quoted\" \\ name", "two\nlines\tand \u{1}", "耳"] {
      file.name = name
      #expect(try AudiogramFile(parsing: file.text) == file)
    }
    file.ears.right = StandardAudiogram.s1.audiogram
    #expect(try AudiogramFile(parsing: file.text) == file)
  }

  @Test("an unknown key is refused with its line and the nearest name")
  func unknownKey() {
    let cases: [(String, String, String?, Int)] = [
      ("\"air\"", "aire", "air", 6), ("\"air-masked\"", "air_masked", "air-masked", 7),
      ("\"name\"", "nmae", "name", 4), ("\"right\"", "rigth", "right", 10),
      ("\"response\"", "respons", "response", 6), ("\"bone\"", "UCL", nil, 8),
    ]
    for (good, bad, nearest, line) in cases {
      let error = broken(good, "\"\(bad)\"")
      let advice = nearest.map { ": did you mean \"\($0)\"?" } ?? ""
      #expect(error?.line == line && error?.reason == "unknown key \"\(bad)\"" + advice, "\(bad)")
    }
    #expect(
      broken("\"right\"", "\"rigth\"")?.description
        == "line 10: unknown key \"rigth\": did you mean \"right\"?")
  }

  @Test("a bad point is refused with ear, frequency, value and range")
  func badPoint() {
    #expect(
      broken("40.5", "140")?.description
        == "line 6: left ear, air conduction of 140 dB HL at 1000 Hz: expected -10 to 120 dB HL")
    #expect(
      broken("\"250\"", "\"50\"")?.reason
        == "left ear, air conduction at 50 Hz: expected a frequency of 125 to 16000 Hz")
    #expect(
      broken("\"250\"", "\"1000.0\"")?.reason
        == "left ear, unmasked air conduction at 1000 Hz given twice")
    #expect(
      broken("\"250\"", "\"1 kHz\"")?.reason
        == "left ear, \"1 kHz\" as a frequency: expected Hz, as \"1000\"")
  }

  @Test("a value of the wrong kind is refused with what was found and expected")
  func wrongKind() {
    let cases: [(String, String, String, String)] = [
      ("40.5", "\"40\"", "1000", "a text"), ("40.5", "null", "1000", "null"),
      ("40.5", "[40]", "1000", "a list"), ("false", "0", "response", "a number"),
      ("{ \"2000\": 55 }", "55", "air-masked", "a number"), ("{}", "null", "right", "null"),
    ]
    for (good, bad, key, found) in cases {
      let reason = broken(good, bad)?.reason
      #expect(reason?.hasPrefix("\(found) as \"\(key)\": expected ") == true, "\(bad) for \(good)")
    }
    #expect(broken("\"threshold\": 110, ", "")?.reason == "no \"threshold\"")
  }

  @Test("what must be there is missed by name")
  func missing() {
    #expect(broken("\"right\": {}", "\"name\": \"x\"")?.reason == "\"name\" given twice")
    #expect(broken("\"version\": 1,\n", "")?.reason == "no \"version\"")
    #expect(broken("\"version\": 1,", "\"version\": 2,")?.reason == "version 2: expected 1")
    #expect(broken("},\n  \"right\": {}", "}")?.kind == "no \"right\"")
    #expect(broken("},\n  \"right\": {}", "}")?.description.contains("both ears") == true)
  }

  @Test(
    "text that is no audiogram is refused",
    arguments: ["{}", "[]", "{\"format\": \"auricle-card\"}", "3", "\"left\""])
  func notAnAudiogram(text: String) {
    #expect(failure(text)?.kind == "something that is not an audiogram")
  }

  @Test(
    "text that is not JSON is refused with its line",
    arguments: [
      ("", 1), ("{", 1), ("{\n\n\"format\" 1}", 3), ("{\"a\": nan}", 1), ("{\"a\": 01}", 1),
      ("{\"a\": 0x10}", 1), ("{\"a\": +1}", 1), ("{\"a\": 1.}", 1), ("{\"a\": 1e999}", 1),
      ("{\"a\": 1,}", 1), ("{\"a\": \"x\n\"}", 1), ("{\"a\": \"\\x\"}", 1), ("{\"a\": \"\\ud800\"}", 1),
      ("{}\n{}", 2), ("{\"a\": [1 2]}", 1), ("RIFF", 1), ("{'a': 1}", 1), ("{\"a\": \"\\u00+1\"}", 1),
    ])
  func notJSON(text: String, line: Int) {
    let error = failure(text)
    #expect(error?.line == line)
    #expect(error?.reason.hasPrefix("not JSON: ") == true, "\(text)")
  }

  @Test("text nested a million deep is refused, not followed")
  func deep() {
    let text = String(repeating: "[", count: 1_000_000)
    #expect(failure(text)?.reason == "not JSON: nested more than 24 deep")
  }
}
