import Almanac
import Questionnaires

@testable import Studies

/// Schedules, days and measurements.
extension StudyCheckTests {
  static let timeDefects: [Defect] = [
    Defect(.unreachable, "error: study.json, tasks[0].schedule: it is never due") {
      $0.study.tasks[0].schedule = schedule(.windows([]))
    },
    Defect(.unreachable, "error: study.json, tasks[0].schedule: it is never due") {
      let times = Recurrence.Times.windows([window("04:00", "04:00")])
      $0.study.tasks[0].schedule.rule = .recurring(Recurrence(days: .numbered([10]), times: times))
    },
    // Numbers count from 0: days 1 and 11 of ten.
    Defect(
      .days,
      "error: study.json, tasks[0].schedule.numbered: day 11 lies behind its last day, 10, and is never due"
    ) {
      let times = Recurrence.Times.windows([window("04:00", "04:00")])
      $0.study.tasks[0].schedule.rule = .recurring(Recurrence(days: .numbered([0, 10]), times: times))
    },
    Defect(
      .unreachable,
      "error: study.json, tasks[0].schedule: no program here raises \"waking\", so that it is never due; state"
    ) {
      $0.study.tasks[0].schedule = StudySchedule(days: 10, .after("waking", delay: 600, openFor: 7200))
    },
    Defect(
      .vanished, "error: study.json, tasks[0].schedule: number 1 of 2027-03-28 in Europe/Berlin has no time"
    ) {
      $0.study.tasks[0].schedule = schedule(.windows([window("02:00", "03:00")]))
    },
    Defect(
      .vanished, "error: study.json, tasks[0].schedule: number 1 of 2027-03-28 in Europe/Berlin has no time"
    ) {
      // Three of 20 minutes and two gaps of 30 need two hours, and that night has one.
      $0.study.tasks[0].schedule = StudySchedule(
        days: 10,
        .recurring(
          Recurrence(
            days: .every(1), times: .drawn(3, within: window("01:00", "03:00"), apart: 1800, openFor: 1200))
        ))
    },
    Defect(
      .overlap,
      "error: study.json, tasks[0].schedule: number 2 of 2027-03-28 in Europe/Berlin opens before the one before it closes"
    ) {
      // Two hours on the wall are one hour on that day.
      $0.study.tasks[0].schedule = schedule(
        .at([Samples.time("01:30"), Samples.time("03:30")], openFor: 7200))
    },
    Defect(.overlap, "error: study.json, tasks[0].schedule: number 2 of") {
      $0.study.tasks[0].schedule = schedule(.windows([window("09:00", "12:00"), window("11:59", "13:00")]))
    },
    Defect(.overlap, "error: study.json, tasks[0].schedule: number 2 of") {
      $0.study.tasks[0].schedule = StudySchedule(
        days: 10, .interval(seconds: 3600, from: .noon, openFor: 3601))
      $0.study.tasks[0].minutes = 0.1
    },
    Defect(.days, "error: study.json, tasks[0].schedule: it goes on to day 11 of a study of 10 days") {
      $0.study.tasks[0].schedule.firstDay = 2
    },
    Defect(.days, "error: study.json, days[0]: it is day 11 of a study of 10 days") {
      $0.study.days[0].number = 11
    },
    Defect(
      .days,
      "warning: study.json, days[0].minutes: people are told 3.0 minutes, and its tasks and modules take 2.0"
    ) {
      $0.study.days[0].minutes = 3
    },
    Defect(.days, "error: study.json, modules: \"phq-9\" takes 9.5 minutes, and a day has 9.0 left") {
      $0.study.modules[1].minutes = 9.5
    },
    Defect(.days, "warning: study.json, filling: when all gateways are open, phq-9 find no day") {
      $0.study.filling?.days = 2...2
      $0.study.modules[0].minutes = 7
      $0.study.days[0].minutes = 8
      $0.study.gateways.append(
        Gateway("more", when: [Condition("log.quality", .lessOrEqual, .number(2))], modules: ["more"]))
      $0.study.modules.append(
        StudyModule(
          "more", Samples.both("More"), questionnaire: "habits", pillar: "sleep", .expansion, minutes: 7,
          priority: 1))
    },
    Defect(
      .days, "error: study.json, days[0]: no task asks modules on day 1; give the schedule of the task"
    ) {
      $0.study.tasks[1].schedule.firstDay = 2
      $0.study.tasks[1].schedule.dayCount = 9
    },
    // Days 1, 3, 5, 7 and 9.
    Defect(
      .days, "error: study.json, filling: no task asks modules on day 2, nor on 4 more of these days; give"
    ) {
      let times = Recurrence.Times.windows([window("04:00", "04:00")])
      $0.study.tasks[1].schedule.rule = .recurring(Recurrence(days: .every(2), times: times))
    },
    Defect(
      .days,
      "error: study.json, filling: no task asks modules on day 2 of whoever begins on some weekdays, nor on 8 more of these days"
    ) {
      let times = Recurrence.Times.windows([window("04:00", "04:00")])
      let days = Recurrence.Days.weekdays(Set(Weekday.allCases).subtracting([.sunday]))
      $0.study.tasks[1].schedule.rule = .recurring(Recurrence(days: days, times: times))
    },
    // Each second day from day 1 on.
    Defect(
      .days, "error: study.json, filling: no task asks modules on day 2, nor on 4 more of these days"
    ) {
      $0.study.tasks[1].schedule.rule = .interval(seconds: 172_800, from: .noon, openFor: 3600)
    },
    Defect(
      .days,
      "warning: study.json, tasks[1].schedule: the modules of day 1 are asked 2 times, each time anew, and their minutes are counted once; give"
    ) {
      $0.study.tasks[1].schedule = schedule(
        .windows([window("06:00", "12:00"), window("12:00", "22:00")]))
    },
    Defect(
      .days, "warning: study.json, tasks[1].schedule: the modules of day 1 are asked 2 times, each time"
    ) {
      var evening = $0.study.tasks[1]
      evening.id = "evening"
      $0.study.tasks.append(evening)
    },
    Defect(
      .unreachable,
      "error: study.json, modules[3]: \"again\" asks \"habits\" as \"habits\" does, and a gateway calls for one of them: whoever was asked the one counts as done with the other, which is never asked; give"
    ) {
      $0.study.modules.append(
        StudyModule(
          "again", Samples.both("Again"), questionnaire: "habits", pillar: "sleep", .expansion, minutes: 1,
          priority: 3))
      $0.study.gateways.append(
        Gateway("again", when: [Condition("log.quality", .lessOrEqual, .number(2))], modules: ["again"]))
    },
    Defect(
      .unreachable,
      "error: study.json, gateways[0].enableWhen[0]: \"log.quality\" is asked first on day 5, and modules fill days 2 to 3; ask"
    ) {
      $0.study.tasks[0].schedule = StudySchedule(from: 5, days: 6, $0.study.tasks[0].schedule.rule)
      $0.study.filling?.days = 2...3
    },
    Defect(
      .unreachable,
      "error: study.json, gateways[0].enableWhen[0]: \"habits.coffee\" is asked first on day 9, and modules fill days 2 to 8"
    ) {
      $0.study.days[0].number = 9
      $0.study.filling?.days = 2...8
      $0.study.gateways[0] = Gateway(
        "poor", when: [Condition("habits.coffee", .equal, .yes(true))], modules: ["phq-9"])
    },
    Defect(
      .unreachable,
      "warning: study.json, gateways[0].enableWhen[0]: \"log.quality\" is asked first on day 5, the last that modules fill"
    ) {
      $0.study.tasks[0].schedule = StudySchedule(from: 5, days: 6, $0.study.tasks[0].schedule.rule)
      $0.study.filling?.days = 2...5
    },
    Defect(.days, "error: study.json, filling.to: it is day 11 of a study of 10 days") {
      $0.study.filling?.days = 2...11
    },
  ]

