import Instruments
import Questionnaires
import Testing

@testable import Studies

@Suite("Sources of an instrument's items") struct SourceCheckTests {
  static func findings(_ change: (inout SoundStudy) -> Void) throws -> [String] {
    var sound = SoundStudy()
    change(&sound)
    return try StudyCheckTests.findings(sound).map(\.description)
  }

  /// Puts another question in the place of PHQ-9's first.
  static func first(_ kind: ItemKind) throws -> [String] {
    try findings { $0.questionnaires["phq-9"]?.items[0].kind = kind }
  }

  static func line(_ found: String, _ remedy: String, _ severity: String = "error") -> String {
    "\(severity): study.json, instruments[0].items: \"phq-9.1\" for item 1 \(found); \(remedy)"
  }

  static func options(_ points: Double?...) -> ItemKind {
    .single(
      points.enumerated().map { Option("c\($0)", Samples.both("c\($0)"), points: $1) }, other: false)
  }

  @Test(
    "that take numbers which the item has not are warnings: others are scored; of a kind without numbers they are errors"
  )
  func numbers() throws {
    let whole = "a whole number from 0 to 3"
    let numbers = Self.line(
      "takes numbers that the item does not, which is \(whole): such an answer has no score",
      "give it these limits and steps", "warning")
    for range in [
      NumberRange(0, 4, step: 1), NumberRange(-1, 3, step: 1), NumberRange(0, 3, step: 0.5),
      NumberRange(0, 3),
      NumberRange(), NumberRange(nil, 3, step: 1),
    ] {
      #expect(try Self.first(.number(range)) == [numbers], "\(range)")
    }
    #expect(try Self.first(.scale(NumberRange(0, 3, step: 1))) == [])
    #expect(try Self.first(.numberScroll(NumberRange(1, 2, step: 1))) == [])
    #expect(try Self.first(.yesNo) == [])
    #expect(
      try Self.first(.text(maxLength: nil)) == [
        Self.line("is of the kind text, which gives no number", "name another question under \"items\"")
      ])
  }

  @Test(
    "with points that the item has not are errors; without any, or with one option without them, warnings: it counts as not answered"
  )
  func points() throws {
    #expect(try Self.first(Self.options(0, 1, 2, 3)) == [])
    #expect(
      try Self.first(Self.options(nil, nil)) == [
        Self.line(
          "has no points, so that it counts as not answered", "give each option its points (ordinalValue)",
          "warning")
      ])
    #expect(
      try Self.first(Self.options(0, 4)) == [
        Self.line(
          "has 4 points for \"c1\", where the item is a whole number from 0 to 3", "correct its points")
      ])
    #expect(
      try Self.first(Self.options(0, 1, nil)) == [
        Self.line(
          "has no points for \"c2\", which counts as no answer",
          "give it points (ordinalValue), unless it says that the question does not apply", "warning")
      ])
  }

  @Test(
    "in a repeated group are errors, of a derived answer too: an alert and a score are by the question alone"
  )
  func repeated() throws {
    let found = try Self.findings { sound in
      guard let items = sound.questionnaires["phq-9"]?.items else { return }
      sound.questionnaires["phq-9"]?.items =
        [
          Item("often", Samples.both("Often"), .group(repeats: 3), items: Array(items[8...]))
        ] + items[..<8]
    }
    #expect(
      found == [
        "error: study.json, instruments[0].items: \"phq-9.9\" lies in a repeated group, and it is not known which of its answers counts; ask it outside of the group"
      ])
    let derived = try Self.findings { sound in
      sound.study.derived = [DerivedAnswer("bmi", .bodyMassIndex, of: ["tall", "log.quality"])]
      sound.study.dictionary += ["bmi", "tall"].map {
        DictionaryEntry($0, item: $0, text: Samples.both($0))
      }
      sound.questionnaires["log"]?.items.append(
        Item(
          "twice", Samples.both("Twice"), .group(repeats: 2),
          items: [
            Item(
              "inner", Samples.both("Inner"), .group(repeats: nil),
              items: [
                Item("tall", Samples.both("Tall?"), .number(NumberRange(100, 250, step: 1)))
              ])
          ]))
    }
    #expect(
      derived == [
        "error: study.json, derived[0].of[0]: \"tall\" lies in a repeated group, and it is not known which of its answers counts; ask it outside of the group"
      ])
  }
}
