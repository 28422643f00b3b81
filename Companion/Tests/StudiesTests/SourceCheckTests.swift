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

  /// TFI with other questions for its items 1 and 3.
  static func inPercent(_ range: NumberRange) throws -> SoundStudy {
    var sound = SoundStudy()
    sound.add("tfi", licence: SoundStudy.licence(until: "2026-12-06"), hasText: true)
    for index in [0, 2] { sound.questionnaires["tfi"]?.items[index].kind = .number(range) }
    return sound
  }

  /// Meikle et al. 2012: the per cent of items 1 and 3 are divided by 10; the part is ten times the mean of three.
  @Test(
    "in per cent count a tenth where the item of the form is in per cent too: 10 %, 2 and 10 % of TFI are (1 + 2 + 1) / 3 · 10"
  )
  func percent() throws {
    let tenths = NumberRange(0, 100, step: 10, unit: "%")
    // Of 0 to 10 without a unit 10 is all of it.
    let whole = NumberRange(0, 10, step: 1)
    for range in [tenths, whole] {
      let found = try StudyCheckTests.findings(Self.inPercent(range)).map(\.description)
      #expect(found == [])
    }
    let percent = try #require(try Self.intrusive(tenths, 10, 2, 10))
    #expect(abs(percent - 40.0 / 3) < 1e-9)
    let plain = try #require(try Self.intrusive(whole, 10, 2, 10))
    #expect(abs(plain - 220.0 / 3) < 1e-9)
  }

  /// Part of TFI of its items 1 to 3, the first and the last of which have a range.
  static func intrusive(_ range: NumberRange, _ answers: Double...) throws -> Double? {
    let sound = try inPercent(range)
    let entry = try #require(sound.study.instruments.last)
    let given = Dictionary(
      uniqueKeysWithValues: answers.enumerated().map { ("tfi.\($0 + 1)", AnswerValue.number($1)) })
    let score = try Instrument.tfi.score(entry.itemAnswers(given, questions: sound.bundle().items))
    #expect(score.rules == 2)
    return score.parts["intrusive"]?.value
  }

  /// 8, 2 and 8 of ten, ten times their mean: 60.
  @Test(
    "numbers up to 10 count as they are beside the unit % too, as they did before, and are an error of a study that is to be published"
  )
  func pointsInPercent() throws {
    let range = NumberRange(0, 10, step: 1, unit: "%")
    let score = try #require(try Self.intrusive(range, 8, 2, 8))
    #expect(abs(score - 60) < 1e-9)
    let found = try StudyCheckTests.findings(Self.inPercent(range)).map(\.description)
    #expect(
      found
        == ["1", "3"].map { code in
          "error: study.json, instruments[2].items: \"tfi.\(code)\" for item \(code) is in % and takes no number beyond 10: "
            + "1 would count as 10 %; \(Self.percentRemedy)"
        })
  }

  static let percentRemedy =
    "give it the unit % and the limits 0 and 100, or the limits 0 and 10 without this unit"

  @Test(
    "of 0 to 100 without a unit for an item in per cent are errors: 10 would count as 100 %; more than 100 % are a warning",
    arguments: [
      (
        NumberRange(0, 100, step: 10), "error",
        "and is not in %: 1 would count as 10 %; \(percentRemedy)"
      ),
      (
        NumberRange(), "error",
        "and is not in %: 1 would count as 10 %; \(percentRemedy)"
      ),
      (
        NumberRange(0, 110, step: 10, unit: "%"), "warning",
        "each of 10 %: such an answer has no score; give it the limits 0 and 100"
      ),
      (
        NumberRange(unit: "%"), "warning",
        "each of 10 %: such an answer has no score; give it the limits 0 and 100"
      ),
    ] as [(NumberRange, String, String)])
  func notPercent(range: NumberRange, severity: String, end: String) throws {
    let found = try StudyCheckTests.findings(Self.inPercent(range)).map(\.description)
    let item = "takes numbers that the item does not, which is a number from 0.0 to 10.0, "
    #expect(
      found
        == ["1", "3"].map { code in
          "\(severity): study.json, instruments[2].items: \"tfi.\(code)\" for item \(code) \(item)\(end)"
        })
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
