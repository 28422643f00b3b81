import Almanac
import Base
import Testing

@testable import Questionnaires

@Suite("The check before publishing") struct CheckTests {
  static func findings(_ items: [Item], languages: [String] = []) -> [Finding] {
    Questionnaire(url: "urn:test", version: "1", title: "t", items: items).findings(languages: languages)
  }

  @Test(
    "a cycle planted into each of 300 drawn questionnaires is found, and named in the order of its items")
  func cycles() throws {
    var planted = 0
    for seed in 0..<300 as Range<UInt64> {
      var draw = Draw(seed: seed)
      var questionnaire = draw.questionnaire(count: 12)
      let questions = questionnaire.items.indices.filter { questionnaire.items[$0].kind.isQuestion }
      guard questions.count >= 2 else { continue }
      planted += 1
      let length = draw.int(2...min(5, questions.count))
      let members = questions.shuffled(using: &draw.numbers).prefix(length)
      for (index, next) in zip(members, members.dropFirst() + members.prefix(1)) {
        questionnaire.items[index].conditions.append(
          Condition(questionnaire.items[next].id, .exists, .yes(true)))
      }
      let found = questionnaire.findings()
      #expect(
        found.count == 1 && found.first?.kind == .structure
          && found.first?.found.contains("depends on itself") == true, "seed \(seed)")
      guard
        case .cycle(let cycle)? = Result(catching: { () throws(Outline.Fault) in try Outline(questionnaire)
        }).failure
      else {
        Issue.record("seed \(seed): no cycle")
        continue
      }
      #expect(cycle.first == cycle.last && cycle.count >= 2)
      // Each depends on the next, or lies in it.
      for (item, next) in zip(cycle, cycle.dropFirst()) {
        let all = questionnaire.allItems
        let depends = all.first { $0.id == item }?.conditions.contains { $0.question == next } == true
        let liesIn = all.first { $0.id == next }?.items.contains { $0.id == item } == true
        #expect(depends || liesIn)
      }
    }
    #expect(planted > 250)
  }

  @Test("an item that depends on an item within itself, and a group on its own member, are cycles")
  func ownMember() {
    let group = Item(
      "g", "g", .group(repeats: nil), when: [Condition("m", .equal, .yes(true))],
      items: [Item("m", "m", .yesNo)])
    #expect(Self.findings([group]).map(\.kind) == [.structure])
    #expect(
      Self.findings([Item("a", "a", .yesNo, when: [Condition("a", .exists, .yes(false))])]).map(\.kind) == [
        .structure
      ])
  }

  /// Repeated groups within one another, in the innermost a question, what it leads to, and what contradicts itself.
  static func nested(_ count: Int) -> [Item] {
    let (yes, no) = (Condition("q", .equal, .yes(true)), Condition("q", .equal, .yes(false)))
    let innermost = [
      Item("q", "q", .yesNo), Item("x", "x", .info, when: [yes]), Item("y", "y", .info, when: [yes, no]),
    ]
    return (0..<count).reduce(innermost) { [Item("g\($1)", "g", .group(repeats: 2), items: $0)] }
  }

  @Test(
    "31 repeated groups within one another are refused at once; three are looked through: what lies in the innermost is reached, and what contradicts itself there is not"
  )
  func deep() {
    #expect(Self.findings(Self.nested(31)).map(\.kind) == [.structure])
    let found = Self.findings(Self.nested(3))
    #expect(found.map(\.kind) == [.unreachable] && found.map(\.item) == ["y"])
  }

  @Test("four repeated groups within one another, which the check refuses, are shown where they are kept")
  func deepIsShown() throws {
    let questionnaire = Questionnaire(url: "u", version: "1", title: "t", items: Self.nested(4))
    // The fourth from outside is the innermost, which is made first.
    #expect(questionnaire.findings().map(\.item) == ["g0"])
    let question = AnswerKey("q", [0, 0, 0, 0])
    var sheet = AnswerSheet()
    sheet.set(.yes(true), for: question, at: Instant(seconds: 0))
    let display = Display(try Outline(questionnaire), sheet)
    #expect(display.isShown(question) && display.isShown(AnswerKey("x", [0, 0, 0, 0])))
    #expect(!display.isShown(AnswerKey("y", [0, 0, 0, 0])))
  }

  @Test("faults of a kind by itself, each with the item")
  func kinds() {
    let items: [Item] = [
      Item("a", "a", .number(NumberRange(5, 1))), Item("b", "b", .scale(NumberRange(0, 10, step: 0))),
      Item("c", "c", .single([Option("x", "x")], other: false)),
      Item("d", "d", .multiple([Option("x", "x"), Option("x", "y")], other: true)),
      Item("e", "e", .text(maxLength: 0)),
      Item("f", "f", .info, isRequired: true), Item("g", "g", .group(repeats: 0)),
      Item("h", "h", .yesNo, items: [Item("i", "i", .info)]),
      Item("j", "j", .date(from: CalendarDate("2026-02-01"), to: CalendarDate("2026-01-01"))),
    ]
    let found = Self.findings(items).filter { $0.kind == .kind }
    #expect(found.compactMap(\.item) == ["a", "b", "c", "d", "e", "f", "g", "h", "j"])
    #expect(!found.contains { $0.isWarning })
  }

  @Test("the system of yes, no and don't know in another list is an error; other systems are fine")
  func ownSystem() {
    func options(_ system: String) -> [Option] { ["no", "yes"].map { Option($0, "o", system: system) } }
    let found = Self.findings([
      Item("one", "o", .single(options("urn:auricle:answer"), other: false)),
      Item("several", "s", .multiple(options("urn:auricle:answer"), other: true)),
      Item("others", "x", .single(options("urn:other"), other: false)), Item("own", "w", .yesNoDontKnow),
    ])
    #expect(found.map(\.item) == ["one", "several"] && found.map(\.kind) == [.kind, .kind])
    #expect(found.allSatisfy { $0.found.contains("urn:auricle:answer") && !$0.isWarning })
  }

  @Test("a code with a semicolon is a warning where several are joined; of one alone it is as good as any")
  func semicolon() {
    let options = [Option("a;b", "x"), Option("a", "y")]
    let found = Self.findings([
      Item("several", "s", .multiple(options, other: false)),
      Item("one", "o", .single(options, other: false)),
    ])
    #expect(found.map(\.kind) == [.joinedCodes] && found.map(\.item) == ["several"])
    #expect(found.allSatisfy { $0.isWarning })
  }

  @Test(
    "a code with a comma or a leading = among several is a warning, as programs write them; a space or a later = is fine"
  )
  func programs() {
    let options = ["left, outside", "right, outside", "=x", "x=y", "right ear"].map { Option($0, "x") }
    let found = Self.findings([
      Item("several", "s", .multiple(options, other: false)),
      Item("one", "o", .single(options, other: false)),
    ])
    #expect(
      found.map(\.found) == [
        "the code \"left, outside\" has a comma, with which a program joins the codes of an answer",
        "the code \"=x\" begins with \"=\", as own words do in the answer of a program",
      ])
    #expect(found.allSatisfy { $0.isWarning && $0.item == "several" })
  }

  @Test("untranslated texts are found, of items, options and help, by language")
  func languages() {
    let item = Item(
      "q", LocalizedText("Yes?", ["de": "Ja?"]),
      .single([Option("a", "A"), Option("b", LocalizedText("B", ["de": "B"]))], other: false),
      help: "Help")
    let found = Self.findings([item], languages: ["de"])
    // The title, the option and the help.
    #expect(found.map(\.kind) == [.untranslated, .untranslated, .untranslated])
  }

  @Test(
    "two items of one id, an unknown question, a chain of 65 and 5001 items are refused; a chain of 64 is shown"
  )
  func structure() throws {
    #expect(Self.findings([Item("a", "a", .yesNo), Item("a", "a", .yesNo)]).map(\.kind) == [.structure])
    #expect(
      Self.findings([Item("a", "a", .yesNo, when: [Condition("z", .exists, .yes(true))])]).map(\.kind) == [
        .structure
      ])
    func chain(_ length: Int) -> [Item] {
      (0..<length).map { number in
        Item(
          "i\(number)", "i", .yesNo,
          when: number == 0 ? [] : [Condition("i\(number - 1)", .equal, .yes(true))])
      }
    }
    #expect(throws: Outline.Fault.chainTooLong("i64")) {
      try Outline(Questionnaire(url: "u", version: "1", title: "t", items: chain(65).reversed()))
    }
    var sheet = AnswerSheet()
    for number in 0..<64 { sheet.set(.yes(true), for: AnswerKey("i\(number)"), at: Instant(seconds: 0)) }
    let display = Display(
      try Outline(Questionnaire(url: "u", version: "1", title: "t", items: chain(64))), sheet)
    #expect(display.isShown(AnswerKey("i63")))
    let many = (0...5000).map { Item("i\($0)", "i", .info) }
    #expect(throws: Outline.Fault.tooMany(5001)) {
      try Outline(Questionnaire(url: "u", version: "1", title: "t", items: many))
    }
  }
}

extension Result {
  var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
