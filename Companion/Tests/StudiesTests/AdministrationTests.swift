import Almanac
import Base
import Instruments
import Questionnaires
import Testing

@testable import Studies

@Suite("Instruments that are asked more than once") struct AdministrationTests {
  static let first = CalendarDate(year: 2026, month: 3, day: 22)!

  static func course(_ sound: SoundStudy) throws -> Course {
    let content = try StudyContent(StudyEdition(sound.bundle(), BundleUse(on: first)))
    return Course(content, from: first, seed: 1, in: ZoneHistory(try ZoneFolder().zone("UTC")))
  }

  /// Answers of a day of March, one second after another.
  static func given(
    _ questionnaire: String, on day: Int, at second: Int, isCompleted: Bool = true,
    _ answers: [(String, AnswerValue)]
  ) -> GivenAnswers {
    var sheet = AnswerSheet()
    for (number, (item, value)) in answers.enumerated() {
      sheet.set(value, for: AnswerKey(item), at: Instant(seconds: second + number), took: nil)
    }
    return GivenAnswers(
      occurrence: "day/2026-03-\(day)/1", questionnaire: "urn:example:\(questionnaire)", sheet: sheet,
      isCompleted: isCompleted)
  }

  static func items(_ numbers: ClosedRange<Int>, of id: String, _ code: String) -> [(String, AnswerValue)] {
    numbers.map { ("\(id).\($0)", .choice(code)) }
  }

  @Test(
    "an instrument has a score for each time, by the answers of that time alone: nine ones are 9, and six answers of nine have no score"
  )
  func apart() throws {
    let course = try Self.course(SoundStudy())
    let answers = [
      Self.given("phq-9", on: 29, at: 900, Self.items(1...6, of: "phq-9", "2")),
      Self.given("phq-9", on: 24, at: 100, Self.items(1...9, of: "phq-9", "1")),
    ]
    let scores = course.scores(answers).filter { $0.score.instrument == "phq-9" }
    #expect(scores.map(\.occurrence) == ["day/2026-03-24/1", "day/2026-03-29/1"])
    #expect(scores.first?.score.outcome == .value(9))
    guard case .absent(let reason)? = scores.last?.score.outcome else {
      Issue.record("a score of answers of two days: \(String(describing: scores.last))")
      return
    }
    // Up to two missing ones count as the mean of the others; these are three.
    #expect(reason == "items 7, 8, 9 not answered")
    #expect(scores.map(\.isCompleted) == [true, true] && scores.map(\.score.answered) == [9, 6])
    // An instrument that nobody was asked stands once.
    let others = course.scores(answers).filter { $0.score.instrument == "phq-8" }
    #expect(others.count == 1 && others[0].occurrence == nil && others[0].score.answered == 0)
    #expect(others.map(\.isCompleted) == [nil])
  }

  @Test(
    "answers before and after an edition that gives a questionnaire another URL have scores of their own"
  )
  func anotherURL() throws {
    let course = try Self.course(SoundStudy())
    var former = SoundStudy.instrument(.phq9)
    former.url = "urn:example:former"
    let sheet = Self.given("phq-9", on: 24, at: 100, Self.items(1...9, of: "phq-9", "3")).sheet
    let answers = [
      GivenAnswers(
        occurrence: "day/2026-03-24/1", questionnaire: former.url, sheet: sheet, isCompleted: false,
        outline: try Outline(former)),
      Self.given("phq-9", on: 29, at: 900, Self.items(1...6, of: "phq-9", "1")),
    ]
    for order in [answers, answers.reversed()] {
      let scores = course.scores(order).filter { $0.score.instrument == "phq-9" }
      #expect(scores.map(\.occurrence) == ["day/2026-03-24/1", "day/2026-03-29/1"])
      #expect(scores.map(\.isCompleted) == [false, true])
      // Nine of 3, and of the second time six alone.
      #expect(scores.map(\.score.outcome) == [.value(27), .absent("items 7, 8, 9 not answered")])
    }
  }

