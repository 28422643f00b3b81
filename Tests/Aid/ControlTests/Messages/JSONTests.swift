import Testing

@testable import Control

@Suite("JSON of values") struct JSONTests {
  private struct Reading: Codable, Equatable {
    let isMuted: Bool
    let rateHz: Int
    let inputLevelDBSPL: Double?
    let percentile99Share: Double
    let issuedUnixSeconds: Double
    let driftPPM: Double
    let pid: Int
    let values: [String: Int]
  }

  /// With a key that it states itself.
  private struct Stated: Codable, Equatable {
    let gain: Int

    enum CodingKeys: String, CodingKey { case gain = "hfa_ospl90_db" }
  }

  @Test("keys are the names of properties, words joined by underscores, and those of dictionaries stay")
  func keys() throws {
    let reading = Reading(
      isMuted: true, rateHz: 1, inputLevelDBSPL: 2.5, percentile99Share: 0.5, issuedUnixSeconds: 3,
      driftPPM: 4,
      pid: 5, values: ["isNotAProperty": 6])
    let text = try JSON.text(reading)
    #expect(
      text == #"{"drift_ppm":4,"input_level_db_spl":2.5,"issued_unix_seconds":3,"muted":true,"#
        + #""percentile_99_share":0.5,"pid":5,"rate_hz":1,"values":{"isNotAProperty":6}}"#)
    #expect(try JSON.value(Reading.self, from: [UInt8](text.utf8)) == reading)
    #expect(try JSON.text(Stated(gain: 1)) == #"{"hfa_ospl90_db":1}"#)
    #expect(try JSON.value(Stated.self, from: [UInt8](#"{"hfa_ospl90_db":1}"#.utf8)) == Stated(gain: 1))
  }

  @Test("no text and no key of a dictionary has DEL or a control character of C1 as it is")
  func controls() throws {
    let texts = ["\u{9B}31m": "~\u{7F}\u{80}\u{9F}\u{A0}°\u{C2}é"]
    let text = try JSON.text(texts)
    #expect(text == #"{"\u009b31m":"~\u007f\u0080\u009f"# + "\u{A0}°\u{C2}é\"}")
    #expect(try JSON.value([String: String].self, from: [UInt8](text.utf8)) == texts)
  }

  @Test("a key that is missing or wrong is named as it stands in the text")
  func words() throws {
    for (text, words) in [
      (#"{"muted":1}"#, "muted: found 1, expected true or false"), ("{}", #"no key "muted""#),
    ] {
      let error = try #require(throws: DecodingError.self) {
        try JSON.value(Reading.self, from: [UInt8](text.utf8))
      }
      #expect(error.words == words)
    }
  }
}
