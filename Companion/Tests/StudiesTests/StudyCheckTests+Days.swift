import Almanac
import Questionnaires
import Testing

@testable import Studies

/// Days and windows of schedules, and questions that are asked later than they are needed.
extension StudyCheckTests {
  @Test("the first and the last day of a schedule, numbered, are no fault")
  func numberedWithin() throws {
    var sound = SoundStudy()
    let times = Recurrence.Times.windows([Self.window("04:00", "04:00")])
    sound.study.tasks[0].schedule.rule = .recurring(Recurrence(days: .numbered([0, 9]), times: times))
    #expect(try Self.findings(sound).map(\.description) == [])
  }

  @Test(
    "a derived answer of a gateway is there on the day of its last question; a condition without an answer holds before",
    arguments: [(5, true), (6, false)])
  func lateGateways(last: Int, isLate: Bool) throws {
    var sound = SoundStudy()
    sound.questionnaires["habits"]?.items.append(
      Item("habits.tall", Samples.both("Tall?"), .number(NumberRange(100, 250, step: 1))))
    sound.study.derived = [DerivedAnswer("bmi", .bodyMassIndex, of: ["habits.tall", "log.quality"])]
    // The log comes on each day, habits on day 6.
    sound.study.days[0].number = 6
    sound.study.filling?.days = 2...last
    func severities(_ condition: Condition) throws -> [StudyFinding.Severity] {
      sound.study.gateways[0] = Gateway("poor", when: [condition], modules: ["phq-9"])
      return try Self.findings(sound).filter { $0.found.contains("is asked first on day 6") }.map(
        \.severity)
    }
    let late = try severities(Condition("bmi", .greater, .number(30)))
    #expect(late == [isLate ? .error : .warning])
    let before = try severities(Condition("habits.coffee", .exists, .yes(false)))
    #expect(before == [])
  }

  @Test(
    "a condition behind the days that are filled is an error where all must hold or no other one comes in time, and a warning beside one that does",
    arguments: [
      ("log.quality", .any, [.warning]), ("log.quality", .all, [.error]),
      ("habits.coffee", .any, [.error, .error]),
    ] as [(String, Enablement, [StudyFinding.Severity])])
  func lateConditions(first: String, _ enablement: Enablement, expected: [StudyFinding.Severity]) throws {
    var sound = SoundStudy()
    // The log comes on each day, habits behind the last one that is filled.
    sound.study.filling?.days = 2...5
    sound.study.days[0].number = 8
    let conditions = [
      Condition(first, .exists, .yes(true)), Condition("habits.coffee", .equal, .yes(true)),
    ]
    sound.study.gateways[0] = Gateway("poor", when: conditions, enablement, modules: ["phq-9"])
    let late = try Self.findings(sound).filter { $0.found.contains("is asked first on day 8") }
    #expect(late.map(\.severity) == expected)
  }

  @Test(
    "a question that modules of another gateway, or substitutes, ask on days that are filled is not late, though a task asks it behind them"
  )
  func gatewaysInTurn() throws {
    func late(_ change: (inout SoundStudy) -> Void) throws -> [String] {
      var sound = SoundStudy()
      sound.study.filling?.days = 2...5
      sound.study.days[0].modules = []
      let end = StudySchedule(from: 8, days: 3, sound.study.tasks[0].schedule.rule)
      sound.study.tasks.append(
        StudyTask("end", .questionnaire("habits"), end, minutes: 1, dataType: "answers", pillar: "sleep"))
      sound.study.gateways[0] = Gateway(
        "coffee", when: [Condition("habits.coffee", .equal, .yes(true))], modules: ["phq-9"])
      change(&sound)
      return try Self.findings(sound).filter { $0.found.contains("is asked first on day 8") }.map(\.place)
    }
    let alone = try late { _ in }
    #expect(alone == ["gateways[0].enableWhen[0]"])
    let poor = [Condition("log.quality", .lessOrEqual, .number(3))]
    let called = try late { $0.study.gateways.append(Gateway("poor", when: poor, modules: ["habits"])) }
    #expect(called == [])
    // Its own modules ask after it has opened.
    let coffee = [Condition("habits.coffee", .equal, .yes(true))]
    let own = try late {
      $0.study.gateways[0] = Gateway("coffee", when: coffee, modules: ["phq-9", "habits"])
    }
    #expect(own == ["gateways[0].enableWhen[0]"])
    let substitute = try late {
      $0.study.modules[1].substitute = "habits"
      $0.study.days[0].modules = ["phq-9"]
      $0.study.gateways[0] = Gateway("coffee", when: coffee, modules: ["phq-8"])
    }
    #expect(substitute == [])
  }