  @Test(
    "an item that an edition has moved to another questionnaire counts in the former score: seven ones and a two of a log are 9"
  )
  func moved() throws {
    var former = SoundStudy()
    let items = former.questionnaire("phq-8").items
    former.questionnaires["phq-8"]?.items = Array(items.dropLast())
    former.questionnaires["log"]?.items.append(contentsOf: items.suffix(1))
    let log = Self.given("log", on: 24, at: 50, [("log.quality", .number(5)), ("phq-8.8", .choice("2"))])
    let mood = Self.given("phq-8", on: 24, at: 100, Self.items(1...7, of: "phq-8", "1"))
    let answers = try [("log", log), ("phq-8", mood)].map { id, given in
      GivenAnswers(
        occurrence: given.occurrence, questionnaire: given.questionnaire, sheet: given.sheet,
        isCompleted: true, outline: try Outline(former.questionnaire(id)))
    }
    for course in [try Self.course(former), try Self.course(SoundStudy())] {
      let scores = course.scores(answers).filter { $0.score.instrument == "phq-8" }
      #expect(scores.map(\.score.outcome) == [.value(9)] && scores.map(\.occurrence) == [mood.occurrence])
    }
  }

  @Test(
    "an instrument of which an answer is refused has no score, but the number of items that were answered")
  func refused() throws {
    var sound = SoundStudy()
    sound.questionnaires["phq-9"]?.items[0].kind = .number(NumberRange(0, 9, step: 1))
    let course = try Self.course(sound)
    let answers = [("phq-9.1", AnswerValue.number(7))] + Self.items(2...6, of: "phq-9", "1")
    let scores = course.scores([Self.given("phq-9", on: 24, at: 100, answers)]).filter {
      $0.score.instrument == "phq-9"
    }
    #expect(
      scores.map(\.score.outcome) == [
        .absent("phq-9, item 1: found 7.0; expected a whole number from 0 to 3")
      ])
    #expect(scores.map(\.score.answered) == [6])
  }

  @Test(
    "an item of another questionnaire has the last answer before the instrument, otherwise the first one after it"
  )
  func knownThen() throws {
    var sound = SoundStudy()
    sound.study.instruments[1].items = ["8": .question("log.quality")]
    let course = try Self.course(sound)
    let none = Self.items(1...7, of: "phq-8", "0")
    let answers = [
      Self.given("phq-8", on: 23, at: 100, none),
      Self.given("log", on: 24, at: 200, [("log.quality", .number(3))]),
      Self.given("phq-8", on: 25, at: 300, none),
      Self.given("log", on: 26, at: 400, [("log.quality", .number(1))]),
      Self.given("phq-8", on: 27, at: 500, none),
    ]
    for order in [answers, answers.reversed()] {
      let scores = course.scores(order).filter { $0.score.instrument == "phq-8" }
      #expect(scores.map(\.score.outcome) == [.value(3), .value(3), .value(1)])
    }
  }

  @Test("an instrument of which every question was left out counts as asked and is not asked again")
  func leftOut() throws {
    let course = try Self.course(SoundStudy())
    let poor = Self.given("log", on: 22, at: 10, [("log.quality", .number(2))])
    let module = course.modules([poor], today: 3).modules(on: 3).map(\.id)
    #expect(module.count == 1)
    let left = Self.given(module[0], on: 24, at: 200, [])
    #expect(course.modules([poor, left], today: 4).modules(on: 3).map(\.id) == module)
    #expect(course.modules([poor, left], today: 4).modules(on: 4).isEmpty)
    // One that was only looked at moves on.
    let begun = Self.given(module[0], on: 24, at: 200, isCompleted: false, [])
    #expect(course.modules([poor, begun], today: 4).modules(on: 4).map(\.id) == module)
    #expect(
      course.scores([poor, left]).filter { $0.score.instrument == module[0] }.map(\.occurrence) == [
        left.occurrence
      ])
  }

  @Test(
    "an instrument left out and answered later is done on the day of its answers, whichever was kept first")
  func leftOutAndAnswered() throws {
    let course = try Self.course(SoundStudy())
    let poor = Self.given("log", on: 22, at: 10, [("log.quality", .number(2))])
    let left = Self.given("phq-9", on: 24, at: 200, [])
    let answered = Self.given("phq-9", on: 26, at: 300, Self.items(1...9, of: "phq-9", "1"))
    for order in [[poor, left, answered], [answered, left, poor]] {
      let modules = course.modules(order, today: 6)
      #expect(modules.modules(on: 5).map(\.id) == ["phq-9"] && modules.modules(on: 3).isEmpty)
    }
  }

  @Test(
    "an instrument answered under a former URL is done on its day, by its questionnaire's id in the study")
  func doneUnderAnotherURL() throws {
    let course = try Self.course(SoundStudy())
    let poor = Self.given("log", on: 22, at: 10, [("log.quality", .number(2))])
    func modules(file: String?) throws -> DayModules {
      var former = SoundStudy.instrument(.phq9)
      former.url = "urn:example:former"
      let sheet = Self.given("phq-9", on: 24, at: 200, Self.items(1...9, of: "phq-9", "1")).sheet
      let answers = GivenAnswers(
        occurrence: "day/2026-03-24/1", questionnaire: former.url, sheet: sheet, isCompleted: true,
        outline: try Outline(former), file: file)
      return course.modules([poor, answers], today: 6)
    }
    // Day 3 is the 24th. Without the id the module would be asked again.
    #expect(try modules(file: "phq-9").modules(on: 3).map(\.id) == ["phq-9"])
    #expect(try modules(file: "phq-9").modules(on: 6).isEmpty)
    #expect(try modules(file: nil).modules(on: 6).map(\.id) == ["phq-9"])
  }

  @Test(
    "an instrument that a task of its own asks too is asked as a module all the same, and opens no gateway by itself"
  )
  func askedByATask() throws {
    var sound = SoundStudy()
    sound.study.tasks.append(
      StudyTask(
        "baseline", .questionnaire("phq-9"), sound.study.tasks[0].schedule, minutes: 3,
        dataType: "answers"))
    let course = try Self.course(sound)
    let (poor, well) = (
      Self.given("log", on: 22, at: 10, [("log.quality", .number(2))]),
      Self.given("log", on: 22, at: 10, [("log.quality", .number(9))])
    )
    let answers = Self.given("phq-9", on: 22, at: 20, Self.items(1...9, of: "phq-9", "1"))
    let baseline = GivenAnswers(
      occurrence: "baseline/2026-03-22/1", questionnaire: answers.questionnaire, sheet: answers.sheet,
      isCompleted: true)
    // Day 3 is the 24th.
    #expect(course.modules([poor, baseline], today: 3).modules(on: 3).map(\.id) == ["phq-9"])
    let opened = course.modules([well, baseline], today: 3)
    #expect(opened.states.open.isEmpty && opened.plan.days.isEmpty)
    // The module's own answers keep it open and on its day.
    let module = Self.given("phq-9", on: 24, at: 900, Self.items(1...9, of: "phq-9", "1"))
    let kept = course.modules([well, baseline, module], today: 4)
    #expect(kept.states.open.map(\.gateway) == ["poor"] && kept.plan.days == [3: ["phq-9"]])
    // One of a task that this version does not have may have been the modules'.
    let former = GivenAnswers(
      occurrence: "former/2026-03-24/1", questionnaire: answers.questionnaire, sheet: answers.sheet,
      isCompleted: true)
    #expect(course.modules([poor, former], today: 6).plan.days == [3: ["phq-9"]])
  }

  @Test("an instrument whose id has other questions by now is not done by the former answers, and is asked")
  func otherQuestionsUnderItsID() throws {
    let sound = SoundStudy()
    let poor = Self.given("log", on: 22, at: 10, [("log.quality", .number(2))])
    var former = SoundStudy.instrument(.phq9)
    former.url = "urn:example:former"
    // Four of nine questions are not more than half.
    former.items = Array(former.items.prefix(4))
    let sheet = Self.given("phq-9", on: 24, at: 200, Self.items(1...4, of: "phq-9", "1")).sheet
    let answers = GivenAnswers(
      occurrence: "day/2026-03-24/1", questionnaire: former.url, sheet: sheet, isCompleted: true,
      outline: try Outline(former), file: "phq-9")
    let modules = try Self.course(sound).modules([poor, answers], today: 6)
    #expect(modules.modules(on: 6).map(\.id) == ["phq-9"] && modules.modules(on: 3).isEmpty)
  }

  @Test(
    "an instrument begun at one occurrence under two URLs has one score, of what is complete or has more answers"
  )
  func twiceAtOnce() throws {
    let course = try Self.course(SoundStudy())
    var former = SoundStudy.instrument(.phq9)
    former.url = "urn:example:former"
    let outline = try Outline(former)
    func given(_ count: Int, isCompleted: Bool, outline: Outline? = nil) -> GivenAnswers {
      let given = Self.given(
        "phq-9", on: 24, at: 100, isCompleted: isCompleted, Self.items(1...count, of: "phq-9", "1"))
      guard let outline else { return given }
      return GivenAnswers(
        occurrence: given.occurrence, questionnaire: outline.questionnaire.url, sheet: given.sheet,
        isCompleted: isCompleted, outline: outline, file: "phq-9")
    }
    for (before, isBefore, after, isAfter, expected) in [
      (9, false, 7, true, 7), (7, true, 9, false, 7), (9, false, 7, false, 9), (7, true, 9, true, 9),
    ] {
      let answers = [
        given(before, isCompleted: isBefore, outline: outline), given(after, isCompleted: isAfter),
      ]
      for order in [answers, answers.reversed()] {
        let scores = course.scores(order).filter { $0.score.instrument == "phq-9" }
        #expect(scores.map(\.score.answered) == [expected])
      }
    }
  }

  /// MEDAS has 14 items.
  @Test(
    "people read the band of a questionnaire that is completed, or of all items: of a part of them it would be read as that of all",
    arguments: [
      (true, 14, true), (true, 12, true), (false, 14, true), (false, 1, false), (nil, 14, true),
      (nil, 2, false),
    ] as [(Bool?, Int, Bool)])
  func bands(isCompleted: Bool?, answered: Int, isShown: Bool) throws {
    let answers = (1...answered).map { ("\($0)", 0.0) }
    let score = try Instrument.medas.score(ItemAnswers(Dictionary(uniqueKeysWithValues: answers)))
    try #require(score.band != nil && score.answered == answered)
    let given = GivenScore(occurrence: nil, isCompleted: isCompleted, score: score)
    #expect(given.finalBand == (isShown ? score.band : nil))
    #expect(given.itemCount == 14 && given.countsAll == (answered == 14))
  }

  @Test(
    "an instrument is asked after a journey west on the day that had opened before it, which the wall clock has not reached"
  )
  func journey() throws {
    let content = try StudyContent(StudyEdition(SoundStudy().bundle(), BundleUse(on: Self.first)))
    let poor = Self.given("log", on: 22, at: 10, [("log.quality", .number(2))])
    // In Tokyo 06:00 of day 5, open since 04:00; in Los Angeles 14:00 of day 4.
    let departure = try #require(Instant("2026-03-25T21:00:00Z"))
    let now = departure + 3600
    var zones = ZoneHistory(try ZoneFolder().zone("Asia/Tokyo"))
    func asked(_ zones: ZoneHistory) -> [Course.Due] {
      Course(content, from: Self.first, seed: 1, in: zones).due([poor], on: 4...5, at: now).filter {
        $0.task.id == "day"
      }
    }
    let before = asked(zones)
    zones.move(to: try ZoneFolder().zone("America/Los_Angeles"), at: departure)
    #expect(Course(content, from: Self.first, seed: 1, in: zones).day(at: now) == 4)
    for due in [before, asked(zones)] {
      #expect(due.map(\.day) == [5] && due.allSatisfy { $0.occurrence.isOpen(at: now) })
      #expect(due.flatMap(\.parts).map(\.module?.id) == ["phq-9"])
    }
  }
}
