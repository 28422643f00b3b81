import Almanac
import Base
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

@Suite("Consent and later editions, on both engines") struct EditionTests {
  static func later(_ change: (inout SiteStudy) -> Void = { _ in }) -> SiteStudy {
    var study = SiteStudy(version: "1.1.0")
    change(&study)
    return study
  }

  /// The person's only part.
  private static func part(_ own: OwnParts) throws -> Part { try #require(try own.all().first) }

  @Test(
    "without consent nobody takes part, nor with consent to another text", arguments: TestDatabase.engines)
  func needed(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      var other = study
      other.consent = "We ask for everything.\n"
      for agreement in [nil, try other.agreement()] {
        #expect(throws: Failure.self) { try own.begin(study.version(), under: agreement) }
        #expect(try own.all().isEmpty)
      }
      let part = try own.begin(study.version(), under: study.agreement(giving: ["answers"]))
      #expect(part.consents.map(\.givenKinds) == [["answers"]])
      // A kind that is not given is not asked for.
      #expect(part.due(at: Home.morning).map(\.task.id) == ["mood"])
    }
  }

  @Test(
    "a kind is given and taken back as the person likes; one without which nobody takes part is not",
    arguments: TestDatabase.engines)
  func ticks(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      _ = try own.begin(study.version(), under: study.agreement(giving: ["answers"]))
      try own.tick("sound", isGiven: true, in: Self.part(own))
      #expect(try Self.part(own).due(at: Home.morning).map(\.task.id) == ["mood", "room"])
      try own.tick("sound", isGiven: false, in: Self.part(own))
      #expect(try Self.part(own).due(at: Home.morning).map(\.task.id) == ["mood"])
      #expect(throws: Failure.self) { try own.tick("answers", isGiven: false, in: Self.part(own)) }
      #expect(throws: Failure.self) { try own.tick("all", isGiven: true, in: Self.part(own)) }
      // The same again is not another row.
      try own.tick("sound", isGiven: false, in: Self.part(own))
      #expect(try Self.part(own).consents[0].ticks.count == 4)
    }
  }

  @Test(
    "an edition that changes nothing of what was agreed to waits for the person, and is taken without another consent",
    arguments: TestDatabase.engines)
  func notMaterial(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      _ = try own.begin(study.version(), under: study.agreement())
      let next = Self.later { $0.study.title = "Site, again" }
      let offer = try own.offer(next.version(), next.bundle(), to: Self.part(own))
      #expect(offer.material.isEmpty && !offer.asksForConsent)
      let waiting = try Self.part(own)
      #expect(waiting.study.version == "1.0.0" && waiting.offer?.version == offer.version)
      let moved = try own.take(offer, of: waiting, under: nil)
      #expect(moved.study.version == "1.1.0" && moved.consents.count == 1 && moved.offer == nil)
      #expect(moved.enrolment.id == waiting.enrolment.id && moved.course.kinds == ["answers", "sound"])
    }
  }

  @Test(
    "an edition that changes something of it is taken with another consent alone; refused, the part goes on as it was",
    arguments: TestDatabase.engines)
  func material(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      _ = try own.begin(study.version(), under: study.agreement())
      let next = Self.later {
        $0.study.dayCount = 9
        $0.consent = "We ask for your answers for nine days.\n"
      }
      let offer = try own.offer(next.version(), next.bundle(), to: Self.part(own))
      #expect(offer.material == ["duration-days", "texts"] && offer.asksForConsent)
      #expect(
        MaterialChanges.words(offer.bundle, since: try study.bundle(), in: "en") == [
          "It lasts 9 days; it was 3.", "The text to which you agree is another.",
        ])
      // No consent, and consent to the former text, move nothing.
      for agreement in [nil, try study.agreement()] {
        #expect(throws: Failure.self) { try own.take(offer, of: Self.part(own), under: agreement) }
      }
      #expect(try Self.part(own).study.version == "1.0.0")
      try own.refuse(offer, of: Self.part(own), ending: false)
      let kept = try Self.part(own)
      #expect(kept.study.version == "1.0.0" && kept.offer == nil && kept.enrolment.ended == nil)
      // Offered again, it can be agreed to.
      let again = try own.offer(next.version(), next.bundle(), to: kept)
      let moved = try home.own(5).take(again, of: kept, under: next.agreement(giving: ["answers"]))
      #expect(moved.study.version == "1.1.0" && moved.course.kinds == ["answers"])
      #expect(moved.consents.map(\.number) == [1, 2] && moved.consents[0].givenKinds.count == 2)
      #expect(moved.consents[1].given == Home.morning + 5 * 3600)
    }
  }

  @Test(
    "a part tells the versions that it had before, each with the moment at which the next one was taken",
    arguments: TestDatabase.engines)
  func formerVersions(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      let part = try own.begin(study.version(), under: study.agreement())
      #expect(part.formerVersions.isEmpty)
      let next = Self.later { $0.study.title = "Site, again" }
      let offer = try own.offer(next.version(), next.bundle(), to: part)
      let moved = try home.own(5).take(offer, of: Self.part(own), under: nil)
      #expect(moved.formerVersions.map(\.content.study.version) == ["1.0.0"])
      #expect(moved.formerVersions.map(\.until) == [Home.morning + 5 * 3600])
    }
  }

  @Test(
    "a kind that was not given stays so in an edition that asks for no consent",
    arguments: TestDatabase.engines)
  func withoutConsent(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      _ = try own.begin(study.version(), under: study.agreement(giving: ["answers"]))
      let next = Self.later { $0.study.texts.removeAll { $0.id == "consent" } }
      let offer = try own.offer(next.version(), next.bundle(), to: Self.part(own))
      #expect(!offer.asksForConsent)
      let moved = try own.take(offer, of: Self.part(own), under: nil)
      #expect(moved.study.version == "1.1.0" && moved.course.kinds == ["answers"])
      #expect(moved.due(at: Home.morning).map(\.task.id) == ["mood"])
    }
  }

  @Test(
    "one person's damaged answer leaves that person out of everybody's parts, by name, and nobody else",
    arguments: TestDatabase.engines)
  func damaged(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      let part = try own.begin(study.version(), under: study.agreement())
      try own.take(.answer(AnswerKey("phq-9.1"), "2", took: nil), in: own.running())
      let (ben, begun) = try study.begunByBen(beside: part, own)
      var response = begun
      try Responses(own.database).answer(.choice("2"), for: AnswerKey("phq-9.1"), in: &response, ben)
      let all = OwnParts(try home.store.logged(in: "auricle_export"), own.surroundings)
      #expect(try all.everybody().parts.count == 2)
      let damage = Statement("UPDATE answer SET value = 'x' WHERE response = 'r'")
      _ = try home.store.administrator().once(.at(0), damage, [:])
      let (parts, unreadable) = try all.everybody()
      #expect(parts.map(\.enrolment.id) == [part.enrolment.id])
      #expect(unreadable.map(\.part) == ["b"] && unreadable[0].failure.exitStatus == .badData)
    }
  }

  @Test("refused with the end of the part, it is ended in the same step", arguments: TestDatabase.engines)
  func ended(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      _ = try own.begin(study.version(), under: study.agreement())
      let next = Self.later { $0.study.dayCount = 9 }
      let offer = try own.offer(next.version(), next.bundle(), to: Self.part(own))
      try own.refuse(offer, of: Self.part(own), ending: true)
      #expect(try Self.part(own).enrolment.ending == .withdrawn && Self.part(own).offer == nil)
    }
  }

  @Test(
    "answers stay with the version and the questionnaire under which they were begun, also half of them; what begins later has the new one",
    arguments: TestDatabase.engines)
  func answers(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      _ = try own.begin(study.version(), under: study.agreement())
      func answer(_ item: String, _ text: String, at own: OwnParts) throws {
        try own.take(.answer(AnswerKey(item), text, took: nil), in: own.running())
      }
      try answer("phq-9.1", "2", at: own)
      // The new version asks three questions only.
      let next = Self.later {
        $0.study.dayCount = 9
        $0.items["phq-9"] = Array($0.items["phq-9"]!.prefix(2)) + [Item("mood.new", "New?", .yesNo)]
        $0.study.instruments = []
      }
      let offer = try own.offer(next.version(), next.bundle(), to: Self.part(own))
      let moved = try own.take(offer, of: Self.part(own), under: next.agreement())
      #expect(moved.responses.map(\.studyVersion) == [try study.version().sha256])
      // Today's goes on with its nine questions; its answers count, and its item 9 still calls for help.
      for item in 2...8 { try answer("phq-9.\(item)", "0", at: own) }
      try answer("phq-9.9", "1", at: own)
      guard case .help = try own.nextStep(in: own.running()) else {
        Issue.record("no help page")
        return
      }
      try own.take(.helpWasShown, in: own.running())
      try own.take(.complete, in: own.running())
      #expect(try Self.part(own).responses[0].sheet.answers.count == 9)
      // Tomorrow's has the new ones.
      let tomorrow = try home.own(24)
      try answer("mood.new", "yes", at: tomorrow)
      let responses = try Self.part(tomorrow).responses
      #expect(responses.map { Self.name(of: $0.studyVersion, [study, next]) } == ["1.0.0", "1.1.0"])
      #expect(responses.map(\.outline.questionnaire.version) == ["1.0.0", "1.1.0"])
      #expect(throws: StepRefusal.self) { try answer("phq-9.5", "1", at: tomorrow) }
    }
  }

  /// At 11:00 one of the two windows is open.
  @Test(
    "a questionnaire that was begun keeps its window under an edition with another: closed it holds up no other study, and open it is asked",
    arguments: TestDatabase.engines, [("10:00", "14:00", false), ("14:00", "10:00", true)])
  func windows(engine: Engine, closes: (begun: String, later: String, isOpen: Bool)) throws {
    try Home.with(engine) { home in
      func study(_ version: String, until time: String) throws -> SiteStudy {
        var study = SiteStudy(version: version)
        study.study.tasks.removeLast()
        let window = LocalWindow(LocalTime("04:00")!, try #require(LocalTime(time)))
        study.study.tasks[0].schedule = StudySchedule(
          days: 3, .recurring(Recurrence(times: .windows([window]))))
        return study
      }
      let own = try home.own()
      let first = try study("1.0.0", until: closes.begun)
      _ = try own.begin(first.version(), under: first.agreement())
      try own.answer("phq-9.1", "2")
      let next = try study("1.1.0", until: closes.later)
      let offer = try own.offer(next.version(), next.bundle(), to: Self.part(own))
      #expect(!offer.asksForConsent)
      let early = try home.own(1)
      _ = try early.take(offer, of: Self.part(early), under: nil)
      var other = SiteStudy()
      other.study.id = "urn:test:other"
      other.study.tasks.removeFirst()
      _ = try early.begin(other.version(), under: other.agreement())
      // At 09:00 both are.
      let report = try early.report()
      #expect(report.text("study") == SiteStudy.url && report.text("question", "item") == "phq-9.2")
      #expect(report.text("closes") == "2026-03-29T\(closes.begun):00Z")
      let late = try home.own(3)
      let part = try #require(try late.all().first)
      #expect(part.openWork(at: late.surroundings.now()).isEmpty == !closes.isOpen)
      #expect(try late.report().text("study") == (closes.isOpen ? SiteStudy.url : "urn:test:other"))
      do throws(StepRefusal) {
        try late.answer("phq-9.2", "1")
        #expect(closes.isOpen)
      } catch {
        guard case .failed(let failure) = error else {
          Issue.record("\(error)")
          return
        }
        #expect(!closes.isOpen && failure.exitStatus == .temporary)
        #expect(failure.message.contains("after it closed; expected before 2026-03-29T10:00:00Z"))
      }
      #expect(try late.report().text("question", "item") == (closes.isOpen ? "phq-9.3" : "room.loud"))
    }
  }

  /// A study of one task, which is due on its first day alone or on each, open from a time for hours.
  private static func study(
    _ version: String, _ days: Recurrence.Days, from time: String, hours: Int
  ) throws -> SiteStudy {
    var study = SiteStudy(version: version)
    study.study.tasks.removeLast()
    let times = Recurrence.Times.at([try #require(LocalTime(time))], openFor: hours * 3600)
    study.study.tasks[0].schedule = StudySchedule(days: 3, .recurring(Recurrence(days: days, times: times)))
    return study
  }

  /// Somebody who has begun the questionnaire of day 1 and taken a later edition an hour after.
  private static func moved(_ home: Home, from first: SiteStudy, to next: SiteStudy) throws {
    let own = try home.own()
    _ = try own.begin(first.version(), under: first.agreement())
    try own.answer("phq-9.1", "2")
    let offer = try own.offer(next.version(), next.bundle(), to: part(own))
    let early = try home.own(1)
    _ = try early.take(offer, of: part(early), under: nil)
  }

  @Test(
    "a questionnaire that was begun in a window of five days is asked on day 4, where an edition leaves it eight hours",
    arguments: TestDatabase.engines)
  func longWindow(engine: Engine) throws {
    try Home.with(engine) { home in
      func study(_ version: String, hours: Int) throws -> SiteStudy {
        try Self.study(version, .numbered([0]), from: "04:00", hours: hours)
      }
      try Self.moved(home, from: study("1.0.0", hours: 120), to: study("1.1.0", hours: 8))
      let late = try home.own(72)
      #expect(try late.report().text("question", "item") == "phq-9.2")
      try late.answer("phq-9.2", "1")
      #expect(try late.report().text("question", "item") == "phq-9.3")
    }
  }

  @Test(
    "what was begun and has closed does not open again with a later window of an edition: the next opening is tomorrow's",
    arguments: TestDatabase.engines)
  func nextOpening(engine: Engine) throws {
    try Home.with(engine) { home in
      // Until 10:00, and from 12:00 on.
      try Self.moved(
        home, from: Self.study("1.0.0", .every(1), from: "04:00", hours: 6),
        to: Self.study("1.1.0", .every(1), from: "12:00", hours: 2))
      let late = try home.own(3)
      guard case .nothing(.noneOpen(let opens)) = try late.step() else {
        Issue.record("something is open")
        return
      }
      // 28 hours behind 08:00 of day 1.
      #expect(opens == Home.morning + 28 * 3600)
    }
  }

  private static func name(of version: String, _ studies: [SiteStudy]) -> String? {
    studies.first { (try? $0.version().sha256) == version }?.study.version
  }

  @Test(
    "an edition that is older, the same, by another signer, of another study or with other questions under old ids is not offered",
    arguments: TestDatabase.engines)
  func refused(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      _ = try own.begin(study.version(), under: study.agreement())
      var older = SiteStudy(version: "0.9.0")
      older.study.title = "Old"
      let stranger = Self.later()
      let other = Self.later { $0.study.id = "urn:test:other" }
      let renamed = Self.later { $0.items["phq-9"]![0].kind = .yesNo }
      for (study, signer) in [
        (older, "site"), (study, "site"), (stranger, "stranger"), (other, "site"), (renamed, "site"),
      ] {
        #expect(throws: Failure.self, "\(study.study.version) \(signer)") {
          try own.offer(study.version(signer: signer), study.bundle(), to: Self.part(own))
        }
      }
      #expect(try Self.part(own).offer == nil)
    }
  }
}

