import Almanac
import Base
import Foundation
import ProgramsTesting
import Testing

@testable import Questionnaires

@Suite("REDCap's data dictionary") struct REDCapTests {
  /// A questionnaire of kinds and conditions that REDCap has.
  static func drawn(seed: UInt64) -> Questionnaire {
    var draw = Draw(seed: seed)
    let options = ["a", "b", "c_3"].map { Option($0, LocalizedText("label \($0)")) }
    var questions: [Item] = []
    var items: [Item] = []
    for number in 0..<12 {
      let kind: ItemKind = draw.one(of: [
        .text(maxLength: nil), .text(maxLength: 40), .email, .number(NumberRange(-3, 3, step: 1)),
        .number(NumberRange(0.5, nil)), .scale(NumberRange(0, 10, step: 1)), .yesNo, .yesNoDontKnow,
        .single(options, other: false), .multiple(options, other: false), .time,
        .date(from: CalendarDate("2026-01-01"), to: nil), .info,
      ])
      let id = draw.one(of: ["i\(number)", "part.\(number)", "A-\(number)"])
      let text = draw.one(of: ["Text \(number)", "A \"quoted\", long\ntext", "Überhaupt nicht?"])
      var item = Item(
        id, LocalizedText(text), kind, isRequired: kind.isQuestion && draw.chance(50),
        help: draw.chance(30) ? "Help, too" : nil)
      for _ in 0..<draw.int(0...2) where !questions.isEmpty {
        let asked = draw.one(of: questions)
        item.conditions.append(condition(on: asked, &draw))
      }
      if item.conditions.count == 2 { item.enablement = draw.one(of: [.all, .any]) }
      items.append(item)
      if kind.isQuestion { questions.append(item) }
    }
    return Questionnaire(url: "urn:x:form", version: "1", title: "form", items: items)
  }

