import Base
import Testing

@testable import AuricleClient

@Suite("Types read from JSON")
struct DecodingTests {
  private struct Meters: Codable, Equatable {
    var rateHz: Double
    var inputLevelDBSPL: Double?
    var isMuted: Bool
    var names: [String]
  }

  private func words(_ text: String) -> String? {
    do {
      _ = try JSON.value(Meters.self, from: Array(text.utf8))
      return nil
    } catch {
      return (error as? DecodingError)?.words
    }
  }

  @Test(
    "a property's key is small letters with underscores between words, without a boolean's is",
    arguments: [
      ("rateHz", "rate_hz"), ("inputLevelDBSPL", "input_level_db_spl"), ("isMuted", "muted"),
      ("island", "island"),
      ("name", "name"), ("response60Hz", "response_60_hz"), ("is", "is"),
    ])
  func keys(property: String, key: String) {
    #expect(JSON.key(of: property) == key)
  }

  @Test("members are read by their keys; one that is missing or null is nil where it may be")
  func members() throws {
    let text = #"{"rate_hz":44100,"muted":false,"names":["a","b"]}"#
    let expected = Meters(rateHz: 44_100, isMuted: false, names: ["a", "b"])
    #expect(try JSON.value(Meters.self, from: Array(text.utf8)) == expected)
    let null = #"{"rate_hz":44100,"input_level_db_spl":null,"muted":false,"names":["a","b"]}"#
    #expect(try JSON.value(Meters.self, from: Array(null.utf8)) == expected)
  }

  @Test("a member under the property's own name is not read; keys of dictionaries stand as they are")
  func propertyNames() throws {
    #expect(words(#"{"rateHz":1,"muted":false,"names":[]}"#) == #"no key "rate_hz""#)
    let both = #"{"rateHz":1,"isMuted":true,"rate_hz":2,"muted":false,"names":[]}"#
    #expect(
      try JSON.value(Meters.self, from: Array(both.utf8)) == Meters(rateHz: 2, isMuted: false, names: []))
    let rooms = #"{"TV":{"rateHz":1},"isRoom":{"rate_hz":2},"is_room":{}}"#
    #expect(
      try JSON.value([String: [String: Int]].self, from: Array(rooms.utf8))
        == ["TV": ["rateHz": 1], "isRoom": ["rate_hz": 2], "is_room": [:]])
    #expect(
      try JSON.value([[String: Int]?].self, from: Array(#"[null,{"aB":1}]"#.utf8)) == [nil, ["aB": 1]])
  }

  @Test("what does not fit is told with its place, what was found and what was expected")
  func mismatches() {
    #expect(words("[]") == "found a list, expected an object")
    #expect(words(#"{"muted":false,"names":[]}"#) == #"no key "rate_hz""#)
    #expect(
      words(#"{"rate_hz":"fast","muted":false,"names":[]}"#) == "rate_hz: found a text, expected a number")
    #expect(words(#"{"rate_hz":1,"muted":3,"names":[]}"#) == "muted: found 3, expected true or false")
    #expect(words(#"{"rate_hz":1,"muted":true,"names":{}}"#) == "names: found an object, expected a list")
    #expect(
      words(#"{"rate_hz":1,"muted":true,"names":["a",false]}"#)
        == "names.1: found true or false, expected a text")
    #expect(words("{\n\"rate_hz\":}")?.hasPrefix("line 2: ") == true)
  }

  @Test("whole numbers are read where they are whole and fit, and not rounded")
  func wholeNumbers() throws {
    #expect(try JSON.value([UInt8].self, from: Array("[0, 255, 7.0]".utf8)) == [0, 255, 7])
    for text in ["[256]", "[-1]", "[1.5]", "[1e300]", "[null]"] {
      #expect(throws: DecodingError.self) { try JSON.value([UInt8].self, from: Array(text.utf8)) }
    }
    #expect(try JSON.value([Float].self, from: Array("[0.5]".utf8)) == [0.5])
    #expect(try JSON.value([Int?].self, from: Array("[1,null,3]".utf8)) == [1, nil, 3])
    #expect(try JSON.value([String: Int].self, from: Array(#"{"rateHz":1}"#.utf8)) == ["rateHz": 1])
  }

  /// A type that opens containers within containers, as the compiler's own decoding never does.
  private struct Nested: Decodable, Equatable {
    enum Keys: String, CodingKey { case outer, inner, list, upper, missing }
    var inner: Int
    var list: [Int]
    var pairs: [Int]
    var isNull: Bool
    var upper: Int

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: Keys.self)
      inner = try members.nestedContainer(keyedBy: Keys.self, forKey: .outer).decode(
        Int.self, forKey: .inner)
      var elements = try members.nestedUnkeyedContainer(forKey: .list)
      isNull = try elements.decodeNil() && !elements.decodeNil()
      var first = try elements.nestedUnkeyedContainer()
      list = [try first.decode(Int.self)]
      pairs = [try elements.nestedContainer(keyedBy: Keys.self).decode(Int.self, forKey: .inner)]
      pairs.append(try elements.superDecoder().singleValueContainer().decode(Int.self))
      upper = try members.superDecoder(forKey: .upper).singleValueContainer().decode(Int.self)
      let whole = try members.superDecoder().container(keyedBy: Keys.self)
      guard elements.isAtEnd, elements.count == 4, elements.currentIndex == 4, whole.allKeys.count == 3,
        whole.contains(.upper), !whole.contains(.missing), decoder.userInfo.isEmpty
      else {
        throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "counts"))
      }
    }
  }

  @Test("containers within containers are read, and the end of a list is told with its place")
  func nested() throws {
    let text = #"{"outer":{"inner":1},"list":[null,[2],{"inner":3},4],"upper":5}"#
    let read = try JSON.value(Nested.self, from: Array(text.utf8))
    #expect((read.inner, read.list, read.pairs) == (1, [2], [3, 4]) && read.isNull && read.upper == 5)
    let short = #"{"outer":{"inner":1},"list":[null,[2]],"upper":5}"#
    let end = #expect(throws: DecodingError.self) { try JSON.value(Nested.self, from: Array(short.utf8)) }
    #expect(end?.words.hasSuffix("found the end of the list") == true)
  }
}
