import Almanac
import Instruments
import Questionnaires
import Testing

@testable import Studies

@Suite("Gateways and the day plan of the fifteen days") struct FifteenDaysGatewayTests {
  @Test(
    "each gateway opens at its limit and calls for its module alone",
    arguments: FifteenDays.openings.indices)
  func opens(index: Int) throws {
    let (gateway, answers, module) = FifteenDays.openings[index]
    let course = try FifteenDays.course(FifteenDays.quiet.merging(answers) { $1 })
    #expect(course.states.open.map(\.gateway) == [gateway] && course.plan.days == [6: [module]])
    #expect(Set(FifteenDays.openings.map(\.gateway)).count == 10)
  }

  @Test("quality 5 opens poor sleep, 6 does not")
  func boundary() throws {
    for (quality, isOpen) in [(5.0, true), (6, false)] {
      let answers = FifteenDays.quiet.merging(["sleep-quality.quality": .number(quality)]) { $1 }
      #expect(try FifteenDays.course(answers).states.open.isEmpty == !isOpen)
    }
  }

  @Test("gateways ask only questions of the first five days")
  func early() throws {
    let bundle = try FifteenDays.bundle()
    let study = bundle.study
    let early = study.days.filter { $0.number <= 5 }.flatMap(\.modules).compactMap(study.module)
      .flatMap { bundle.questionnaires[$0.questionnaire]?.allItems.map(\.id) ?? [] }
    let derived = Dictionary(uniqueKeysWithValues: study.derived.map { ($0.id, $0.questions) })
    for question in study.gateways.flatMap(\.conditions).map(\.question) {
      #expect((derived[question] ?? [question]).allSatisfy(early.contains), "\(question)")
    }
  }

  @Test("with all answers negative, or none at all, each of the days 6 to 15 has at most 8 questions")
  func quiet() throws {
    let bundle = try FifteenDays.bundle()
    for answers in [FifteenDays.quiet, [:]] {
      let course = try FifteenDays.course(answers)
      for day in 6...15 {
        let tasks = bundle.study.tasks.filter { $0.schedule.days.contains(day) }.compactMap { task in
          if case .questionnaire(let id) = task.work { id } else { nil }
        }
        let ids = tasks + course.modules(on: day).map(\.questionnaire)
        let count = ids.reduce(0) {
          $0 + (bundle.questionnaires[$1]?.allItems.count { $0.kind.isQuestion } ?? 0)
        }
        #expect(5...8 ~= count)
      }
    }
  }

  @Test(
    "with all ten gateways open each module has its day as a whole, no day has more than twelve minutes, and nothing is left over"
  )
  func loud() throws {
    let course = try FifteenDays.course(FifteenDays.loud)
    #expect(course.states.open.count == 10 && course.plan.overflow.isEmpty)
    let modules = (6...15).flatMap { course.modules(on: $0) }
    #expect(modules.map(\.id).sorted() == Set(FifteenDays.openings.map(\.module)).sorted())
    // By priority, which goes by pillars.
    #expect(modules.map(\.priority) == modules.map(\.priority).sorted())
    #expect((1...15).allSatisfy { course.minutes(on: $0) <= 12 + 1e-9 })
  }

  @Test("where days are too short for all, what finds no day is told")
  func overflow() throws {
    var files = try FifteenDays.bundle().content.files
    var study = try FifteenDays.bundle().study
    study.filling?.days = 6...8
    study.filling?.mostMinutes = 5
    files[Study.file] = study.bytes
    let bundle = try StudyBundle(BundleContent(files))
    let course = FifteenDays.modules(StudyEdition(bundle, FifteenDays.use), FifteenDays.loud)
    let placed = (6...8).flatMap { course.modules(on: $0) }.map(\.id)
    #expect(!course.plan.overflow.isEmpty && (placed + course.plan.overflow).count == 10)
    #expect((6...8).allSatisfy { course.minutes(on: $0) <= 5 + 1e-9 })
    let warnings = try StudyCheck(FifteenDays.use).findings(in: bundle).filter { $0.place == "filling" }
    #expect(warnings.count == 1 && warnings[0].found.contains(course.plan.overflow.joined(separator: ", ")))
  }

