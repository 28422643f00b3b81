import Exchange
import Studies
import Testing

@Suite("Compliance") struct ComplianceTests {
  @Test("nothing is due that closed before the part began: of three windows two for who begins at 18:00")
  func begun() throws {
    let study = TenDays()
    #expect(try study.compliance(on: 3) == Compliance(due: 3, done: 0))
    #expect(
      try study.compliance(on: 3, begun: TenDays.moment(1, "18:00")) == Compliance(due: 2, done: 0))
    // Half an hour before it closes there is time.
    #expect(
      try study.compliance(on: 3, begun: TenDays.moment(1, "09:30")) == Compliance(due: 3, done: 0))
  }

  @Test("a kind of data is due from the moment on at which it is given, and not while it is withdrawn")
  func kinds() throws {
    let study = TenDays { $0.tasks.append(TenDays.task("room", "09:00", "10:00", kind: "sound")) }
    let agreed = [TenDays.tick("answers", true, 1, "00:05")]
    let both: Set<String> = ["answers", "sound"]
    let late = [TenDays.tick("sound", false, 1, "00:05"), TenDays.tick("sound", true, 8, "08:00")]
    // Nine logs, and the sound of days 8 and 9.
    #expect(
      try study.compliance(on: 9, ticks: agreed + late, giving: both) == Compliance(due: 11, done: 0))
    let again = [
      TenDays.tick("sound", true, 1, "00:05"), TenDays.tick("sound", false, 3, "12:00"),
      TenDays.tick("sound", true, 6, "12:00"),
    ]
    // Eight logs, and the sound of days 1, 2, 3, 7 and 8.
    #expect(
      try study.compliance(on: 8, ticks: agreed + again, giving: both) == Compliance(due: 13, done: 0))
    let done = [TenDays.given("room", "room", on: 3, "09:30")]
    #expect(
      try study.compliance(on: 8, ticks: agreed + again, giving: both, done) == Compliance(due: 13, done: 1)
    )
  }

  @Test("days before an edition count by the version of then: a task is due while the version has it")
  func edition() throws {
    let (small, large) = (TenDays(), TenDays { $0.tasks.append(TenDays.task("room", "09:00", "10:00")) })
    let taken = TenDays.moment(8, "08:00")
    // Nine logs, and the room of days 8 and 9.
    #expect(
      try large.compliance(on: 9, former: [FormerVersion(small.content(), until: taken)])
        == Compliance(due: 11, done: 0))
    // Nine logs, and the room of days 1 to 7, of which one was done.
    #expect(
      try small.compliance(
        on: 9, former: [FormerVersion(large.content(), until: taken)],
        [TenDays.given("room", "room", on: 2, "09:30")]) == Compliance(due: 16, done: 1))
  }

  @Test("a window that an edition moves to a later hour of the same day counts once")
  func editionOnTheDay() throws {
    let later = TenDays { $0.tasks = [TenDays.task("log", "09:00", "20:00")] }
    let former = [FormerVersion(try TenDays().content(), until: TenDays.moment(3, "12:00"))]
    let done = [TenDays.given("log", "log", on: 3, "09:30")]
    #expect(try later.compliance(on: 3, at: "21:00", former: former, done) == Compliance(due: 3, done: 1))
  }

  @Test("work that was done before an edition takes its task away on the same day is due and done")
  func doneOnTheDay() throws {
    let former = TenDays { $0.tasks.append(TenDays.task("room", "10:00", "16:00")) }
    let versions = [FormerVersion(try former.content(), until: TenDays.moment(3, "12:00"))]
    let done = [TenDays.given("room", "room", on: 3, "11:00")]
    // Three logs, and the room of days 1 and 2, of day 3 where it was done.
    #expect(try TenDays().compliance(on: 3, at: "21:00", former: versions) == Compliance(due: 5, done: 0))
    #expect(
      try TenDays().compliance(on: 3, at: "21:00", former: versions, done) == Compliance(due: 6, done: 1))
  }

  @Test(
    "a questionnaire that was begun is over when the window closes in which it was, whatever window an edition has",
    arguments: [
      ("10:00", "20:00", "09:45", 0), ("10:00", "20:00", "11:00", 1), ("20:00", "10:00", "11:00", 0),
      ("20:00", "10:00", "21:00", 1), ("20:00", "09:15", "11:00", 0), ("20:00", "09:15", "21:00", 1),
    ])
  func begunWindow(begun: String, later: String, now: String, due: Int) throws {
    func study(until time: String) -> TenDays {
      TenDays { $0.tasks = [TenDays.task("log", "09:00", time)] }
    }
    // The edition is taken at 09:30.
    let former = [FormerVersion(try study(until: begun).content(), until: TenDays.moment(1, "09:30"))]
    let half = [TenDays.given("log", "log", on: 1, "09:10", isCompleted: false)]
    #expect(
      try study(until: later).compliance(
        on: 1, at: now, former: former, half, closes: TenDays.moment(1, begun))
        == Compliance(due: due, done: 0))
  }

  @Test("a window that clocks take away is not due: 02:00 to 03:00 in Berlin on 29 March, day 8 of nine")
  func vanished() throws {
    let study = TenDays { $0.tasks = [TenDays.task("log", "02:00", "03:00")] }
    #expect(try study.compliance(on: 9, in: "Europe/Berlin") == Compliance(due: 8, done: 0))
    #expect(try study.compliance(on: 9) == Compliance(due: 9, done: 0))
  }
}
