import Almanac
import Base
import Questionnaires
import Testing

@testable import Companion

@Suite("Answers as text, of people and of programs") struct AnswerTextTests {
  @Test(
    "every kind is read as it is typed, and refused with what may be typed",
    arguments: [
      ("yes", .yesNoDontKnow, .yes(true)), ("d", .yesNoDontKnow, .dontKnow), ("nein", .yesNo, .yes(false)),
      ("23:30", .time, .time(LocalTime("23:30")!)),
      ("2028-02-29", .date(from: nil, to: nil), .date(CalendarDate("2028-02-29")!)),
      ("  a b ", .text(maxLength: nil), .text("a b")), ("-3.5", .number(NumberRange()), .number(-3.5)),
      ("1e5", .number(NumberRange()), nil), ("24:00", .time, nil),
      ("2026-02-29", .date(from: nil, to: nil), nil),
      ("2", .single([Option("a", "A")], other: false), nil),
      ("= x", .single([Option("a", "A")], other: false), nil),
      ("= x", .single([Option("a", "A")], other: true), .choices([], other: "x")),
      ("", .text(maxLength: nil), nil),
      ("-9223372036854775808", .single([Option("a", "A")], other: false), nil),
      ("9223372036854775807", .single([Option("a", "A")], other: false), nil),
      ("0", .multiple([Option("a", "A")], other: false), nil),
      ("1", .single([], other: true), nil),
    ] as [(String, ItemKind, AnswerValue?)])
  func kinds(line: String, kind: ItemKind, expected: AnswerValue?) {
    #expect(AnswerText.value(line, for: Item("i", "I", kind)) == expected)
    #expect(!AnswerText.expectation(of: Item("i", "I", kind)).isEmpty)
  }

  @Test(
    "three digits behind a comma or a point are no whole number: of 10,000 a thousandth would be kept",
    arguments: [
      ("10,000", nil), ("1.000", nil), ("-1,000", nil), ("10000", 10_000), ("5.0", 5), ("5,00", 5),
      ("2.0000", 2),
    ] as [(String, Double?)])
  func thousands(line: String, expected: Double?) {
    let range = NumberRange(0, 20_000, step: 1)
    for kind in [ItemKind.number(range), .scale(range), .numberScroll(range), .minutesScroll(range)] {
      for choosing in [AnswerText.Choosing.numbers, .codes] {
        let value = AnswerText.value(line, for: Item("i", "I", kind), choosing: choosing)
        #expect(value == expected.map { .number($0) })
      }
    }
  }

  @Test(
    "a whole number that can have thousands is asked for without a comma or point, so that the refusal of 10,000 says its reason",
    arguments: [
      (NumberRange(0, 20_000, step: 1), "a whole number from 0 to 20000, without a comma or point"),
      (NumberRange(1, step: 1, unit: "h"), "a whole number of at least 1 h, without a comma or point"),
      (NumberRange(0, 10, step: 1), "a whole number from 0 to 10"),
      (NumberRange(nil, 9, step: 1), "a whole number of at most 9"),
      (NumberRange(step: 1), "a whole number, without a comma or point"),
      (NumberRange(0, 20, unit: "h"), "0 to 20 h"),
    ] as [(NumberRange, String)])
  func wholeNumbers(range: NumberRange, expected: String) throws {
    let item = Item("n", "N?", .number(range), isRequired: true)
    #expect(AnswerText.expectation(of: item) == expected)
    guard range == NumberRange(0, 20_000, step: 1) else { return }
    try Sitting.with([item]) { sitting in
      let (ending, said) = try sitting.type("10,000", "10000", "")
      #expect(ending == .completed && said.contains("Found \"10,000\"; expected \(expected).\n"))
    }
  }

  @Test("a number that need not be whole is taken with a comma or a point")
  func decimals() {
    for range in [NumberRange(0, 20, step: 0.5), NumberRange(0, 20)] {
      let item = Item("i", "I", .number(range))
      #expect(AnswerText.value("7,5", for: item) == .number(7.5))
      #expect(AnswerText.value("7.500", for: item) == .number(7.5))
    }
  }

  @Test(
    "an option is chosen by its code by programs and by its number in the list by people",
    arguments: [("1", "0", "1"), ("0", nil, "0"), ("4", "3", nil), ("3", "2", "3")]
      as [(String, String?, String?)])
  func codes(text: String, byNumber: String?, byCode: String?) {
    let item = Item("i", "I", .single((0...3).map { Option("\($0)", "O") }, other: false))
    let typed = byNumber ?? (text == "0" ? "0" : nil)
    #expect(AnswerText.value(text, for: item) == typed.map { .choice($0) })
    #expect(AnswerText.value(text, for: item, choosing: .codes) == byCode.map { .choice($0) })
  }

