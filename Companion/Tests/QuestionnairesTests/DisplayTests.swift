import Almanac
import Base
import Testing

@testable import Questionnaires

@Suite("What is shown") struct DisplayTests {
  /// One question and an item that depends on it.
  static func shows(
    _ kind: ItemKind, _ conditions: [Condition], _ enablement: Enablement = .all,
    answers: [String: AnswerValue]
  )
    throws -> Bool
  {
    let items = [
      Item("q", "q", kind), Item("p", "p", .yesNo), Item("x", "x", .info, when: conditions, enablement),
    ]
    let outline = try Outline(Questionnaire(url: "urn:test", version: "1", title: "t", items: items))
    var sheet = AnswerSheet()
    for (id, value) in answers { sheet.set(value, for: AnswerKey(id), at: Instant(seconds: 0)) }
    let display = Display(outline, sheet)
    return display.isShown(AnswerKey("x"))
  }

  typealias Row = (below: AnswerValue, at: AnswerValue, above: AnswerValue)
  /// Kinds with three answers in their order; those without an order have three that differ.
  static let ordered: [(ItemKind, Row)] = [
    (.number(NumberRange()), (.number(1), .number(2), .number(3))),
    (.scale(NumberRange(0, 10, step: 0.5)), (.number(4.5), .number(5), .number(5.5))),
    (.numberScroll(NumberRange(0, 9, step: 1)), (.number(0), .number(4), .number(9))),
    (.minutesScroll(NumberRange(0, 90, step: 5)), (.number(5), .number(10), .number(15))),
    (
      .time,
      (
        .time(LocalTime(hour: 1)!), .time(LocalTime(hour: 1, minute: 0, second: 1)!),
        .time(LocalTime(hour: 23)!)
      )
    ),
    (
      .date(from: nil, to: nil),
      (
        .date(CalendarDate("2026-02-28")!), .date(CalendarDate("2026-03-01")!),
        .date(CalendarDate("2027-01-01")!)
      )
    ),
  ]
  static let unordered: [(ItemKind, Row)] = [
    (.text(maxLength: nil), (.text("a"), .text("b"), .text("c"))),
    (.email, (.text("a@b.org"), .text("b@b.org"), .text("c@b.org"))),
    (.yesNoDontKnow, (.yes(true), .yes(false), .dontKnow)),
    (.single(Draw.options, other: false), (.choice("a"), .choice("b"), .choice("c"))),
    (.multiple(Draw.options, other: false), (.choice("a"), .choice("b"), .choice("c"))),
  ]

  @Test(
    "each relation holds for answers below, at and above its operand as FHIR R4 says, and for no answer")
  func truthTable() throws {
    // No answer, below, at, above.
    let table: [(Condition.Relation, [Bool])] = [
      (.equal, [false, false, true, false]), (.notEqual, [true, true, false, true]),
      (.greater, [false, false, false, true]),
      (.less, [false, true, false, false]), (.greaterOrEqual, [false, false, true, true]),
      (.lessOrEqual, [false, true, true, false]),
    ]
    for (kind, row) in Self.ordered + Self.unordered {
      for (relation, expected) in table where kind.isOrdered || !relation.isOrder {
        for (answer, holds) in zip([nil, row.below, row.at, row.above], expected) {
          let found = try Self.shows(
            kind, [Condition("q", relation, row.at)], answers: answer.map { ["q": $0] } ?? [:])
          #expect(found == holds, "\(kind.word) \(relation.rawValue): \(String(describing: answer))")
        }
      }
      for wanted in [true, false] {
        let exists = [Condition("q", .exists, .yes(wanted))]
        #expect(try Self.shows(kind, exists, answers: ["q": row.at]) == wanted)
        #expect(try Self.shows(kind, exists, answers: [:]) == !wanted)
      }
    }
    #expect(try Self.shows(.yesNo, [Condition("q", .equal, .yes(true))], answers: ["q": .yes(true)]))
    #expect(try !Self.shows(.yesNo, [Condition("q", .equal, .yes(true))], answers: ["q": .yes(false)]))
  }

  @Test("of several answers one is enough for equality, and none may be equal for the contrary")
  func several() throws {
    let kind = ItemKind.multiple(Draw.options, other: true)
    let both = AnswerValue.choices(["a", "c"], other: "own")
    #expect(try Self.shows(kind, [Condition("q", .equal, .choice("c"))], answers: ["q": both]))
    #expect(try !Self.shows(kind, [Condition("q", .equal, .choice("b"))], answers: ["q": both]))
    #expect(try !Self.shows(kind, [Condition("q", .notEqual, .choice("a"))], answers: ["q": both]))
    #expect(try Self.shows(kind, [Condition("q", .notEqual, .choice("b"))], answers: ["q": both]))
  }

