import Almanac
import Questionnaires
import Records
import RecordsTesting
import Testing

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

  @Test(
    "several choices leave in the order of their options, also those that were kept in another one, and the same ones given again are no change",
    arguments: TestDatabase.engines)
  func order(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      var part = try Part(store)
      let key = AnswerKey("why", [0])
      try part.answer(.choices(["b", "t"], other: "x"), key, at: 1010)
      try part.answer(.choices(["t", "b"], other: "x"), key, at: 1020)
      let kept = try part.kept()
      for response in [part.response, kept] {
        let answer = try #require(response.given.sheet.answers[key])
        #expect(answer.value == .choices(["t", "b"], other: "x") && answer.changes == 0)
        #expect(answer.answered == Instant(milliseconds: 1020))
      }
      // Others are a change, and are taken by a program that has seen these.
      try part.answer(.choices(["t"], other: "x"), key, at: 1030)
      let changed = try #require(try part.kept().given.sheet.answers[key])
      #expect(changed.value == .choices(["t"], other: "x") && changed.changes == 1)
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
}
