import Base
import ProgramsTesting
import Testing

@testable import Studies

@Suite("The schema of the study file") struct SchemaTests {
  /// Every value of a study's JSON once replaced by one of another kind, left out, or given a member beside it.
  static func changed(_ json: JSONValue) -> [JSONValue] {
    switch json.content {
    case .object(let members):
      // A text may lack any language but the first, which the schema cannot say.
      let isByLanguage = members.contains { $0.key == "en" }
      let within = members.indices.flatMap { index -> [JSONValue] in
        changed(members[index].value).map { value in
          var others = members
          others[index] = JSONValue.Member(key: members[index].key, value: value)
          return .object(others)
        }
      }
      let without = members.indices.map { index -> JSONValue in
        var others = members
        others.remove(at: index)
        return .object(others)
      }
      let open = ["frequency-hz", "1"].contains(members.first?.key ?? "")
      let more = JSONValue.object(members + [JSONValue.Member(key: "unknown", value: "x")])
      return within + (isByLanguage ? [] : without + (open ? [] : [more])) + [7, "x"]
    case .array(let elements):
      let within = elements.indices.flatMap { index -> [JSONValue] in
        changed(elements[index]).map { value in
          var others = elements
          others[index] = value
          return .array(others)
        }
      }
      return within + [["a": 1], true]
    case .text: return [7, true, "", []]
    case .number: return ["x", true, -1, .number(1e10), []]
    case .boolean: return ["x", 1]
    case .null: return []
    }
  }

  @Test(
    "the reader and Python's jsonschema take and refuse the same of a thousand changed studies",
    .enabled(
      if: Programs.python(with: "jsonschema") != nil,
      "Python's jsonschema is not installed: pip install jsonschema"))
  func agreement() throws {
    let python = try #require(Programs.python(with: "jsonschema"))
    let study = Samples.full().json
    let programme = try FifteenDays.bundle().study.json
    let codes = ["yes", "no", "Yes", "true", "dont_know"].map { code in
      study.minified.replacing(#""code":"dont-know""#, with: #""code":"\#(code)""#)
    }
    let texts = ([study, programme] + Self.changed(study)).map(\.minified) + codes
    let output = try Programs.run(
      python, [Programs.path("schema.py"), Programs.path("../../Sources/Studies/study.schema.json")],
      texts.joined(separator: "\n") + "\n")
    let verdicts = Array(output.utf8.dropLast())
    try #require(verdicts.count == texts.count)
    #expect(texts.count > 900 && verdicts.prefix(2).elementsEqual("11".utf8))
    #expect(verdicts.suffix(codes.count).elementsEqual("11000".utf8))
    var disagreeing: [String] = []
    for (text, verdict) in zip(texts, verdicts) {
      var message = ""
      do throws(BundleError) { _ = try Study(Array(text.utf8)) } catch { message = "\(error)" }
      if message.isEmpty != (verdict == UInt8(ascii: "1")) {
        disagreeing.append(
          message.isEmpty ? "read, and not by the schema: \(text)" : "by the schema, and \(message)")
      }
    }
    #expect(disagreeing.isEmpty, "\(disagreeing.count): \(disagreeing.prefix(3))")
  }

  @Test("the schema comes with the program, as the file has it")
  func embedded() throws {
    let schema = try JSONValue(Study.schema)
    #expect(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema")
  }
}
