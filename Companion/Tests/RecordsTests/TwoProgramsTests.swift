import Almanac
import Foundation
import Questionnaires
import Records
import RecordsTesting
import SQLiteRecords
import Synchronization
import Testing

@Suite("Answers of two programs, on both engines") struct TwoProgramsTests {
  @Test(
    "an answer that another program gave meanwhile is not replaced unseen; the same answer again is no conflict",
    arguments: TestDatabase.engines)
  func elsewhere(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      var mine = try Part(store)
      var theirs = mine
      try theirs.answer(.yes(true), AnswerKey("slept"), at: 1010)
      #expect(throws: ParticipationError.changedElsewhere("slept")) {
        try mine.answer(.yes(false), AnswerKey("slept"), at: 1020)
      }
      #expect(try mine.kept().sheet[AnswerKey("slept")] == .yes(true))
      #expect(mine.response.sheet.answers.isEmpty)
      // The same answer is one that was sent twice.
      try mine.answer(.yes(true), AnswerKey("slept"), at: 1030)
      try theirs.answer(.yes(false), AnswerKey("slept"), at: 1040)
      #expect(throws: ParticipationError.changedElsewhere("slept")) {
        try mine.responses.answer(
          .yes(true), for: AnswerKey("slept"), isAlarming: true, in: &mine.response, .at(1050))
      }
      #expect(try Alerts(store.database).all(.at(1050)).isEmpty)
      // Looked at, it is changed.
      try mine.responses.reload(&mine.response, .at(1060))
      #expect(mine.response.sheet[AnswerKey("slept")] == .yes(false))
      try mine.answer(.yes(true), AnswerKey("slept"), at: 1070)
      #expect(try mine.kept().sheet.answers[AnswerKey("slept")]?.changes == 2)
    }
  }

  @Test(
    "nothing is completed over an answer or a repetition that another program gave meanwhile: it may have opened a question",
    arguments: TestDatabase.engines)
  func completedElsewhere(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      var mine = try Part(store)
      try mine.answer(.yes(false), AnswerKey("slept"), at: 1010)
      var theirs = mine
      // Opens the hours, which are required.
      try theirs.answer(.yes(true), AnswerKey("slept"), at: 1020)
      #expect(throws: ParticipationError.changedElsewhere("urn:test:q")) {
        try mine.responses.complete(&mine.response, .at(1030))
      }
      #expect(mine.response.completed == nil)
      #expect(try mine.kept().completed == nil)
      try mine.responses.reload(&mine.response, .at(1040))
      #expect(throws: ParticipationError.incomplete(["hours"])) {
        try mine.responses.complete(&mine.response, .at(1050))
      }
      try mine.answer(.number(8), AnswerKey("hours"), at: 1060)
      try theirs.responses.repeatGroup(AnswerKey("naps"), 2, in: &theirs.response, .at(1070))
      #expect(throws: ParticipationError.changedElsewhere("urn:test:q")) {
        try mine.responses.complete(&mine.response, .at(1080))
      }
      try mine.responses.reload(&mine.response, .at(1090))
      // The same answer again changes nothing.
      try theirs.answer(.yes(true), AnswerKey("slept"), at: 1100)
      try mine.responses.complete(&mine.response, .at(1110))
      #expect(mine.response.completed == Instant(milliseconds: 1110))
      #expect(try mine.kept().completed == Instant(milliseconds: 1110))
    }
  }

  @Test(
    "a number of repetitions that another program has changed is not replaced unseen; the same number again is no conflict",
    arguments: TestDatabase.engines)
  func repeatedElsewhere(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      var mine = try Part(store)
      var theirs = mine
      let naps = AnswerKey("naps")
      for count in 2...3 {
        try theirs.responses.repeatGroup(naps, count, in: &theirs.response, .at(1008 + count))
      }
      try theirs.answer(.time(LocalTime("14:00")!), AnswerKey("when", [2]), at: 1020)
      #expect(throws: ParticipationError.changedElsewhere("naps")) {
        try mine.responses.repeatGroup(naps, 2, in: &mine.response, .at(1030))
      }
      #expect(mine.response.sheet.repetitions.isEmpty)
      #expect(try mine.kept().sheet.repetitions == [naps: 3])
      #expect(try mine.kept().display.submitted.map(\.key) == [AnswerKey("when", [2])])
      // One that was sent twice.
      try mine.responses.repeatGroup(naps, 3, in: &mine.response, .at(1040))
      #expect(mine.response.sheet.repetitions == [naps: 3])
      // The answer in the third is one that this program has not seen.
      #expect(throws: ParticipationError.changedElsewhere("naps")) {
        try mine.responses.repeatGroup(naps, 2, in: &mine.response, .at(1050))
      }
      #expect(try mine.kept().sheet.repetitions == [naps: 3])
      try mine.responses.reload(&mine.response, .at(1060))
      try mine.responses.leaveOut(AnswerKey("when", [2]), in: &mine.response, .at(1070))
      try mine.responses.repeatGroup(naps, 2, in: &mine.response, .at(1080))
      #expect(try mine.kept().sheet.repetitions == [naps: 2])
      // Nobody has changed it when its window closes.
      #expect(
        throws: ParticipationError.outsideWindow(
          opens: Instant(milliseconds: 1000), closes: Instant(milliseconds: 2000), zone: "Europe/Berlin",
          now: Instant(milliseconds: 2000))
      ) { try mine.responses.repeatGroup(naps, 3, in: &mine.response, .at(2000)) }
      #expect(mine.response.sheet.repetitions == [naps: 2])
    }
  }

  @Test("two programs on one response: the answers of both are kept", arguments: TestDatabase.engines)
  func together(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      var part = try Part(store)
      let other = Responses(try store.another())
      var theirs = try other.open("r2", Part.occurrence, of: "e1", part.outline, .at(1010))
      try part.answer(.yes(true), AnswerKey("slept"), at: 1020)
      try other.answer(.yes(true), for: AnswerKey("slept"), in: &theirs, .at(1030))
      try other.answer(.number(6), for: AnswerKey("hours"), in: &theirs, .at(1040))
      let kept = try part.kept()
      #expect(
        kept.sheet.answers[AnswerKey("slept")]?.changes == 0 && kept.sheet[AnswerKey("hours")] == .number(6)
      )
    }
  }

  @Test(
    "two programs that begin one questionnaire at once have the same response",
    arguments: TestDatabase.engines)
  func begunAtOnce(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let part = try Part(store)
      let other = Occurrence(
        id: "log/2026-03-30/1", date: Part.occurrence.date, number: 2, opens: Part.occurrence.opens,
        closes: Part.occurrence.closes, zoneName: "UTC", remark: nil)
      let found = Mutex<[String]>([])
      let all = DispatchGroup()
      let outline = part.outline
      for number in 1...6 {
        all.enter()
        Thread.detachNewThread {
          defer { all.leave() }
          let id: String
          do {
            let database: any Records.Database =
              engine == .sqlite ? try SQLiteDatabase(path: store.place, patience: 60) : try store.another()
            id = try Responses(database).open("new\(number)", other, of: "e1", outline, .at(1010)).id
          } catch { id = "\(number): \(error)" }
          found.withLock { $0.append(id) }
        }
      }
      all.wait()
      let ids = found.withLock { $0 }
      #expect(ids.count == 6 && Set(ids).count == 1 && ids.first?.hasPrefix("new") == true, "\(ids)")
    }
  }
}
