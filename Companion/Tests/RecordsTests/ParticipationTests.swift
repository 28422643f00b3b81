import Almanac
import Base
import Foundation
import Questionnaires
import Records
import RecordsTesting
import SQLiteRecords
import Synchronization
import Testing

/// A part in a study of one questionnaire, whose second question is shown after a yes.
private struct Part {
  let store: TestDatabase
  let responses: Responses
  let enrolment: Enrolment
  let outline: Outline
  var response: Response

  static let questionnaire = Questionnaire(
    url: "urn:test:q", version: "1", title: "Test",
    items: [
      Item("slept", "Did you sleep?", .yesNo, isRequired: true),
      Item(
        "hours", "How long?", .number(NumberRange(0, 24, step: 0.5)), isRequired: true,
        when: [Condition("slept", .equal, .yes(true))]),
      Item(
        "naps", "Naps", .group(repeats: 3),
        items: [
          Item("when", "When?", .time),
          Item("why", "Why?", .multiple([Option("t", "Tired"), Option("b", "Bored")], other: true)),
        ]),
    ])
  /// 1000 to 2000 ms, this moment left out.
  static let occurrence = Occurrence(
    id: "log/2026-03-29/1", date: CalendarDate(year: 2026, month: 3, day: 29)!, number: 1,
    opens: Instant(milliseconds: 1000), closes: Instant(milliseconds: 2000), zoneName: "Europe/Berlin",
    remark: nil)

  init(_ store: TestDatabase, opened now: Int = 1000) throws {
    self.store = store
    let version = StudyVersion(study: "urn:test:s", version: "1", signer: "own", content: [1, 2, 3])
    try StudyVersions(store.database).keep(version, .at(500))
    enrolment = try Enrolments(store.database).begin(
      "e1", version: version.sha256, on: Self.occurrence.date, in: "Europe/Berlin", seed: .max, .at(600))
    responses = Responses(store.database)
    outline = try Outline(Self.questionnaire)
    response = try responses.open("r1", Self.occurrence, of: "e1", outline, .at(now))
  }

  mutating func answer(
    _ value: AnswerValue, _ key: AnswerKey, at now: Int, _ subject: String = "ada"
  ) throws(ParticipationError) {
    try responses.answer(value, for: key, took: 7, in: &response, .at(now, subject))
  }

  /// As the database has it.
  func kept() throws -> Response { try responses.open("r2", Self.occurrence, of: "e1", outline, .at(1999)) }
}

