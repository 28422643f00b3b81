import Almanac
import Base
import Foundation
import ProgramsTesting
import Testing

@testable import Questionnaires

@Suite("Questionnaires in FHIR R4") struct FHIRTests {
  static func text(_ json: JSONValue) throws -> String {
    String(decoding: try JSONEncoder().encode(json), as: UTF8.self)
  }

  /// Through the text, as a file would.
  static func again(_ questionnaire: Questionnaire) throws -> Questionnaire {
    try Questionnaire(fhir: JSONValue(Array(try text(questionnaire.fhir).utf8)))
  }

  @Test("2,000 drawn questionnaires are the same after writing and reading")
  func lossless() throws {
    for seed in 0..<2_000 as Range<UInt64> {
      var draw = Draw(seed: seed)
      let questionnaire = draw.questionnaire(count: 10)
      #expect(try Self.again(questionnaire) == questionnaire, "seed \(seed)")
    }
  }

  @Test("every kind with all that it can have is the same after writing and reading")
  func everyKind() throws {
    let options = [
      Option(
        "LA6568-5", LocalizedText("Not at all", ["de": "Überhaupt nicht"]), system: "http://loinc.org",
        points: 0), Option("b", "B", points: 1.5),
    ]
    let kinds: [ItemKind] = [
      .text(maxLength: nil), .text(maxLength: 40), .email, .number(NumberRange()),
      .number(NumberRange(0.5, 9.5, step: 0.5, unit: "mg")),
      .number(NumberRange(-5, nil, step: 1)), .scale(NumberRange(0, 10, step: 1)),
      .scale(NumberRange(0, 10, step: 0.5)),
      .numberScroll(NumberRange(0, 24, step: 1, unit: "h")),
      .minutesScroll(NumberRange(0, 240, step: 5, unit: "min")), .yesNo,
      .yesNoDontKnow, .single(options, other: false), .single(options, other: true),
      .multiple(options, other: true), .time,
      .date(from: CalendarDate("1900-01-01"), to: CalendarDate("2026-12-31")), .group(repeats: nil),
      .group(repeats: 7), .info,
    ]
    var items = kinds.enumerated().map { number, kind in
      Item(
        "i\(number)", LocalizedText("Text \(number)", ["de": "Text", "de-AT": "Text"]), kind,
        isRequired: kind.isQuestion, help: "Help")
    }
    items[17].items = [
      Item(
        "within", "within", .yesNo,
        when: [Condition("i11", .equal, .dontKnow), Condition("i12", .equal, .choice("LA6568-5"))], .any)
    ]
    items.append(Item("last", "last", .info, when: [Condition("i11", .equal, .yes(true))], .any))
    let questionnaire = Questionnaire(
      url: "https://example.org/q", version: "2.1", title: LocalizedText("T", ["de": "T"]), items: items)
    #expect(try Self.again(questionnaire) == questionnaire)
    #expect(Set(kinds.map(\.word)).count == 15)
  }

  static let python = Programs.python(with: "fhir.resources")