@Suite("Consent at a terminal") struct ConsentDialogueTests {
  private static func ask(_ lines: String...) throws -> (Agreement?, String) {
    let script = Script(lines)
    let bundle = try SiteStudy().bundle()
    let form = try #require(bundle.consentForm(in: "en"))
    return (ConsentDialogue(script, in: "en").ask(form, of: bundle.study), script.text)
  }

  @Test("who asks, the text, its time and each kind of data are read before anything is agreed to")
  func read() throws {
    let (agreement, said) = try Self.ask("perhaps", "no", "agree")
    for words in [
      "Site, version 1.0.0", "Asked by A University; Ida, ida@example.org", "Five minutes, 3 days",
      "We ask for your answers.", "answers: Your answers (needed)", "sound: Sound (as you like)",
      "Do you give Sound?", "Found \"perhaps\"; expected yes or no.",
    ] { #expect(said.contains(words), "\(words)") }
    #expect(agreement?.ticks.map(\.isGiven) == [true, false])
  }

  @Test(
    "yes to all is no agreement, nor is silence, the end of the lines or q",
    arguments: [["yes", "yes"], ["yes", ""], ["yes"], [], ["q"], ["yes", "agree to nothing"]])
  func not(lines: [String]) throws {
    let script = Script(lines)
    let bundle = try SiteStudy().bundle()
    let form = try #require(bundle.consentForm(in: "en"))
    #expect(ConsentDialogue(script, in: "en").ask(form, of: bundle.study) == nil)
  }

  @Test(
    "a script names the text and each kind; another text, a word for all and a needed kind that is missing are refused"
  )
  func named() throws {
    let form = try #require(try SiteStudy().bundle().consentForm(in: "en"))
    let name = String(form.sha256.prefix(12))
    let agreement = try NamedConsent(text: name, giving: ["answers"]).agreement(to: form)
    #expect(agreement.ticks.map(\.isGiven) == [true, false])
    for (text, kinds) in [
      ("yes", ["answers"]), (String(repeating: "0", count: 64), ["answers"]), (name, []),
      (name, ["sound"]), (name, ["answers", "all"]),
    ] {
      #expect(throws: Failure.self) { try NamedConsent(text: text, giving: kinds).agreement(to: form) }
    }
  }
}