  /// Kinds of what is found of a schedule of 15 days.
  private static func scheduleKinds(_ recurrence: Recurrence) throws -> [StudyFinding.Kind] {
    var sound = SoundStudy()
    sound.study.dayCount = 15
    sound.study.tasks[0].schedule = StudySchedule(days: 15, .recurring(recurrence))
    return try findings(sound).filter { $0.place == "tasks[0].schedule" }.map(\.kind)
  }

  @Test(
    "the windows of a numbered day are checked over the changes of clocks, however late the day is",
    arguments: [1, 2, 8, 9, 10, 12, 15])
  func numbered(day: Int) throws {
    func kinds(_ windows: LocalWindow...) throws -> [StudyFinding.Kind] {
      try Self.scheduleKinds(Recurrence(days: .numbered([day - 1]), times: .windows(windows)))
    }
    #expect(try kinds(Self.window("09:00", "12:00"), Self.window("11:00", "13:00")) == [.overlap])
    #expect(try kinds(Self.window("09:00", "12:00"), Self.window("12:00", "13:00")) == [])
    // 02:30 comes as 03:30 where clocks are set forward, after the window's end.
    #expect(try kinds(Self.window("02:30", "03:10")) == [.vanished])
  }

  @Test(
    "openings of several days overlap where the next one comes before the end",
    arguments: [(3, 7, true), (3, 4, true), (3, 2, false), (7, 7, false), (7, 6, false), (15, 7, false)])
  func longOpenings(every: Int, open: Int, overlaps: Bool) throws {
    // A week of seconds ends an hour late on the wall where clocks are set forward, which is no fault.
    let times = Recurrence.Times.at([Samples.time("09:00")], openFor: open * 86_400)
    let expected: [StudyFinding.Kind] = overlaps ? [.overlap] : []
    let numbers = (0..<15).filter { $0 % every == 0 }
    for days in [Recurrence.Days.every(every), .numbered(numbers)] {
      #expect(try Self.scheduleKinds(Recurrence(days: days, times: times)) == expected)
    }
  }

  @Test(
    "openings of several days on weekdays overlap where another one of them comes before the end, whatever the clocks do",
    arguments: [
      ([.monday, .wednesday], 3, true), ([.monday, .wednesday], 2, false), ([.sunday], 7, false),
      ([.tuesday], 7, false), ([.sunday, .tuesday], 7, true), ([.friday, .saturday], 2, true),
    ] as [(Set<Weekday>, Int, Bool)])
  func weekdayOpenings(weekdays: Set<Weekday>, open: Int, overlaps: Bool) throws {
    let times = Recurrence.Times.at([Samples.time("09:00")], openFor: open * 86_400)
    let found = try Self.scheduleKinds(Recurrence(days: .weekdays(weekdays), times: times))
    #expect(found == (overlaps ? [.overlap] : []))
  }

  @Test("a day of seconds each day is no fault: it ends an hour late on the wall on one day of the year")
  func wholeDays() throws {
    let times = Recurrence.Times.at([Samples.time("09:00")], openFor: 86_400)
    #expect(try Self.scheduleKinds(Recurrence(times: times)) == [])
    let long = Recurrence.Times.at([Samples.time("09:00")], openFor: 86_401)
    #expect(try Self.scheduleKinds(Recurrence(times: long)) == [.overlap])
  }

  @Test("a window that clocks shorten and do not take away is no fault: 01:30 to 04:30")
  func shortened() throws {
    var sound = SoundStudy()
    sound.study.tasks[0].schedule = Self.schedule(.windows([Self.window("01:30", "04:30")]))
    #expect(try Self.findings(sound).isEmpty)
  }
}
