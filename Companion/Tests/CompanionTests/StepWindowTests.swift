import Almanac
import Base
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

@Suite("Days, zones and windows of the next step, on both engines") struct StepWindowTests {
  @Test(
    "before the first day, between windows, after the last and without a study it says why nothing is asked",
    arguments: TestDatabase.engines)
  func nothing(engine: Engine) throws {
    try Home.with(engine) { home in
      func reason(_ hours: Int) throws -> NextStep.Reason? {
        if case .nothing(let reason) = try home.own(hours).step() { reason } else { nil }
      }
      #expect(try reason(0) == .noStudy)
      let study = SiteStudy()
      let first = try #require(CalendarDate("2026-03-31"))
      _ = try home.own().begin(study.version(), on: first, under: study.agreement())
      #expect(try reason(0) == .notBegun(first))
      // 02:00 on day 1: before it unlocks.
      #expect(try reason(42) == .noneOpen(opens: Instant("2026-03-31T04:00:00Z")))
      #expect(try reason(24 * 30) == .over)
      // An answer outside the window says which window, in which zone.
      let own = try home.own(42)
      do throws(StepRefusal) {
        try own.answer("phq-9.1", "1")
        Issue.record("it was taken")
      } catch {
        guard case .failed(let failure) = error else {
          Issue.record("\(error)")
          return
        }
        #expect(failure.message.contains("expected 2026-03-31T04:00:00Z or later (UTC)"))
        #expect(failure.exitStatus == .temporary)
      }
    }
  }

  @Test(
    "a questionnaire that is open for a week is asked on each of its days, also after the last of the study",
    arguments: TestDatabase.engines)
  func week(engine: Engine) throws {
    var study = SiteStudy()
    let morning = Recurrence.Times.at([LocalTime("08:00")!], openFor: 604_800)
    study.study.tasks.removeLast()
    study.study.tasks[0].schedule = StudySchedule(days: 1, .recurring(Recurrence(times: morning)))
    try Home.withPart(engine, study) { home, _ in
      for hours in [0, 24, 47, 72, 167] {
        let report = try home.own(hours).report()
        #expect(report.text("step") == "question" && report.text("occurrence") == "mood/2026-03-29/1")
      }
      #expect(try home.own(168).report().text("reason") == "over")
    }
  }

