import Almanac
import Base
import Records
import Studies
import Testing

@testable import Companion

/// An aid whose finished record is told while another program does something.
private struct RacingProgram: MeasuringProgram {
  let history: String
  let meanwhile: @Sendable () -> Void

  func run(_ arguments: [String]) throws(Failure) -> ProgramEnd {
    guard arguments.first == "match" else { return FakeProgram.end(0, "auricle 0.1.0, protocol 1") }
    meanwhile()
    return FakeProgram.end(0, history)
  }
}

@Suite("Measurements that were left or broken off") struct MeasurerRecoveryTests {
  @Test(
    "who leaves it goes on with the aid's own record the next time, also where the aid lost its connection")
  func left() throws {
    for end in [
      FakeProgram.end(130, #"{"errors":[{"message":"procedure: ended. go on with: --resume r1"}]}"#),
      FakeProgram.end(69, #"{"errors":[{"message":"gone. go on with: --resume r1"}]}"#),
      FakeProgram.end(nil, ""),
    ] {
      try Evening.with { own, at in
        #expect(try Evening.measure(own, FakeProgram([.success(end)]), "left").0 == .stopped)
        #expect(try own.all().first?.measurements.map(\.end) == [nil])
        let again = FakeProgram(
          [.success(FakeProgram.end(0, AidReport.loudness()))],
          history: AidReport.history(
            ("r0", "loudness", -5, false), ("p", "pitch", 0.5, false), ("r1", "loudness", 0.5, false)))
        let (ending, text) = try Evening.measure(at(10), again, "")
        #expect(ending == .measured && text.contains("You left it before its end."))
        #expect(again.commands == ["match history --json", "match loudness --resume r1 --json"])
        #expect(try own.all().first?.measurements.map(\.isMeasured) == [true])
      }
    }
  }

  /// An aid that does not run tells no history, so that the second attempt begins anew.
  @Test("what was left goes on after an attempt in between that failed, because the aid did not run")
  func goneBetween() throws {
    try Evening.with { own, at in
      let left = FakeProgram([.success(FakeProgram.end(130, ""))])
      #expect(try Evening.measure(own, left, "left").0 == .stopped)
      let gone = FakeProgram([.success(FakeProgram.end(69, #"{"errors":[{"message":"not running"}]}"#))])
      #expect(try Evening.measure(at(5), gone, "left").0 == .due)
      let history = AidReport.history(("r1", "loudness", 0.5, false))
      let again = FakeProgram([.success(FakeProgram.end(0, AidReport.loudness()))], history: history)
      let (ending, text) = try Evening.measure(at(10), again, "")
      #expect(ending == .measured && text.contains("You left it before its end."))
      #expect(again.commands == ["match history --json", "match loudness --resume r1 --json"])
      #expect(try own.all().first?.measurements.map(\.isMeasured) == [true, false])
    }
  }

  @Test("a measurement that does not go on stays as it was left: it goes on later, or its result is taken")
  func notResumed() throws {
    let history = AidReport.history(("r1", "loudness", 0.5, false))
    let attempts: [Result<ProgramEnd, Failure>] = [
      .success(FakeProgram.end(69, #"{"errors":[{"message":"the earphones are not there"}]}"#)),
      .failure(Failure("/usr/bin/auricle", found: "that it does not start: no memory", exit: .system)),
      .success(FakeProgram.end(0, #"{"record":"r1"}"#)),
    ]
    for attempt in attempts {
      for isFinishedByHand in [false, true] {
        try Evening.with { own, at in
          let left = FakeProgram([.success(FakeProgram.end(130, ""))])
          #expect(try Evening.measure(own, left, "left").0 == .stopped)
          let failing = FakeProgram([attempt], history: history)
          let (ending, text) = try Evening.measure(at(5), failing, "")
          #expect(ending == .due && text.contains("What you have answered before is kept by the aid.\n"))
          #expect(failing.commands.last == "match loudness --resume r1 --json")
          #expect(try own.all().first?.measurements.map(\.end) == [nil])
          if isFinishedByHand {
            let finished = AidReport.history(("r1", "loudness", 0.5, true))
            let part = try #require(try at(10).all().first)
            let measurer = Measurer(at(10), FakeProgram([], history: finished), person: Script([]))
            #expect(try measurer.recover(part) == 1)
          } else {
            let end = FakeProgram.end(0, AidReport.loudness())
            let again = FakeProgram([.success(end)], history: history)
            #expect(try Evening.measure(at(10), again, "").0 == .measured)
          }
          #expect(try own.all().first?.measurements.map(\.isMeasured) == [true])
        }
      }
    }
  }

  @Test("a word that is neither yes nor no is asked again, and what was left goes on by Enter")
  func askedAgain() throws {
    try Evening.with { own, at in
      let left = FakeProgram([.success(FakeProgram.end(130, ""))])
      #expect(try Evening.measure(own, left, "left").0 == .stopped)
      let history = AidReport.history(("r1", "loudness", 0.5, false))
      let program = FakeProgram([.success(FakeProgram.end(0, AidReport.loudness()))], history: history)
      let (ending, text) = try Evening.measure(at(5), program, "ok", "")
      #expect(ending == .measured && text.contains("Found \"ok\"; expected yes or no."))
      #expect(program.commands == ["match history --json", "match loudness --resume r1 --json"])
      #expect(try own.all().first?.measurements.map(\.isMeasured) == [true])
    }
  }

  @Test("who does not want to go on with what was left begins anew; who stops there changes nothing")
  func anew() throws {
    try Evening.with { (own, at) throws in
      let left = FakeProgram([.success(FakeProgram.end(130, ""))])
      #expect(try Evening.measure(own, left, "left").0 == .stopped)
      let history = AidReport.history(("r1", "loudness", 0.5, false))
      #expect(try Evening.measure(at(5), FakeProgram([], history: history), "q").0 == .stopped)
      #expect(try Evening.measure(at(6), FakeProgram([], history: history)).0 == .stopped)
      let program = FakeProgram([.success(FakeProgram.end(0, AidReport.loudness("r2")))], history: history)
      #expect(try Evening.measure(at(10), program, "no", "left").0 == .measured)
      #expect(try own.all().first?.measurements.map(\.isMeasured) == [false, true])
    }
  }

  @Test(
    "a result that the aid finished while this program was gone is taken once, also after the window; others' are not"
  )
  func recovered() throws {
    try Evening.with { own, at in
      // Killed: the run is begun, and nobody took its result.
      #expect(
        try Evening.measure(own, FakeProgram([.success(FakeProgram.end(nil, ""))]), "left").0 == .stopped)
      func recover(_ minutes: Int, _ history: String?) throws -> Int {
        let part = try #require(try at(minutes).all().first)
        return try Measurer(at(minutes), FakeProgram([], history: history), person: Script([])).recover(
          part)
      }
      #expect(try recover(1, nil) == 0)
      #expect(
        try recover(1, AidReport.history(("old", "loudness", -1, true), ("p", "pitch", 1, true))) == 0)
      #expect(try recover(1, AidReport.history(("r1", "loudness", 0.5, false))) == 0)
      let history = AidReport.history(("r1", "loudness", 0.5, true), ("r2", "loudness", 3, true))
      #expect(try recover(20 * 60, history) == 1)
      #expect(try recover(20 * 60, history) == 0)
      let run = try #require(try own.all().first?.measurements.first)
      guard case .measured(_, let record)? = run.end?.outcome else {
        Issue.record("nothing was taken")
        return
      }
      #expect(record.id == "r1" && run.end?.moment == Evening.start + 20 * 3600)
    }
  }

  @Test(
    "of two studies that measure the same by tasks of one name, a record is the result of the one that began last before it, and of one alone",
    arguments: [(0, 2, 2.5, [0, 1]), (0, 0, 0.5, [1, 0])])
  func twoStudies(first: Int, second: Int, began: Double, taken: [Int]) throws {
    try Evening.with { own, at in
      _ = try own.begin(Evening.version("urn:test:another"))
      let ids = try own.all().map(\.enrolment.id)
      for (id, minutes) in zip(ids, [first, second]) {
        let there = at(minutes)
        let part = try #require(try there.all().first { $0.enrolment.id == id })
        let due = try #require(part.openMeasurements(at: there.surroundings.now()).first)
        let killed = FakeProgram([.success(FakeProgram.end(nil, ""))])
        let measurer = Measurer(there, killed, person: Script(["left"]))
        #expect(try measurer.measure(due, of: part) == .stopped)
      }
      let history = AidReport.history(("r1", "loudness", began, true))
      let late = at(20)
      let measurer = Measurer(late, FakeProgram([], history: history), person: Script([]))
      var counts: [Int] = []
      for part in try late.all() { counts.append(try measurer.recover(part)) }
      #expect(counts == taken)
    }
  }

  @Test(
    "a run that another program ended, or whose part ended, while the aid was asked is passed over",
    arguments: [false, true])
  func endedMeanwhile(isPart: Bool) throws {
    try Evening.with { own, at in
      _ = try Evening.measure(own, FakeProgram([.success(FakeProgram.end(nil, ""))]), "left")
      let part = try #require(try own.all().first)
      let run = try #require(part.measurements.first)
      let later = at(5)
      let (database, session, enrolment) = (own.database, later.session, part.enrolment)
      let program = RacingProgram(history: AidReport.history(("r1", "loudness", 0.5, true))) {
        guard isPart else {
          _ = try? TaskRuns(database).end(run, .absent("elsewhere"), session)
          return
        }
        try? Enrolments(database).end(enrolment, .withdrawn, session)
      }
      let taken = try Measurer(later, program, person: Script([])).recover(part)
      #expect(taken == 0)
      #expect(try own.all().first?.measurements.map(\.isMeasured) == [false])
    }
  }

  @Test(
    "what was offered of one study is not taken for another's with a task of the same name; what failed is offered again, and what was declined is not"
  )
  func offered() throws {
    try Evening.with { own, _ in
      _ = try own.begin(Evening.version("urn:test:another"))
      let (parts, now) = (try own.all(), own.surroundings.now())
      let due = try parts.map { part in try #require(part.openMeasurements(at: now).first) }
      #expect(Set(due.map(\.occurrence.id)).count == 1)
      var offered = OfferedMeasurements()
      func waits() -> [Bool] { parts.map { $0.nextMeasurement(at: now, except: offered) != nil } }
      offered.decline(due[0], of: parts[0])
      #expect(waits() == [false, true])
      offered.take(due[1], of: parts[1])
      #expect(waits() == [false, false])
      offered.keepDeclined()
      #expect(waits() == [false, true])
    }
  }

  /// ``Measurer``'s quarter of an hour: the room is listened to, and keys are explained, before the aid's record begins.
  @Test(
    "a record that the aid began before the task or more than a quarter of an hour after is the person's own",
    arguments: [(-0.1, 0), (0, 1), (15, 1), (15.1, 0), (300, 0)])
  func ownRecords(minutes: Double, taken: Int) throws {
    try Evening.with { own, at in
      _ = try Evening.measure(own, FakeProgram([.success(FakeProgram.end(nil, ""))]), "left")
      let part = try #require(try at(400).all().first)
      let history = AidReport.history(("r1", "loudness", minutes, true))
      #expect(
        try Measurer(at(400), FakeProgram([], history: history), person: Script([])).recover(part) == taken)
    }
  }

  @Test(
    "a result that the database could not take is said not to be saved, and taken from the aid the next time"
  )
  func unsaved() throws {
    try Evening.with { own, at in
      let (database, session) = (own.database, own.session)
      let program = FakeProgram(
        [.success(FakeProgram.end(0, AidReport.loudness()))],
        meanwhile: {
          let full = Statement(
            "CREATE TRIGGER full BEFORE INSERT ON task_end BEGIN SELECT RAISE(ABORT, 'no room'); END")
          _ = try? database.once(session, full, [:])
        })
      #expect { try Evening.measure(own, program, "left") } throws: { "\($0)".hasPrefix("not saved:") }
      #expect(try own.all().first?.measurements.map(\.end) == [nil])
      _ = try database.once(session, Statement("DROP TRIGGER full"), [:])
      let part = try #require(try at(5).all().first)
      let history = AidReport.history(("r1", "loudness", 0.1, true))
      let taken = try Measurer(at(5), FakeProgram([], history: history), person: Script([])).recover(part)
      #expect(try taken == 1 && own.all().first?.measurements.map(\.isMeasured) == [true])
    }
  }
}