  /// The fifteen days with more tasks, each on some days from 09:00 to 11:00.
  private static func study(_ more: [(minutes: Double, days: Recurrence.Days)]) throws -> Study {
    var study = try FifteenDays.bundle().study
    let times = Recurrence.Times.windows([StudyCheckTests.window("09:00", "11:00")])
    for (number, task) in more.enumerated() {
      study.tasks.append(
        StudyTask(
          "more-\(number)", .questionnaire("log"),
          StudySchedule(days: 15, .recurring(Recurrence(days: task.days, times: times))),
          minutes: task.minutes, dataType: "answers"))
    }
    return study
  }

  /// Log and diary take 1.2 and 0.6 minutes, and of 12 minutes 5.2 are left beside five more.
  @Test("tasks of different days are not added up: the day plan has what the fullest single day leaves")
  func singleDays() throws {
    var study = try Self.study([(5, .numbered([6])), (5, .numbered([7]))])
    func bundle() throws -> StudyBundle {
      var files = try FifteenDays.bundle().content.files
      files[Study.file] = study.bytes
      return try StudyBundle(BundleContent(files))
    }
    for (days, minutes) in [(6...15, 6.8), (6...6, 1.8), (7...7, 6.8), (8...8, 6.8), (1...5, 1.2)] {
      #expect(abs(study.dailyMinutes(in: days) - minutes) < 1e-9, "\(days)")
    }
    func findings() throws -> [StudyFinding] {
      try StudyCheck(FifteenDays.use).findings(in: bundle()).filter { $0.kind == .days }
    }
    #expect(try findings().map(\.description) == [])
    let course = FifteenDays.modules(StudyEdition(try bundle(), FifteenDays.use), FifteenDays.loud)
    #expect(course.plan.overflow.isEmpty && course.plan.days.values.joined().count == 10)
    #expect((6...15).allSatisfy { course.minutes(on: $0) <= 12 + 1e-9 })
    study.filling?.mostMinutes = 8
    let found = try findings().map(\.found)
    #expect(found.contains("\"phq-8\" takes 2.3 minutes, and a day has 1.2 left"), "\(found)")
  }

  /// The seventh and ninth day have one minute each beside log and diary; Monday and Tuesday are never one day.
  @Test("of weekdays the fullest counts, on whatever day somebody begins")
  func weekdays() throws {
    let study = try Self.study([(5, .weekdays([.monday])), (5, .weekdays([.tuesday])), (1, .every(2))])
    for (days, minutes) in [(6...15, 7.8), (7...7, 7.8), (6...6, 6.8), (8...8, 6.8)] {
      #expect(abs(study.dailyMinutes(in: days) - minutes) < 1e-9, "\(days)")
    }
  }

  @Test(
    "an answer that is changed back removes a module that nobody has begun, and leaves one on its day that somebody has"
  )
  func changedBack() throws {
    let open = FifteenDays.quiet.merging(["pain.worst": .number(8), "intake.affects": .yes(true)]) { $1 }
    #expect(try FifteenDays.course(open).plan.days == [6: ["pain-more", "diet-more"]])
    #expect(try FifteenDays.course(FifteenDays.quiet).plan.days.isEmpty)
    let course = try FifteenDays.course(FifteenDays.quiet, begun: ["diet-more": 6], today: 7)
    #expect(course.plan.days == [6: ["diet-more"]] && course.states.open.map(\.gateway) == ["diet"])
  }

  @Test("a gateway that opens late fills the days that are left")
  func late() throws {
    #expect(try FifteenDays.course(FifteenDays.loud, today: 13).plan.days.keys.sorted().first == 13)
    #expect(try FifteenDays.course(FifteenDays.loud, today: 16).plan.overflow.count == 10)
  }

  @Test("PHQ-8 of answers is scored by its points")
  func score() throws {
    let bundle = try FifteenDays.bundle()
    let entry = try #require(bundle.study.instruments.first { $0.id == "phq-8" })
    let answers = Dictionary(
      uniqueKeysWithValues: (1...8).map { ("phq-8.\($0)", AnswerValue.choice("\($0 % 4)")) })
    let score = try #require(entry.instrument).score(entry.itemAnswers(answers, questions: bundle.items))
    // 1 + 2 + 3 + 0, twice.
    #expect(score.outcome == .value(12) && score.band?.label == "moderate")
  }
}