  static func condition(on item: Item, _ draw: inout Draw) -> Condition {
    switch item.kind {
    case .multiple: return Condition(item.id, draw.one(of: [.equal, .notEqual]), .choice("a"))
    case .single: return Condition(item.id, draw.one(of: [.equal, .notEqual]), .choice("c_3"))
    case .number, .scale:
      return Condition(
        item.id, draw.one(of: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]),
        .number(2))
    case .time, .date:
      return Condition(item.id, draw.one(of: [.less, .greaterOrEqual]), draw.value(for: item.kind))
    case .text, .email: return Condition(item.id, .exists, .yes(draw.chance(50)))
    default: return Condition(item.id, draw.one(of: [.equal, .notEqual]), draw.value(for: item.kind))
    }
  }

  @Test(
    "500 drawn questionnaires of kinds that REDCap has are the same after writing and reading, and nothing is remarked"
  )
  func lossless() throws {
    for seed in 0..<500 as Range<UInt64> {
      let questionnaire = Self.drawn(seed: seed)
      let (csv, remarks) = Questionnaire.redcap([questionnaire])
      let read = try REDCapDictionary(csv: csv, url: "urn:x", version: "1")
      #expect(
        read.questionnaires == [questionnaire] && remarks.isEmpty && read.remarks.isEmpty, "seed \(seed)")
    }
  }

  @Test("several questionnaires are forms of one dictionary, whose first field is the record's")
  func forms() throws {
    let first = Questionnaire(url: "urn:x:a", version: "1", title: "a", items: [Item("q", "Q", .yesNo)])
    let second = Questionnaire(url: "urn:x:b", version: "1", title: "b", items: [Item("q", "Q", .yesNo)])
    let csv = Questionnaire.redcap([first, second]).csv
    let rows = try CSVRows.read(csv)
    #expect(rows[0].fields == REDCapField.columns && rows[1].fields.prefix(2) == ["record_id", "a"])
    // Names are unique in a whole project.
    #expect(
      rows[2].fields[0] == "q" && rows[3].fields[0] == "q_2" && rows[3].fields[17] == "@AURICLE-ID='q'")
    #expect(try REDCapDictionary(csv: csv, url: "urn:x", version: "1").questionnaires == [first, second])
  }

  @Test("what REDCap has not is written without it, and remarked")
  func remarks() throws {
    let items = [
      Item("wheel", "W", .minutesScroll(NumberRange(0, 60, step: 5, unit: "min"))),
      Item("half", "H", .scale(NumberRange(0, 10, step: 0.5))),
      Item(
        "own", LocalizedText("O", ["de": "O"]),
        .single(
          [Option("LA-1", "a", system: "http://loinc.org", points: 3), Option("b", "b|c")], other: true)),
      Item(
        "group", "G", .group(repeats: 3), when: [Condition("half", .less, .number(3))],
        items: [Item("in", "I", .yesNo, when: [Condition("own", .equal, .choice("b"))])]),
    ]
    let questionnaire = Questionnaire(url: "urn:x:form", version: "1", title: "form", items: items)
    let (csv, remarks) = Questionnaire.redcap([questionnaire])
    #expect(
      remarks.map(\.description) == [
        "texts in de are left out, as REDCap keeps them in another place",
        "wheel: the wheel becomes a typed number",
        "wheel: steps of 5 are left out", "wheel: its unit is left out",
        "half: the slider has whole numbers there",
        "own: an answer of one's own is left out; add a text field for it",
        "own: points of its options are left out",
        "own: the list that its codes belong to is left out", "own: codes have '_' for other signs",
        "own: a stroke in a label divides it there",
        "group: its items come once, as REDCap repeats whole forms",
        "in: its conditions and those of its group are one logic, which is not read back",
      ])
    #expect(csv.contains("(([half] <> '' and [half] < '3')) and ([own] = 'b')"))
  }

  @Test(
    "a quotation mark is doubled whatever combines with it, and is read as it was",
    arguments: [
      ("x\"\u{301},y", "\"x\"\"\u{301},y\""), ("\"\u{200D}", "\"\"\"\u{200D}\""),
      ("a\r\nb\"", "\"a\r\nb\"\"\""), ("a,\u{301}b", "\"a,\u{301}b\""), (" \u{301}a", "\" \u{301}a\""),
    ])
  func combined(field: String, written: String) throws {
    let csv = CSVRows.write([[field, "z"]])
    // By bytes, as other programs read it.
    #expect(Array(csv.utf8) == Array("\(written),z\r\n".utf8))
    let read = try CSVRows.read(csv).map { row in row.fields.map { Array($0.utf8) } }
    #expect(read == [[Array(field.utf8), Array("z".utf8)]])
  }

  @Test("a label whose first letter combines with the sign before it comes back; every stroke is remarked")
  func labels() throws {
    let item = Item(
      "i", "I", .single([Option("a", "\u{301}x"), Option("b", "b")], other: false))
    let questionnaire = Questionnaire(url: "urn:x:form", version: "1", title: "form", items: [item])
    let (csv, remarks) = Questionnaire.redcap([questionnaire])
    #expect(remarks.isEmpty)
    #expect(
      try REDCapDictionary(csv: csv, url: "urn:x", version: "1").questionnaires == [questionnaire])
    // REDCap divides at the stroke, whatever comes after it.
    var stroke = item
    stroke.kind = .single([Option("a", "a|\u{301}"), Option("b", "b")], other: false)
    let form = Questionnaire(url: "urn:x:form", version: "1", title: "form", items: [stroke])
    #expect(
      Questionnaire.redcap([form]).remarks.map(\.description) == [
        "i: a stroke in a label divides it there"
      ])
    let space = try Self.read("i,f,,radio,I,\"1,\u{301}a | 2, b\",,,,,,,,,,,,\n")
    #expect(
      space.questionnaires[0].items[0].kind
        == .single([Option("1", "\u{301}a"), Option("2", "b")], other: false))
  }

  @Test("a text with an apostrophe is no condition there, whatever combines with it")
  func apostrophes() {
    let items = [
      Item("t", "T", .text(maxLength: nil)),
      Item("u", "U", .yesNo, when: [Condition("t", .equal, .text("it'\u{301}s"))]),
    ]
    let form = Questionnaire(url: "urn:x:form", version: "1", title: "form", items: items)
    #expect(
      Questionnaire.redcap([form]).remarks.map(\.description) == [
        "u: a condition cannot be said in branching logic, and is left out"
      ])
  }

  @Test(
    "Python's csv reads the same fields",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "no python3"))
  func csv() throws {
    let csv = Questionnaire.redcap([Self.drawn(seed: 1), Self.drawn(seed: 2)]).csv
    let output = try Programs.run(
      "/usr/bin/python3",
      [
        "-c",
        "import csv,json,sys,io; print(json.dumps(list(csv.reader(io.StringIO(open(0, newline='').read(), newline='')))))",
      ], csv)
    let expected = try JSONDecoder().decode([[String]].self, from: Data(output.utf8))
    #expect(try CSVRows.read(csv).map(\.fields) == expected)
  }
}