@Suite("Answers, on both engines") struct ParticipationTests {
  @Test(
    "each answer is kept as it is given, with times, changes and milliseconds; a program that begins again has them all",
    arguments: TestDatabase.engines)
  func kept(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      var part = try Part(store)
      part.response.show(AnswerKey("slept"), at: Instant(milliseconds: 1001))
      try part.answer(.yes(false), AnswerKey("slept"), at: 1010)
      try part.answer(.yes(true), AnswerKey("slept"), at: 1020)
      try part.answer(.yes(true), AnswerKey("slept"), at: 1030)
      try part.answer(.number(7.5), AnswerKey("hours"), at: 1040)
      try part.responses.repeatGroup(AnswerKey("naps"), 2, in: &part.response, .at(1041))
      try part.answer(.time(LocalTime("14:00")!), AnswerKey("when", [1]), at: 1050)
      try part.answer(.choices(["b", "t"], other: "it's \"hot\" :x $1 耳"), AnswerKey("why", [1]), at: 1060)
      let kept = try part.kept()
      #expect(
        kept.id == "r1" && kept.sheet.answers.count == 4 && kept.sheet.repetitions == [AnswerKey("naps"): 2]
      )
      #expect(
        kept.sheet.answers[AnswerKey("slept")]
          == .init(
            value: .yes(true), shown: Instant(milliseconds: 1001), answered: Instant(milliseconds: 1030),
            changes: 1, took: 7))
      #expect(kept.sheet[AnswerKey("why", [1])] == .choices(["b", "t"], other: "it's \"hot\" :x $1 耳"))
      #expect(kept.sheet.answers == part.response.sheet.answers)
    }
  }

  @Test("a clock that was set back leaves times in their order", arguments: TestDatabase.engines)
  func setBack(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      var part = try Part(store)
      try part.answer(.yes(false), AnswerKey("slept"), at: 1500)
      try part.answer(.yes(true), AnswerKey("slept"), at: 1100)
      let answer = try #require(try part.kept().sheet.answers[AnswerKey("slept")])
      #expect(answer.answered == Instant(milliseconds: 1500) && answer.changes == 1)
      #expect(part.response.sheet.answers[AnswerKey("slept")] == answer)
    }
  }

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

  @Test(
    "an answer that is not one, to a hidden question or to an unknown one is refused with what was found; the others stay",
    arguments: TestDatabase.engines)
  func refused(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      var part = try Part(store)
      try part.answer(.yes(false), AnswerKey("slept"), at: 1010)
      for (value, key, item) in [
        (.number(7), AnswerKey("hours"), "hours"), (.number(1), AnswerKey("slept"), "slept"),
        (.yes(true), AnswerKey("nothing"), "nothing"),
        (.time(LocalTime("00:00")!), AnswerKey("when", [3]), "when"),
      ] as [(AnswerValue, AnswerKey, String)] {
        do {
          try part.answer(value, key, at: 1020)
          Issue.record("\(item) was taken")
        } catch ParticipationError.answer(let refusal) { #expect(refusal.item == item) }
      }
      try part.answer(.yes(true), AnswerKey("slept"), at: 1030)
      #expect(throws: ParticipationError.self) {
        try part.answer(.number(24.5), AnswerKey("hours"), at: 1040)
      }
      #expect(try part.kept().sheet.answers.count == 1)
    }
  }

  @Test(
    "an answer that became hidden stays kept, apart from what leaves, and comes back with the question",
    arguments: TestDatabase.engines)
  func hidden(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      var part = try Part(store)
      try part.answer(.yes(true), AnswerKey("slept"), at: 1010)
      try part.answer(.number(8), AnswerKey("hours"), at: 1020)
      try part.answer(.yes(false), AnswerKey("slept"), at: 1030)
      #expect(try part.kept().display.submitted.map(\.key.item) == ["slept"])
      #expect(try part.kept().sheet.answers.count == 2)
      try part.answer(.yes(true), AnswerKey("slept"), at: 1040)
      #expect(try part.kept().display.submitted.map(\.key.item) == ["slept", "hours"])
    }
  }

  @Test(
    "a second before it opens and at its end a questionnaire is not begun; a ms after opening and before the end it is",
    arguments: TestDatabase.engines, [(0, false), (999, false), (1000, true), (1999, true), (2000, false)])
  func window(engine: Engine, at: (now: Int, opens: Bool)) throws {
    try TestDatabase.with(engine) { store in
      if at.opens {
        _ = try Part(store, opened: at.now)
      } else {
        #expect(
          throws: ParticipationError.outsideWindow(
            opens: Instant(milliseconds: 1000), closes: Instant(milliseconds: 2000), zone: "Europe/Berlin",
            now: Instant(milliseconds: at.now))
        ) { try Part(store, opened: at.now) }
      }
    }
  }

  @Test(
    "begun in time, an answer at the end is refused, and what was answered is still there to read",
    arguments: TestDatabase.engines)
  func late(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      var part = try Part(store)
      try part.answer(.yes(true), AnswerKey("slept"), at: 1999)
      #expect(throws: ParticipationError.self) { try part.answer(.number(8), AnswerKey("hours"), at: 2000) }
      #expect(part.response.sheet[AnswerKey("hours")] == nil)
      let read = try part.responses.open("r9", Part.occurrence, of: "e1", part.outline, .at(5000))
      #expect(read.id == "r1" && read.sheet.answers.count == 1)
    }
  }

  @Test(
    "complete needs the required questions that are shown, and closes the answers; a part that ended closes them too",
    arguments: TestDatabase.engines)
  func complete(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      var part = try Part(store)
      try part.answer(.yes(true), AnswerKey("slept"), at: 1010)
      #expect(throws: ParticipationError.incomplete(["hours"])) {
        try part.responses.complete(&part.response, .at(1020))
      }
      try part.answer(.yes(false), AnswerKey("slept"), at: 1030)
      try part.responses.complete(&part.response, .at(1040))
      #expect(try part.kept().completed == Instant(milliseconds: 1040))
      #expect(throws: ParticipationError.completed(Instant(milliseconds: 1040))) {
        try part.answer(.yes(true), AnswerKey("slept"), at: 1050)
      }
      try Enrolments(store.database).end(part.enrolment, .withdrawn, .at(1060))
      #expect(throws: ParticipationError.ended(Instant(milliseconds: 1060))) {
        try part.answer(.yes(true), AnswerKey("slept"), at: 1070)
      }
      let other = Occurrence(
        id: "log/2026-03-30/1", date: Part.occurrence.date, number: 1, opens: Instant(milliseconds: 1000),
        closes: Instant(milliseconds: 9000), zoneName: "UTC", remark: nil)
      #expect(throws: ParticipationError.ended(Instant(milliseconds: 1060))) {
        try part.responses.open("r3", other, of: "e1", part.outline, .at(1080))
      }
    }
  }

  @Test(
    "somebody else neither reads nor changes a response, and nobody does", arguments: TestDatabase.engines,
    ["eve", nil])
  func others(engine: Engine, subject: String?) throws {
    try TestDatabase.with(engine) { store in
      var part = try Part(store)
      try part.answer(.yes(false), AnswerKey("slept"), at: 1010)
      #expect(throws: ParticipationError.unknown("response r1 of yours")) {
        try part.responses.answer(
          .yes(true), for: AnswerKey("slept"), in: &part.response, .at(1020, subject))
      }
      #expect(throws: ParticipationError.unknown("part e1 of yours")) {
        try part.responses.open("r5", Part.occurrence, of: "e1", part.outline, .at(1030, subject))
      }
      #expect(try Enrolments(store.database).all(.at(1040, subject)).isEmpty)
      #expect(try part.kept().sheet[AnswerKey("slept")] == .yes(false))
    }
  }

  @Test(
    "answers to another version of the questionnaire are not read as this one's",
    arguments: TestDatabase.engines)
  func pastVersion(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let part = try Part(store)
      var newer = Part.questionnaire
      newer.version = "2"
      let outline = try Outline(newer)
      #expect(throws: ParticipationError.pastVersion(found: "2", expected: "1")) {
        try part.responses.open("r2", Part.occurrence, of: "e1", outline, .at(1100))
      }
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