  @Test("all and any of two conditions: four combinations each", arguments: [true, false], [true, false])
  func allAny(first: Bool, second: Bool) throws {
    let conditions = [Condition("q", .equal, .yes(true)), Condition("p", .equal, .yes(true))]
    let answers: [String: AnswerValue] = ["q": .yes(first), "p": .yes(second)]
    #expect(try Self.shows(.yesNo, conditions, .all, answers: answers) == (first && second))
    #expect(try Self.shows(.yesNo, conditions, .any, answers: answers) == (first || second))
  }

  @Test("10,000 drawn questionnaires with drawn answers show what a naive evaluator shows")
  func random() throws {
    for seed in 0..<10_000 as Range<UInt64> {
      var draw = Draw(seed: seed)
      let count = draw.int(2...12)
      let questionnaire = draw.questionnaire(count: count)
      let sheet = draw.sheet(for: questionnaire)
      let display = Display(try Outline(questionnaire), sheet)
      let found = Set(display.shown.map { NaiveDisplay.Place(id: $0.item, path: $0.repetition) })
      let expected = NaiveDisplay(questionnaire: questionnaire, sheet: sheet).shown()
      #expect(found == expected, "seed \(seed)")
      // Each by itself, as an answer is checked.
      for key in Set(sheet.answers.keys).union(display.shown) {
        #expect(Display.isShown(key, display.outline, sheet) == display.isShown(key), "seed \(seed)")
      }
    }
  }

  @Test(
    "an answer that was hidden is kept, does not leave, does not count, and is there again when it is shown"
  )
  func hidden() throws {
    let items = [
      Item("snores", "Do you snore?", .yesNo, isRequired: true),
      Item(
        "nights", "Nights a week", .number(NumberRange(0, 7, step: 1)), isRequired: true,
        when: [Condition("snores", .equal, .yes(true))]),
      Item("loud", "Is it loud?", .yesNo, when: [Condition("nights", .greater, .number(3))]),
    ]
    let outline = try Outline(Questionnaire(url: "urn:test", version: "1", title: "t", items: items))
    var sheet = AnswerSheet()
    let moment = Instant(seconds: 1_000)
    for (id, value) in [("snores", AnswerValue.yes(true)), ("nights", .number(5)), ("loud", .yes(true))] {
      sheet.set(value, for: AnswerKey(id), at: moment)
    }
    func state() -> (ids: [String], progress: Display.Progress) {
      let display = Display(outline, sheet)
      return (display.submitted.map(\.key.item), display.progress)
    }
    #expect(state().ids == ["snores", "nights", "loud"])
    sheet.set(.yes(false), for: AnswerKey("snores"), at: moment + 1)
    #expect(state().ids == ["snores"])
    #expect(state().progress == Display.Progress(answered: 1, shown: 1, missing: []))
    #expect(sheet[AnswerKey("nights")] == .number(5))
    sheet.set(.yes(true), for: AnswerKey("snores"), at: moment + 2)
    #expect(state().ids == ["snores", "nights", "loud"])
    sheet.clear(AnswerKey("nights"))
    #expect(state().progress == Display.Progress(answered: 1, shown: 2, missing: [AnswerKey("nights")]))
  }

  @Test("items of a repeated group see the answers of their own repetition, items outside those of all")
  func repetitions() throws {
    let items = [
      Item(
        "drug", "A medicine", .group(repeats: 3),
        items: [
          Item("daily", "Daily?", .yesNo),
          Item("dose", "Dose", .number(NumberRange()), when: [Condition("daily", .equal, .yes(true))]),
        ]),
      Item("any", "Some are daily", .info, when: [Condition("daily", .equal, .yes(true))]),
    ]
    let outline = try Outline(Questionnaire(url: "urn:test", version: "1", title: "t", items: items))
    var sheet = AnswerSheet()
    sheet.repeatGroup(AnswerKey("drug"), 5)
    sheet.set(.yes(true), for: AnswerKey("daily", [1]), at: Instant(seconds: 0))
    let display = Display(outline, sheet)
    // Five were asked for, three are allowed.
    #expect(
      display.shown == [
        AnswerKey("drug"), AnswerKey("daily", [0]), AnswerKey("daily", [1]), AnswerKey("dose", [1]),
        AnswerKey("daily", [2]), AnswerKey("any"),
      ])
    #expect(!display.isShown(AnswerKey("daily", [3])) && !display.isShown(AnswerKey("daily")))
  }
}

