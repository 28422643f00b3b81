import Almanac
import Testing

@testable import Questionnaires

/// Items that no answers lead to, and those that some do.
extension CheckTests {
  static let deadEnds: [(String, [Item], [Finding.Kind])] = [
    (
      "two answers at once to a question with one",
      [
        Item("q", "q", .single(Draw.options, other: false)),
        Item(
          "x", "x", .yesNo,
          when: [Condition("q", .equal, .choice("a")), Condition("q", .equal, .choice("b"))]),
      ], [.unreachable]
    ),
    (
      "above 7 and below 3",
      [
        Item("q", "q", .scale(NumberRange(0, 10, step: 1))),
        Item(
          "x", "x", .yesNo, isRequired: true,
          when: [Condition("q", .greater, .number(7)), Condition("q", .less, .number(3))]),
      ], [.requiredButHidden]
    ),
    (
      "between two steps",
      [
        Item("q", "q", .scale(NumberRange(0, 10, step: 1))),
        Item(
          "x", "x", .yesNo, when: [Condition("q", .greater, .number(3)), Condition("q", .less, .number(4))]),
      ], [.unreachable]
    ),
    (
      "a question that its own condition has hidden",
      [
        Item("q", "q", .yesNo), Item("r", "r", .yesNo, when: [Condition("q", .equal, .yes(true))]),
        Item(
          "x", "x", .info, when: [Condition("q", .equal, .yes(false)), Condition("r", .equal, .yes(true))]),
      ], [.unreachable]
    ),
    (
      "within a group that nobody reaches",
      [
        Item("q", "q", .yesNo),
        Item(
          "g", "g", .group(repeats: nil),
          when: [Condition("q", .exists, .yes(false)), Condition("q", .equal, .yes(true))],
          items: [Item("x", "x", .yesNo, isRequired: true)]),
      ], [.unreachable, .requiredButHidden]
    ),
    (
      "a code that the question has not",
      [
        Item("q", "q", .single(Draw.options, other: false)),
        Item("x", "x", .info, when: [Condition("q", .equal, .choice("z"))]),
      ],
      [.condition, .unreachable]
    ),
    (
      "beyond the range",
      [
        Item("q", "q", .number(NumberRange(0, 10, step: 1))),
        Item("x", "x", .info, when: [Condition("q", .greater, .number(10))]),
      ],
      [.condition, .unreachable]
    ),
    (
      "an order among choices",
      [
        Item("q", "q", .single(Draw.options, other: false)),
        Item("x", "x", .info, when: [Condition("q", .greater, .choice("a"))]),
      ],
      [.condition, .unreachable]
    ),
    (
      "an answer to a text to read",
      [Item("q", "q", .info), Item("x", "x", .info, when: [Condition("q", .equal, .yes(true))])],
      [.condition, .unreachable]
    ),
    (
      "all of several, and none of one of them",
      [
        Item("q", "q", .multiple(Draw.options, other: false)),
        Item(
          "x", "x", .info,
          when: [Condition("q", .equal, .choice("a")), Condition("q", .notEqual, .choice("a"))]),
      ], [.unreachable]
    ),
  ]

  @Test("each planted dead end is found", arguments: deadEnds)
  func deadEnd(name: String, items: [Item], kinds: [Finding.Kind]) {
    #expect(Self.findings(items).map(\.kind) == kinds, "\(name)")
  }

  @Test("what answers do lead to is not reported: conditions that look narrow and are not")
  func reachable() {
    let items = [
      Item("q", "q", .scale(NumberRange(0, 10, step: 0.5))),
      Item(
        "half", "half", .info,
        when: [Condition("q", .greater, .number(3)), Condition("q", .less, .number(4))]),
      Item("m", "m", .multiple(Draw.options, other: false)),
      Item(
        "two", "two", .info,
        when: [Condition("m", .equal, .choice("a")), Condition("m", .equal, .choice("b"))]),
      Item(
        "not", "not", .info,
        when: [Condition("m", .equal, .choice("a")), Condition("m", .notEqual, .choice("b"))]),
      Item("none", "none", .yesNo, isRequired: true, when: [Condition("m", .exists, .yes(false))]),
      Item("t", "t", .time),
      Item(
        "night", "night", .info,
        when: [
          Condition("t", .greater, .time(LocalTime(hour: 23)!)),
          Condition("t", .less, .time(LocalTime(hour: 4)!)),
        ], .any),
    ]
    #expect(Self.findings(items) == [])
  }