  @Test(
    "500 drawn questionnaires are FHIR by Python's fhir.resources",
    .enabled(if: python != nil, "Python's fhir.resources is not installed: pip install fhir.resources"))
  func accepted() throws {
    let lines = try (0..<500 as Range<UInt64>).map { seed in
      var draw = Draw(seed: seed)
      return try Self.text(draw.questionnaire(count: 12).fhir)
    }
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "resources.py"
    ).path
    #expect(
      try Programs.run(try #require(Self.python), [script], lines.joined(separator: "\n") + "\n")
        == "500 accepted\n")
  }

  @Test(
    "what is not understood is refused with its path, and nothing of it is lost without a word",
    arguments: [
      (#"{"resourceType":"Questionnaire"}"#, "status: found nothing; expected a text"),
      (
        #"{"resourceType":"Patient","url":"u","version":"1","status":"active"}"#,
        #"resourceType: found "Patient"; expected "Questionnaire""#
      ),
      (
        #"{"resourceType":"Questionnaire","url":"u","version":"1","status":"active","item":[{"linkId":"a","text":"t","type":"quantity"}]}"#,
        #"item[0].type: found "quantity""#
      ),
      (
        #"{"resourceType":"Questionnaire","url":"u","version":"1","status":"active","item":[{"linkId":"a","text":"t","type":"boolean","initial":[{}]}]}"#,
        "item[0].initial: found a member that is not understood"
      ),
      (
        #"{"resourceType":"Questionnaire","url":"u","version":"1","status":"active","item":[{"extension":[{"url":"urn:x"}],"linkId":"a","text":"t","type":"boolean"}]}"#,
        "item[0].extension[0].url: found the unknown extension urn:x"
      ),
      (
        #"{"resourceType":"Questionnaire","url":"u","version":"1","status":"active","item":[{"linkId":"a","text":"t","type":"boolean","enableWhen":[{"question":"b","operator":"~","answerBoolean":true}]}]}"#,
        #"item[0].enableWhen[0].operator: found "~""#
      ),
      (
        #"{"resourceType":"Questionnaire","url":"u","version":"1","status":"active","item":[{"linkId":"a","text":"t","type":"boolean","enableWhen":[{"question":"b","operator":"=","answerBoolean":true},{"question":"c","operator":"=","answerBoolean":true}]}]}"#,
        "item[0].enableBehavior: found nothing beside 2 conditions"
      ),
      (
        #"{"resourceType":"Questionnaire","url":"u","version":"1","status":"active","item":[{"linkId":"a","text":"t","type":"boolean","enableWhen":[{"question":"b","operator":"=","answerBoolean":true,"answerInteger":1}]}]}"#,
        "found 2 answers"
      ),
      (
        #"{"resourceType":"Questionnaire","url":"u","version":"1","status":"active","item":[{"linkId":"a","text":"t","type":"boolean","enableWhen":[{"question":"b","operator":"=","answerCoding":{"system":"urn:auricle:answer","code":"Yes"}}]}]}"#,
        #"item[0].enableWhen[0].answerCoding.code: found "Yes"; expected yes, no or dont-know"#
      ),
      (
        #"{"resourceType":"Questionnaire","url":"u","version":"1","status":"active","item":{"linkId":"a"}}"#,
        "item: found an object; expected a list"
      ),
      (
        #"{"resourceType":"Questionnaire","url":"u","version":"1","status":"active","item":[7]}"#,
        "item[0]: found a number; expected an object"
      ),
      (
        #"{"resourceType":"Questionnaire","url":"u","version":"1","status":"active","item":[{"linkId":"a","text":"t","type":"text","maxLength":1e300}]}"#,
        "item[0].maxLength"
      ),
    ])
  func refused(text: String, message: String) throws {
    let json = try JSONValue(Array(text.utf8))
    #expect { try Questionnaire(fhir: json) } throws: { "\($0)".contains(message) }
  }

  static let standard = "http://hl7.org/fhir/StructureDefinition/"

  /// Members beside `linkId` and `text`, and the beginning of the refusal.
  static let unusedMembers: [(members: String, message: String)] = [
    (
      #""type":"integer","answerOption":[{"valueInteger":0},{"valueInteger":2}]"#,
      "item[0].answerOption: found one of an item of the kind number; expected nothing"
    ),
    (
      #""type":"string","repeats":true"#,
      "item[0].repeats: found true of an item of the kind text; expected false, or nothing"
    ),
    (#""type":"boolean","maxLength":3"#, "item[0].maxLength: found one of an item of the kind yes-no"),
    (
      #""type":"string","maxLength":3,"extension":[{"url":"urn:auricle:item-kind","valueCode":"email"}]"#,
      "item[0].maxLength: found one of an item of the kind email"
    ),
    (
      #""type":"time","extension":[{"url":"\#(standard)minValue","valueTime":"18:00:00"}]"#,
      "item[0].extension[0].url: found \(standard)minValue of an item of the kind time; expected nothing"
    ),
    (
      #""type":"integer","extension":[{"url":"\#(standard)minValue","valueQuantity":{"value":18}}]"#,
      "item[0].extension[0].valueQuantity: found a member that is not understood"
    ),
    (
      #""type":"integer","extension":[{"url":"\#(standard)maxValue"}]"#,
      "item[0].extension[0].value…: found not one value; expected valueDecimal or valueInteger"
    ),
    (
      #""type":"decimal","extension":[{"url":"\#(standard)questionnaire-unit","valueCoding":{"system":"urn:x","code":"st"}}]"#,
      #"item[0].extension[0].valueCoding.system: found "urn:x"; expected http://unitsofmeasure.org"#
    ),
    (
      #""type":"integer","extension":[{"url":"\#(standard)questionnaire-itemControl","valueCodeableConcept":{"coding":[{"code":"spinner"}]}}]"#,
      "item[0].extension[0].valueCodeableConcept: found another control; expected one with the code slider"
    ),
    (
      #""type":"group","extension":[{"url":"\#(standard)questionnaire-maxOccurs","valueInteger":3}]"#,
      "item[0].extension[0].url: found \(standard)questionnaire-maxOccurs of an item of the kind group"
    ),
    (
      #""type":"choice","answerOption":[{"valueCoding":{"code":"a","extension":[{"url":"\#(standard)ordinalValue","valueInteger":2}]}}]"#,
      "item[0].answerOption[0].valueCoding.extension[0].valueInteger: found a member that is not understood"
    ),
    (
      #""type":"choice","answerOption":[{"valueCoding":{"system":"urn:auricle:answer","code":"yes","extension":[{"url":"\#(standard)ordinalValue","valueDecimal":2}]}},{"valueCoding":{"system":"urn:auricle:answer","code":"no"}},{"valueCoding":{"system":"urn:auricle:answer","code":"dont-know"}}]"#,
      "item[0].answerOption[0].valueCoding.extension: found points of yes, no or dont-know"
    ),
    (
      #""type":"boolean","item":[{"linkId":"h","text":"h","type":"display","extension":[{"url":"\#(standard)questionnaire-itemControl","valueCodeableConcept":{"coding":[{"code":"help"}]}}],"enableWhen":[{"question":"a","operator":"=","answerBoolean":true}]}]"#,
      "item[0].item[0].enableWhen: found a member that is not understood"
    ),
    (
      #""type":"boolean","item":[{"linkId":"h","text":"h","type":"display","required":true,"extension":[\#(control("help"))]}]"#,
      "item[0].item[0].required: found true of a help text; expected false, or nothing"
    ),
    (
      #""type":"choice","repeats":true,"answerOption":[{"valueCoding":{"code":"a"}}],"extension":[\#(control("radio-button"))]"#,
      "item[0].extension[0].valueCodeableConcept: found another control; expected one with the code autocomplete or check-box or drop-down or lookup"
    ),
    (
      #""type":"choice","answerOption":[{"valueCoding":{"code":"a"}}],"extension":[\#(control("slider"))]"#,
      "item[0].extension[0].valueCodeableConcept: found another control; expected one with the code autocomplete or"
    ),
    (
      #""type":"date","extension":[\#(control("spinner"))]"#,
      "item[0].extension[0].url: found \(standard)questionnaire-itemControl of an item of the kind date; expected nothing"
    ),
  ]

  /// FHIR's extension that names a control.
  private static func control(_ code: String) -> String {
    #"{"url":"\#(standard)questionnaire-itemControl","valueCodeableConcept":{"coding":[{"system":"http://hl7.org/fhir/questionnaire-item-control","code":"\#(code)"}]}}"#
  }

  private static func item(_ members: String) throws -> JSONValue {
    let item = #"{"linkId":"a","text":"t",\#(members)}"#
    let text =
      #"{"resourceType":"Questionnaire","url":"u","version":"1","status":"active","item":[\#(item)]}"#
    return try JSONValue(Array(text.utf8))
  }

  @Test(
    "a member or an extension of which the kind of its item makes nothing is refused with its path; of a version that somebody takes part in it is passed over",
    arguments: unusedMembers)
  func unused(members: String, message: String) throws {
    let json = try Self.item(members)
    #expect { try Questionnaire(fhir: json) } throws: { "\($0)".hasPrefix(message) }
    #expect(try Questionnaire(fhir: json, isKept: true).items.map(\.id) == ["a"])
  }

  @Test(
    "a code of another system in a condition is taken as it is; one of ours that is not known means no in a version that somebody takes part in"
  )
  func codes() throws {
    func condition(_ coding: String, isKept: Bool = false) throws -> Condition? {
      let condition = #"{"question":"b","operator":"=","answerCoding":\#(coding)}"#
      let json = try Self.item(#""type":"boolean","enableWhen":[\#(condition)]"#)
      return try Questionnaire(fhir: json, isKept: isKept).items[0].conditions.first
    }
    for coding in [#"{"code":"Yes"}"#, #"{"system":"urn:other","code":"Yes"}"#] {
      #expect(try condition(coding) == Condition("b", .equal, .choice("Yes")))
    }
    let answers: [(String, AnswerValue)] = [
      ("yes", .yes(true)), ("no", .yes(false)), ("dont-know", .dontKnow),
    ]
    for (code, answer) in answers {
      let coding = #"{"system":"urn:auricle:answer","code":"\#(code)"}"#
      #expect(try condition(coding) == Condition("b", .equal, answer))
    }
    let unknown = #"{"system":"urn:auricle:answer","code":"Yes"}"#
    #expect(try condition(unknown, isKept: true) == Condition("b", .equal, .yes(false)))
  }

  @Test("false for repeats says nothing, and a unit may have a name beside its code")
  func harmless() throws {
    let number =
      #""type":"integer","repeats":false,"extension":[{"url":"\#(Self.standard)questionnaire-unit","valueCoding":{"system":"http://unitsofmeasure.org","code":"min","display":"minutes"}}]"#
    let questionnaire = try Questionnaire(fhir: Self.item(number))
    #expect(questionnaire.items.map(\.kind) == [.number(NumberRange(step: 1, unit: "min"))])
  }

  /// Codes of FHIR R4's questionnaire-item-control; each is shown as a list, a line or a text, as without it.
  @Test(
    "a control that changes nothing but the look is taken, and the item is as without it",
    arguments: [
      (#""type":"boolean""#, ["check-box", "drop-down", "radio-button"]),
      (#""type":"string""#, ["text-box"]),
      (
        #""type":"choice","answerOption":[{"valueCoding":{"code":"a"}},{"valueCoding":{"code":"b"}}]"#,
        ["autocomplete", "check-box", "drop-down", "lookup", "radio-button"]
      ),
      (
        #""type":"choice","repeats":true,"answerOption":[{"valueCoding":{"code":"a"}},{"valueCoding":{"code":"b"}}]"#,
        ["autocomplete", "check-box", "drop-down", "lookup"]
      ),
      (#""type":"display""#, ["flyover", "help", "inline", "lower", "prompt", "unit", "upper"]),
      (#""type":"group""#, ["atable", "footer", "gtable", "header", "htable", "list", "table"]),
    ] as [(String, [String])])
  func look(members: String, codes: [String]) throws {
    let expected = try Questionnaire(fhir: Self.item(members))
    for code in codes {
      let found = try Questionnaire(fhir: Self.item(members + #","extension":[\#(Self.control(code))]"#))
      #expect(found == expected, "\(code)")
    }
  }

  @Test("a second help text is a text, and false for repeats and required of one says nothing")
  func helpTexts() throws {
    func help(_ id: String) -> String {
      #"{"linkId":"\#(id)","text":"\#(id)","type":"display","required":false,"repeats":false,"extension":[\#(Self.control("help"))]}"#
    }
    let members = #""type":"boolean","item":[\#(help("h1")),\#(help("h2"))]"#
    let item = try #require(try Questionnaire(fhir: Self.item(members)).items.first)
    #expect(item.help == LocalizedText("h1"))
    #expect(item.items.map(\.kind) == [.info] && item.items.map(\.id) == ["h2"])
  }

  /// FHIR R4: decimals to an item of type decimal, integers to one of type integer.
  @Test(
    "a number has the type of its question, in conditions and in responses; a row keeps it by its value",
    arguments: [
      (.number(NumberRange(0, 300)), "Decimal"), (.scale(NumberRange(0, 300, step: 0.5)), "Decimal"),
      (.number(NumberRange(0, 300, step: 1)), "Integer"),
      (.minutesScroll(NumberRange(0, 300, step: 4)), "Integer"),
    ] as [(ItemKind, String)])
  func numbers(kind: ItemKind, type: String) throws {
    let asked = Item("asked", "How many?", kind)
    let condition = Condition("asked", .greater, .number(72))
    let questionnaire = Questionnaire(
      url: "urn:test", version: "1", title: "t",
      items: [asked, Item("more", "More?", .yesNo, when: [condition])])
    let written = questionnaire.fhir.minified
    #expect(written.contains(#""type":"\#(type.lowercased())""#))
    #expect(written.contains(#""operator":">","answer\#(type)":72}"#))
    #expect(try Self.again(questionnaire) == questionnaire)
    var sheet = AnswerSheet()
    sheet.set(.number(72), for: AnswerKey("asked"), at: Instant(seconds: 0))
    let outline = try Outline(questionnaire)
    let response = Display(outline, sheet).fhirResponse(
      id: "r", begun: Instant(seconds: 0), completed: nil)
    #expect(response.minified.contains(#""answer":[{"value\#(type)":72}]"#))
    let kept = AnswerValue.number(72).fhirAnswers(to: asked)
    #expect(kept.minified == #"[{"valueInteger":72}]"#)
    for answers in [kept, .array([["valueDecimal": 72]]), .array([["valueInteger": 72]])] {
      #expect(try AnswerValue(fhirAnswers: answers, to: asked) == .number(72))
    }
  }

  /// The system of `yes-no-dont-know`, whose own list is another: the check names it, and studies were begun with it.
  @Test(
    "a code of a list is read as it was kept, whatever its system, also yes and no of our own",
    arguments: [AnswerValue.choice("yes"), .choice("no"), .choice("dont-know")])
  func ownSystem(answer: AnswerValue) throws {
    let options = ["no", "dont-know", "yes"].map { Option($0, "o", system: "urn:auricle:answer") }
    for kind in [ItemKind.single(options, other: false), .multiple(options, other: true)] {
      let item = Item("i", "I", kind)
      let questionnaire = Questionnaire(url: "urn:test", version: "1", title: "t", items: [item])
      #expect(try Self.again(questionnaire) == questionnaire)
      let kept = try AnswerValue(fhirAnswers: answer.fhirAnswers(to: item), to: item)
      #expect(kept == answer)
      try item.check(kept)
    }
    // Of its own list they stay what they are.
    let own = Item("i", "I", .yesNoDontKnow)
    for value in [AnswerValue.yes(true), .yes(false), .dontKnow] {
      #expect(try AnswerValue(fhirAnswers: value.fhirAnswers(to: own), to: own) == value)
    }
  }

  /// FHIR R4: the date and time at which this set of answers was last changed.
  @Test(
    "a response is of the moment of its completion; before, of the last answer that leaves, and without one of its beginning"
  )
  func authored() throws {
    let questionnaire = Questionnaire(
      url: "urn:test", version: "1", title: "t",
      items: [
        Item("a", "A?", .yesNo), Item("b", "B?", .yesNo),
        Item("c", "C?", .yesNo, when: [Condition("a", .equal, .yes(false))]),
      ])
    let outline = try Outline(questionnaire)
    var sheet = AnswerSheet()
    func moment(_ sheet: AnswerSheet, completed: Int? = nil) -> JSONValue? {
      Display(outline, sheet).fhirResponse(
        id: "r", begun: Instant(seconds: 60), completed: completed.map { Instant(seconds: $0) })["authored"]
    }
    #expect(moment(sheet) == "1970-01-01T00:01:00Z")
    sheet.set(.yes(true), for: AnswerKey("a"), at: Instant(seconds: 180))
    sheet.set(.yes(true), for: AnswerKey("b"), at: Instant(seconds: 120))
    // It is hidden by the first.
    sheet.set(.yes(true), for: AnswerKey("c"), at: Instant(seconds: 240))
    #expect(moment(sheet) == "1970-01-01T00:03:00Z")
    #expect(moment(sheet, completed: 300) == "1970-01-01T00:05:00Z")
  }

  @Test("another program's questionnaire, without a word of ours, is read by FHIR's types")
  func foreign() throws {
    let text = #"""
      {"resourceType":"Questionnaire","url":"u","version":"1","status":"draft","item":[
        {"linkId":"1","text":"How many?","type":"integer","extension":[
          {"url":"http://hl7.org/fhir/StructureDefinition/minValue","valueInteger":0},
          {"url":"http://hl7.org/fhir/StructureDefinition/maxValue","valueInteger":10},
          {"url":"http://hl7.org/fhir/StructureDefinition/questionnaire-itemControl","valueCodeableConcept":{"coding":[{"code":"slider"}]}}]},
        {"linkId":"2","text":"More","type":"group","repeats":true,"item":[{"linkId":"2.1","text":"When?","type":"date"}]}]}
      """#
    let questionnaire = try Questionnaire(fhir: JSONValue(Array(text.utf8)))
    #expect(questionnaire.items.map(\.kind) == [.scale(NumberRange(0, 10, step: 1)), .group(repeats: 50)])
    #expect(questionnaire.items[1].items.map(\.kind) == [.date(from: nil, to: nil)])
  }
}