@Suite("Answers") struct AnswerTests {
  @Test(
    "an answer of the wrong kind, out of range or with an unknown code is refused, with item, found and expected"
  )
  func refused() throws {
    let options = ItemKind.single(Draw.options, other: false)
    let cases: [(ItemKind, AnswerValue, String)] = [
      (.yesNo, .number(1), "q: found the number 1; expected yes or no"),
      (
        .number(NumberRange(0, 10, step: 0.5)), .number(3.3),
        "q: found the number 3.3; expected a number from 0 to 10 in steps of 0.5"
      ),
      (
        .scale(NumberRange(0, 10)), .number(10.5),
        "q: found the number 10.5; expected a number from 0 to 10"
      ),
      (
        .number(NumberRange(0, nil)), .number(.infinity),
        "q: found the number inf; expected a number of at least 0"
      ),
      (.number(NumberRange()), .number(.nan), "q: found the number nan; expected a number"),
      (options, .choice("d"), "q: found \"d\"; expected one of \"a\", \"b\", \"c\""),
      (
        options, .choices(["a", "b"], other: nil),
        "q: found \"a\", \"b\"; expected one of \"a\", \"b\", \"c\""
      ),
      (options, .choices([], other: "x"), "q: found another answer; expected one of \"a\", \"b\", \"c\""),
      (
        .multiple(Draw.options, other: false), .choices(["a", "a"], other: nil),
        "q: found \"a\", \"a\"; expected some of \"a\", \"b\", \"c\", each once"
      ),
      (.text(maxLength: 3), .text("abcd"), "q: found a text; expected at most 3 letters"),
      (.text(maxLength: nil), .text(""), "q: found a text; expected some text, or no answer"),
      (.email, .text("ada@example"), "q: found a text; expected an address such as ada@example.org"),
      (
        .date(from: CalendarDate("2026-01-01"), to: nil), .date(CalendarDate("2025-12-31")!),
        "q: found the date 2025-12-31; expected a date from 2026-01-01 on"
      ),
      (.info, .yes(true), "q: found yes; expected no answer, as it asks nothing"),
    ]
    for (kind, value, message) in cases {
      #expect { try Item("q", "q", kind).check(value) } throws: { "\($0)" == message }
    }
  }

  @Test("each kind takes an answer that is one", arguments: 0..<200 as Range<UInt64>)
  func taken(seed: UInt64) throws {
    var draw = Draw(seed: seed)
    let kind = draw.kind()
    guard kind.isQuestion else { return }
    try Item("q", "q", kind).check(draw.value(for: kind))
  }

  @Test("steps of a tenth are taken although they are not exact in binary: 0.1 to 1.0")
  func tenths() throws {
    let item = Item("q", "q", .number(NumberRange(0, 1, step: 0.1)))
    for tenth in 0...10 { try item.check(.number(Double(tenth) / 10)) }
    #expect(throws: AnswerRefusal.self) { try item.check(.number(0.15)) }
  }

  @Test("addresses that people have are taken, and nothing else is")
  func addresses() throws {
    for address in ["ada@example.org", "a.b+c@sub.example.co", "x@y-z.de"] {
      try Item("q", "q", .email).check(.text(address))
    }
    for address in [
      "", "@b.org", "a@", "a@b", "a@@b.org", "a b@c.org", "a@-b.org", "a@b..org", "ä@b.org",
      String(repeating: "a", count: 65) + "@b.org",
    ] {
      #expect(throws: AnswerRefusal.self, "\(address)") { try Item("q", "q", .email).check(.text(address)) }
    }
  }

  @Test("an answer to a question that is hidden or unknown is refused, and the sheet is as before")
  func notAsked() throws {
    let items = [
      Item("a", "a", .yesNo), Item("b", "b", .yesNo, when: [Condition("a", .equal, .yes(true))]),
    ]
    let outline = try Outline(Questionnaire(url: "urn:test", version: "1", title: "t", items: items))
    #expect { try outline.check(.yes(true), for: AnswerKey("b"), on: AnswerSheet()) } throws: {
      "\($0)".contains("not shown")
    }
    #expect { try outline.check(.yes(true), for: AnswerKey("c"), on: AnswerSheet()) } throws: {
      "\($0)".contains("unknown question")
    }
    #expect(throws: AnswerRefusal.self) {
      try outline.check(.yes(true), for: AnswerKey("a", [0]), on: AnswerSheet())
    }
    try outline.check(.yes(true), for: AnswerKey("a"), on: AnswerSheet())
  }

  @Test(
    "times never run backwards: a clock that is set back gives the time before, and changes are counted")
  func times() throws {
    var sheet = AnswerSheet()
    let key = AnswerKey("q")
    sheet.show(key, at: Instant(seconds: 100))
    sheet.show(key, at: Instant(seconds: 150))
    sheet.set(.yes(true), for: key, at: Instant(seconds: 200))
    #expect(
      sheet.answers[key]
        == .init(
          value: .yes(true), shown: Instant(seconds: 100), answered: Instant(seconds: 200), changes: 0))
    sheet.set(.yes(true), for: key, at: Instant(seconds: 210))
    sheet.set(.yes(false), for: key, at: Instant(seconds: 50))
    #expect(
      sheet.answers[key]
        == .init(
          value: .yes(false), shown: Instant(seconds: 100), answered: Instant(seconds: 210), changes: 1))
    sheet.set(.yes(true), for: AnswerKey("early"), at: Instant(seconds: 10))
    #expect(sheet.answers[AnswerKey("early")]?.shown == Instant(seconds: 10))
  }
}