  @Test(
    "between two bounds less than 1 apart lies a number where no step is stated, and with a step where one of its numbers does",
    arguments: [(nil, true), (0.5, true), (0.1, true), (1, false)] as [(Double?, Bool)])
  func narrow(step: Double?, isReached: Bool) {
    let items = [
      Item("crp", "crp", .number(NumberRange(0, 500, step: step))),
      Item(
        "x", "x", .yesNo, isRequired: true,
        when: [Condition("crp", .greater, .number(0.3)), Condition("crp", .less, .number(1))]),
    ]
    #expect(Self.findings(items).map(\.kind) == (isReached ? [] : [.requiredButHidden]))
  }

  /// Asks for the first two of so many options and for none of the others, whether the first is chosen and is not, and the same beside all others.
  static func chosen(of count: Int) -> [Item] {
    let codes = (1...count).map { "c\($0)" }
    func condition(_ code: String, _ relation: Condition.Relation) -> Condition {
      Condition("q", relation, .choice(code))
    }
    return [
      Item("q", "q", .multiple(codes.map { Option($0, LocalizedText($0)) }, other: false)),
      Item(
        "x", "x", .info,
        when: codes.prefix(2).map { condition($0, .equal) }
          + codes.dropFirst(2).map { condition($0, .notEqual) }),
      Item("never", "n", .info, when: [condition("c1", .equal), condition("c1", .notEqual)]),
      Item(
        "all", "a", .info, when: [condition("c1", .notEqual)] + codes.map { condition($0, .equal) }),
    ]
  }

  @Test(
    "two of four named options without the others are reached, and one that is chosen and not is not, however many other items name; where one item names more than eight, it counts as reached",
    arguments: [(4, ["never", "all"]), (8, ["never", "all"]), (9, ["never"])] as [(Int, [String])])
  func named(count: Int, unreachable: [String]) {
    #expect(Self.findings(Self.chosen(of: count)).compactMap(\.item) == unreachable)
  }

  @Test("two lists of eight options with an item for each of these hide no contradiction between both")
  func twoLists() {
    let codes = (1...8).map { "c\($0)" }
    let options = codes.map { Option($0, LocalizedText($0)) }
    let lists = ["q", "r"].flatMap { list -> [Item] in
      let following = codes.map { code in
        Item("\(list).\(code)", "f", .info, when: [Condition(list, .equal, .choice(code))])
      }
      return [Item(list, "l", .multiple(options, other: false))] + following
    }
    let never = Item(
      "never", "n", .info,
      when: [
        Condition("q", .equal, .choice("c1")), Condition("r", .equal, .choice("c1")),
        Condition("q", .notEqual, .choice("c1")),
      ])
    #expect(Self.findings(lists + [never]).compactMap(\.item) == ["never"])
  }

  @Test("of a question that is shown by another one the options count that conditions on the way name")
  func chain() {
    let codes = ["a", "b", "c"].map { Option($0, LocalizedText($0)) }
    let items = [
      Item("q", "q", .multiple(codes, other: false)),
      Item("r", "r", .yesNo, when: [Condition("q", .equal, .choice("a"))]),
      Item(
        "both", "x", .info,
        when: [Condition("r", .equal, .yes(true)), Condition("q", .equal, .choice("b"))]),
      Item(
        "never", "n", .info,
        when: [Condition("r", .equal, .yes(true)), Condition("q", .notEqual, .choice("a"))]),
    ]
    #expect(Self.findings(items).compactMap(\.item) == ["never"])
  }

  @Test("what drawn answers show in 300 drawn questionnaires the check never calls unreachable")
  func neverWrong() throws {
    for seed in 0..<300 as Range<UInt64> {
      var draw = Draw(seed: seed)
      let questionnaire = draw.questionnaire(count: 8)
      let unreachable = questionnaire.findings().filter {
        $0.kind == .unreachable || $0.kind == .requiredButHidden
      }.compactMap(\.item)
      guard !unreachable.isEmpty else { continue }
      let outline = try Outline(questionnaire)
      for _ in 0..<100 {
        let display = Display(outline, draw.sheet(for: questionnaire))
        let shown = display.shown.map(\.item)
        #expect(unreachable.filter(shown.contains) == [], "seed \(seed)")
      }
    }
  }
}