  @Test(
    "a part that ends while something is open or a day of the study is left is withdrawn, and completed afterwards",
    arguments: TestDatabase.engines)
  func ending(engine: Engine) throws {
    try Home.withPart(engine) { home, own in
      let part = try #require(try own.all().first)
      // Day 3 is over after 64 hours; its questionnaires are open until 04:00.
      for hours in [0, 39, 63, 67] { #expect(part.ending(at: Home.morning + hours * 3600) == .withdrawn) }
      #expect(part.ending(at: Home.morning + 68 * 3600) == .completed)
    }
  }

  @Test(
    "a zone that the system does not know is refused and not kept; a part that has one goes on in the zone before",
    arguments: TestDatabase.engines)
  func unknownZone(engine: Engine) throws {
    try Home.withPart(engine) { home, own in
      var surroundings = own.surroundings
      surroundings.zone = "Europe/Atlantis"
      let lost = OwnParts(own.database, surroundings)
      #expect(throws: Failure.self) { try lost.all() }
      #expect(try own.all()[0].enrolment.stays.map(\.zone) == ["UTC"])
      // As a program kept it that did not look it up.
      let enrolment = try own.all()[0].enrolment
      try Enrolments(own.database).move(enrolment, to: "Europe/Atlantis", home.own(1).session)
      let part = try #require(try home.own(2).all().first)
      #expect(part.enrolment.stays.map(\.zone) == ["UTC", "Europe/Atlantis", "UTC"])
      #expect(part.course.zones.zone(at: Home.morning + 5400).name == "UTC")
    }
  }

  @Test(
    "who only looks is in the present zone, and changes nothing by it; who asks or answers has the journey noted",
    arguments: TestDatabase.engines)
  func looking(engine: Engine) throws {
    try Home.withPart(engine) { home, own in
      var surroundings = try home.own(1).surroundings
      surroundings.zone = "Asia/Tokyo"
      let looking = OwnParts(own.database, surroundings, notesJourneys: false)
      let part = try looking.onlyPart()
      #expect(part.enrolment.stays.map(\.zone) == ["UTC", "Asia/Tokyo"])
      #expect(part.course.zones.zone(at: Home.morning + 7200).name == "Asia/Tokyo")
      _ = try looking.report()
      let kept = Enrolments(own.database)
      #expect(try kept.all(own.session)[0].stays.map(\.zone) == ["UTC"])
      let asking = OwnParts(own.database, surroundings)
      #expect(try asking.onlyPart().enrolment == part.enrolment)
      #expect(try kept.all(own.session)[0].stays == part.enrolment.stays)
      // Noted by then, it is the same for both.
      #expect(try looking.onlyPart().enrolment == part.enrolment)
    }
  }

  /// In Cairo 24 April 2026 begins at 01:00: clocks are set forward at midnight, from UTC+2 to UTC+3.
  @Test(
    "a window that clocks take away is not announced: the next one is that of the day after",
    arguments: TestDatabase.engines)
  func vanished(engine: Engine) throws {
    try Home.with(engine) { home in
      var study = SiteStudy()
      let window = LocalWindow(LocalTime("00:00")!, LocalTime("01:00")!)
      for place in study.study.tasks.indices {
        study.study.tasks[place].schedule = StudySchedule(
          days: 3, .recurring(Recurrence(times: .windows([window]))))
      }
      func own(_ moment: String) throws -> OwnParts {
        let now = try #require(Instant(moment))
        var surroundings = try home.own().surroundings
        surroundings.now = { now }
        surroundings.zone = "Africa/Cairo"
        return OwnParts(home.store.database, surroundings)
      }
      let first = try #require(CalendarDate("2026-04-23"))
      _ = try own("2026-04-22T20:00:00Z").begin(study.version(), on: first, under: study.agreement())
      for moment in ["2026-04-23T10:00:00Z", "2026-04-23T22:00:00Z", "2026-04-24T06:00:00Z"] {
        let report = try own(moment).report()
        #expect(report.text("reason") == "none-open" && report.text("opens") == "2026-04-24T21:00:00Z")
      }
      // Compliance leaves the same window out.
      let part = try own("2026-04-24T06:00:00Z").onlyPart()
      let remarks = part.course.occurrences(on: 1...3).map(\.occurrence.remark)
      #expect(remarks == [nil, nil, .vanished, .vanished, nil, nil])
    }
  }

  @Test(
    "a zone that a clock noted that was ahead counts when its moment has come; until then windows are the present zone's, which is noted once",
    arguments: TestDatabase.engines)
  func clockAhead(engine: Engine) throws {
    try Home.with(engine) { home in
      var study = SiteStudy()
      study.study.tasks.removeLast()
      let window = LocalWindow(LocalTime("16:00")!, LocalTime("20:00")!)
      study.study.tasks[0].schedule = StudySchedule(
        days: 3, .recurring(Recurrence(times: .windows([window]))))
      func own(_ time: String, _ zone: String) throws -> OwnParts {
        let now = try #require(Instant("2026-03-16T\(time):00Z"))
        var surroundings = try home.own().surroundings
        surroundings.now = { now }
        surroundings.zone = zone
        return OwnParts(home.store.database, surroundings)
      }
      _ = try own("05:00", "Europe/Berlin").begin(study.version(), under: study.agreement())
      // Nine hours ahead.
      _ = try own("14:00", "Asia/Tokyo").all()
      // Set right, it is 14:10 in Tokyo. 16:00 is at 07:00 UTC there, and at 15:00 in Berlin.
      let waiting = try own("05:10", "Asia/Tokyo").report()
      #expect(waiting.text("reason") == "none-open" && waiting.text("opens") == "2026-03-16T07:00:00Z")
      let question = try own("07:00", "Asia/Tokyo").report()
      #expect(question.text("step") == "question" && question.text("zone") == "Asia/Tokyo")
      let (berlin, tokyo) = ("Europe/Berlin", "Asia/Tokyo")
      for time in ["08:00", "08:05"] { _ = try own(time, berlin).all() }
      let part = try #require(try own("08:10", berlin).all().first)
      #expect(part.enrolment.stays.map(\.zone) == [berlin, tokyo, berlin, tokyo])
      #expect(part.course.zones.zone(at: part.enrolment.begun + 12 * 3600).name == berlin)
      // The moment that was noted has come.
      for time in ["15:00", "15:05"] { _ = try own(time, berlin).all() }
      let later = try #require(try own("15:10", berlin).all().first)
      #expect(later.enrolment.stays.map(\.zone) == [berlin, tokyo, berlin, tokyo, berlin])
    }
  }

  /// The window of 04:00 to 04:00 opens at 04:00 UTC of 2026-03-30; at 06:00 UTC it is 23:00 of the day before in Los Angeles.
  @Test(
    "after a journey west over midnight what has opened on the next date is asked, listed and taken until it closes",
    arguments: TestDatabase.engines, [1, 2])
  func west(engine: Engine, first: Int) throws {
    try Home.with(engine) { home in
      let study = SiteStudy()
      _ = try home.own().begin(
        study.version(), on: CalendarDate("2026-03-\(28 + first)"), under: study.agreement())
      // In UTC until then.
      _ = try home.own(21).all()
      func west(_ hours: Int) throws -> OwnParts {
        let own = try home.own(hours)
        var surroundings = own.surroundings
        surroundings.zone = "America/Los_Angeles"
        return OwnParts(own.database, surroundings)
      }
      let own = try west(22)
      let report = try own.report()
      #expect(report.text("step") == "question" && report.text("occurrence") == "mood/2026-03-30/1")
      let part = try #require(try own.all().first)
      // Day 2 of who began on the 29th, and day 1 of who begins on the 30th: neither has come again on the wall.
      #expect(part.course.day(at: own.surroundings.now()) == 2 - first)
      #expect(part.due(at: own.surroundings.now()).contains { $0.occurrence.id == "mood/2026-03-30/1" })
      try own.answer("phq-9.1", "1")
      #expect(try own.all()[0].responses.map(\.occurrence) == ["mood/2026-03-30/1"])
      // It closes by the zone in which it opened: 04:00 UTC of the 31st.
      #expect(try west(43).report().text("occurrence") == "mood/2026-03-30/1")
      #expect(try west(44).report().text("occurrence") != "mood/2026-03-30/1")
    }
  }
}