@Suite("Parts in studies, on both engines") struct EnrolmentTests {
  @Test(
    "the same version with other content is refused and named; the same content again is the same",
    arguments: TestDatabase.engines)
  func versions(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let versions = StudyVersions(store.database)
      let first = StudyVersion(study: "urn:s", version: "1", signer: "k", content: Array(0...255))
      for moment in 1...2 { try versions.keep(first, .at(moment)) }
      #expect(try versions.version(first.sha256, .at(3)) == first)
      let changed = StudyVersion(study: "urn:s", version: "1", signer: "k", content: [0])
      #expect(throws: ParticipationError.otherContent(study: "urn:s", version: "1", kept: first.sha256)) {
        try versions.keep(changed, .at(4))
      }
      #expect(try versions.all(.at(5)).map(\.added) == [Instant(milliseconds: 1)])
    }
  }

  @Test(
    "a part is begun once, keeps its seed, its first day and its zones, and its version although another is added",
    arguments: TestDatabase.engines)
  func parts(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let (versions, enrolments) = (StudyVersions(store.database), Enrolments(store.database))
      let first = StudyVersion(study: "urn:s", version: "1", signer: "k", content: [1])
      try versions.keep(first, .at(1))
      let day = try #require(CalendarDate("2028-02-29"))
      let part = try enrolments.begin(
        "e", version: first.sha256, on: day, in: "Pacific/Chatham", seed: 1 << 63, .at(2))
      let again = try enrolments.begin("f", version: first.sha256, on: day, in: "UTC", seed: 0, .at(3))
      #expect(part == again && part.id == "e" && part.seed == 1 << 63 && part.firstDate == day)
      try versions.keep(StudyVersion(study: "urn:s", version: "2", signer: "k", content: [2]), .at(4))
      try enrolments.move(part, to: "Asia/Kolkata", .at(5))
      let found = try #require(try enrolments.all(.at(6)).first)
      #expect(found.studyVersion == first.sha256)
      #expect(found.stays.map(\.zone) == ["Pacific/Chatham", "Asia/Kolkata"])
      #expect(throws: ParticipationError.self) {
        try enrolments.begin(
          "g", version: String(repeating: "0", count: 64), on: day, in: "UTC", seed: 0, .at(7))
      }
      #expect(throws: ParticipationError.self) { try enrolments.move(part, to: "UTC", .at(8, "eve")) }
    }
  }
}