  /// Codes of options, their points, and the numbers by which people choose them.
  static let numbered: [([String], [Double?], [Int])] = [
    (["0", "1", "2"], [0, 1, 2], [0, 1, 2]), (["a", "b"], [1, 2], [1, 2]),
    (["a", "b", "c"], [5, 4, 3], [5, 4, 3]), (["a", "b", "c"], [-1, 0, 1], [-1, 0, 1]),
    (["a", "b"], [0, 2], [1, 2]), (["a", "b"], [0, 0.5], [1, 2]), (["a", "b"], [0, nil], [1, 2]),
    (["a", "b", "c"], [0, 1, 0], [1, 2, 3]), (["1", "2", "3"], [0, 1, 2], [1, 2, 3]),
    (["0", "1"], [nil, nil], [1, 2]), (["a"], [1e300], [1]),
    (["a", "b"], [Double.nan, Double.nan], [1, 2]),
    ([], [], []),
  ]

  @Test(
    "people choose by the points of the options where these are whole and consecutive, up or down, and by 1, 2, 3 otherwise, also where a code would be another option's number",
    arguments: numbered)
  func numbers(codes: [String], points: [Double?], expected: [Int]) {
    let options = zip(codes, points).map { Option($0, "O", points: $1) }
    #expect(AnswerText.numbers(of: options) == expected)
    let kinds: [ItemKind] = [.single(options, other: false), .multiple(options, other: false)]
    for (option, number) in zip(options, expected) {
      for kind in kinds {
        #expect(AnswerText.value("\(number)", for: Item("i", "I", kind)) == .choice(option.code))
      }
    }
  }

  @Test(
    "the numbers of the options are named as what is expected",
    arguments: [
      (4, false, false, "a number from 1 to 4"),
      (4, false, true, "a number from 1 to 4, or = and your own words"),
      (6, true, false, "numbers with commas, from 1 to 6"),
      (6, true, true, "numbers with commas, from 1 to 6, and = with your own words"),
      (1, false, false, "the number 1"), (0, false, true, "= and your own words"),
    ] as [(Int, Bool, Bool, String)])
  func expectedNumbers(count: Int, isSeveral: Bool, hasOther: Bool, expected: String) {
    let options = (0..<count).map { Option("c\($0)", "O") }
    let kind = isSeveral ? ItemKind.multiple(options, other: hasOther) : .single(options, other: hasOther)
    #expect(AnswerText.expectation(of: Item("i", "I", kind)) == expected)
  }

  @Test(
    "a time is taken with an hour of one digit and with a point, by people and programs, and nothing besides",
    arguments: [
      ("7:15", "07:15"), ("7.15", "07:15"), ("23.30", "23:30"), ("07.15", "07:15"), ("0:05", "00:05"),
      ("07:15:30", "07:15:30"), ("7.5", nil), ("7:5", nil), ("7", nil), ("715", nil), ("24.00", nil),
      ("7:60", nil), ("7.15.30", nil), ("07:15.30", nil), (":15", nil), (".15", nil), ("007:15", nil),
      ("7,15", nil), ("-7:15", nil),
    ] as [(String, String?)])
  func times(line: String, expected: String?) {
    let item = Item("t", "T?", .time)
    for choosing in [AnswerText.Choosing.numbers, .codes] {
      let value = AnswerText.value(line, for: item, choosing: choosing)
      #expect(value == expected.flatMap { LocalTime($0) }.map { .time($0) })
    }
  }

  @Test(
    "several codes come with commas between them, whatever is within them; spaces divide codes that are single words",
    arguments: [
      ("right ear", ["right ear"], nil), ("right ear, b", ["right ear", "b"], nil),
      ("b , right ear", ["right ear", "b"], nil), ("x=y", ["x=y"], nil), ("b,x=y,=c", ["b", "x=y"], "c"),
      ("left, outside", ["left, outside"], nil), ("a b", ["a", "b"], nil), ("a,b", ["a", "b"], nil),
      (",a,,b,", ["a", "b"], nil), ("a, = hot, too", ["a"], "hot, too"), ("a = hot", ["a"], "hot"),
      ("= a", [], "a"),
    ] as [(String, [String], String?)])
  func severalCodes(text: String, codes: [String], other: String?) {
    let options = ["right ear", "a", "b", "x=y", "left, outside"].map { Option($0, "O") }
    let item = Item("i", "I", .multiple(options, other: true))
    #expect(AnswerText.value(text, for: item, choosing: .codes) == .choices(codes, other: other))
  }

  @Test(
    "the same choices are one answer, in the order of the options, in whatever order they are typed",
    arguments: [
      ("a,c", "1,3", nil), ("c,a", "3,1", nil), ("c a", "3 1", nil), ("c, a, = own", "3, 1 = own", "own"),
    ] as [(String, String, String?)])
  func order(codes: String, numbers: String, other: String?) {
    let item = Item("i", "I", .multiple(["a", "b", "c"].map { Option($0, "O") }, other: true))
    let expected = AnswerValue.choices(["a", "c"], other: other)
    #expect(AnswerText.value(codes, for: item, choosing: .codes) == expected)
    #expect(AnswerText.value(numbers, for: item) == expected)
  }

  @Test(
    "a word that is no code is refused, and so is a text of one's own where none is asked for",
    arguments: ["right", "right ear b", "a, c", "a=b", "A", "=x", "a, =x", "="])
  func noCodes(text: String) {
    let item = Item(
      "i", "I", .multiple(["right ear", "a", "b"].map { Option($0, "O") }, other: false))
    #expect(AnswerText.value(text, for: item, choosing: .codes) == nil)
  }
}