  static let measurementDefects: [Defect] = [
    Defect(
      .measurement,
      "error: study.json, tasks[0].measurement: no program here measures reaction-time 1; name one of hearing-test 1, loudness-match 1, pitch-match 1"
    ) {
      $0.study.tasks[0].work = .measurement(TaskKind.Key("reaction-time", version: 1), settings: [:])
      $0.study.gateways = []
      $0.study.filling = nil
    },
    Defect(.measurement, "error: study.json, tasks[0].measurement.settings: quiet-windows is not stated") {
      $0.study.tasks[0].work = .measurement(TaskKind.loudnessMatch.key, settings: ["trials": 3])
    },
    Defect(.measurement, "error: study.json, tasks[0].measurement.settings.trials: 50.0 is out of range") {
      $0.study.tasks[0].work = .measurement(TaskKind.loudnessMatch.key, settings: ["trials": 50])
    },
    Defect(
      .measurement,
      "error: study.json, tasks[0].measurement.settings.trials: 2.5 is not a whole number; state a whole number from 1 to 20"
    ) {
      $0.study.tasks[0].work = .measurement(TaskKind.loudnessMatch.key, settings: ["trials": 2.5])
    },
    Defect(
      .measurement,
      "error: study.json, tasks[0].measurement.settings.bayesian: 0.5 is not a whole number; state a whole number from 0 to 1"
    ) {
      $0.study.tasks[0].work = .measurement(TaskKind.hearingTest.key, settings: ["bayesian": 0.5])
    },
    Defect(
      .measurement,
      "error: study.json, tasks[0].measurement.settings.colour: loudness-match 1 has no such setting"
    ) {
      $0.study.tasks[0].work = .measurement(TaskKind.loudnessMatch.key, settings: ["colour": 1])
    },
    Defect(
      .measurement,
      "warning: study.json, tasks[0].measurement.settings.quiet-windows: the aid's own command does not measure with 12: the task stays due there; state 5"
    ) {
      $0.study.tasks[0].work = .measurement(
        TaskKind.hearingTest.key,
        settings: ["bayesian": 1, "quiet-below-dba": 40, "quiet-windows": 12, "allows-relative-level": 0])
      $0.study.gateways = []
      $0.study.filling = nil
    },
    Defect(
      .measurement,
      "warning: study.json, tasks[0].measurement.settings.allows-relative-level: the aid's own command listens to the room by a calibrated microphone alone: without one the task stays due there; state 0"
    ) {
      $0.study.tasks[0].work = .measurement(
        TaskKind.hearingTest.key,
        settings: ["bayesian": 1, "quiet-below-dba": 40, "quiet-windows": 5, "allows-relative-level": 1])
      $0.study.gateways = []
      $0.study.filling = nil
    },
  ]
}
