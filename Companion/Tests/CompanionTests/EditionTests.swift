import Almanac
import Base
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

@Suite("Consent and later editions, on both engines") struct EditionTests {
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
      try own.tick("sound", isGiven: true, in: own.onlyPart())
      #expect(try own.onlyPart().due(at: Home.morning).map(\.task.id) == ["mood", "room"])
      try own.tick("sound", isGiven: false, in: own.onlyPart())
      #expect(try own.onlyPart().due(at: Home.morning).map(\.task.id) == ["mood"])
      #expect(throws: Failure.self) { try own.tick("answers", isGiven: false, in: own.onlyPart()) }
      #expect(throws: Failure.self) { try own.tick("all", isGiven: true, in: own.onlyPart()) }
      // The same again is not another row.
      try own.tick("sound", isGiven: false, in: own.onlyPart())
      #expect(try own.onlyPart().consents[0].ticks.count == 4)
    }
  }

  @Test(
    "an edition that changes nothing of what was agreed to waits for the person, and is taken without another consent",
    arguments: TestDatabase.engines)
  func notMaterial(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      _ = try own.begin(study.version(), under: study.agreement())
      let next = SiteStudy.later { $0.study.title = "Site, again" }
      let offer = try own.offer(next.version(), next.bundle(), to: own.onlyPart())
      #expect(offer.material.isEmpty && !offer.asksForConsent)
      let waiting = try own.onlyPart()
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
      let next = SiteStudy.later {
        $0.study.dayCount = 9
        $0.consent = "We ask for your answers for nine days.\n"
      }
      let offer = try own.offer(next.version(), next.bundle(), to: own.onlyPart())
      #expect(offer.material == ["duration-days", "texts"] && offer.asksForConsent)
      #expect(
        MaterialChanges.words(offer.bundle, since: try study.bundle(), in: "en") == [
          "It lasts 9 days; it was 3.", "The text to which you agree is another.",
        ])
      // No consent, and consent to the former text, move nothing.
      for agreement in [nil, try study.agreement()] {
        #expect(throws: Failure.self) { try own.take(offer, of: own.onlyPart(), under: agreement) }
      }
      #expect(try own.onlyPart().study.version == "1.0.0")
      try own.refuse(offer, of: own.onlyPart(), ending: false)
      let kept = try own.onlyPart()
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
      let next = SiteStudy.later { $0.study.title = "Site, again" }
      let offer = try own.offer(next.version(), next.bundle(), to: part)
      let moved = try home.own(5).take(offer, of: own.onlyPart(), under: nil)
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
      let next = SiteStudy.later { $0.study.texts.removeAll { $0.id == "consent" } }
      let offer = try own.offer(next.version(), next.bundle(), to: own.onlyPart())
      #expect(!offer.asksForConsent)
      let moved = try own.take(offer, of: own.onlyPart(), under: nil)
      #expect(moved.study.version == "1.1.0" && moved.course.kinds == ["answers"])
      #expect(moved.due(at: Home.morning).map(\.task.id) == ["mood"])
    }
  }

  @Test(
    "a zone that the system does not know is kept neither with an edition nor, after the end, with a kind",
    arguments: TestDatabase.engines)
  func unknownZone(engine: Engine) throws {
    try Home.withPart(engine) { _, own in
      var surroundings = own.surroundings
      surroundings.zone = "Mars/Base"
      let lost = OwnParts(own.database, surroundings)
      func status(_ body: () throws(Failure) -> Void) -> Base.ExitStatus? {
        do throws(Failure) {
          try body()
          return nil
        } catch { return error.exitStatus }
      }
      let next = SiteStudy.later { $0.study.title = "Site, again" }
      let offer = try own.offer(next.version(), next.bundle(), to: own.onlyPart())
      let part = try own.onlyPart()
      let taken = status { () throws(Failure) in _ = try lost.take(offer, of: part, under: nil) }
      #expect(taken == .configuration)
      #expect(try own.onlyPart().study.version == "1.0.0")
      try Enrolments(own.database).end(part.enrolment, .withdrawn, own.session)
      let ended = try own.onlyPart()
      let withdrawn = status { () throws(Failure) in try lost.tick("sound", isGiven: false, in: ended) }
      #expect(withdrawn == .configuration)
      let consents = try own.onlyPart().consents
      #expect(consents.map(\.zone) == ["UTC"] && consents.map(\.givenKinds) == [["answers", "sound"]])
      #expect(consents.flatMap(\.ticks).map(\.zone) == ["UTC", "UTC"])
      // In one that it knows the kind is withdrawn.
      try own.tick("sound", isGiven: false, in: ended)
      #expect(try own.onlyPart().consents.map(\.givenKinds) == [["answers"]])
    }
  }

  /// Every 12 hours from 08:00 number 1 of a day is 08:00; every 6 hours it is 02:00.
  @Test(
    "an edition that was offered before it was found to give old answers another meaning is not taken, with the same words; it is refused as any other",
    arguments: TestDatabase.engines)
  func offeredBefore(engine: Engine) throws {
    func every(_ seconds: Int) -> (inout SiteStudy) -> Void {
      let rule = Plan.Rule.interval(seconds: seconds, from: LocalTime("08:00")!, openFor: 3600)
      return { $0.study.tasks[0].schedule.rule = rule }
    }
    var study = SiteStudy()
    every(43_200)(&study)
    try Home.withPart(engine, study) { _, own in
      let next = SiteStudy.later(every(21_600))
      let begun = try own.onlyPart()
      try Editions(own.database).offer(next.version(), to: begun.enrolment, own.session)
      let waiting = try own.onlyPart()
      let offer = try #require(waiting.offer)
      let words = "It cannot follow version 1.0.0: error: study.json, tasks[0].schedule: it is due every"
      do throws(Failure) {
        _ = try own.take(offer, of: waiting, under: nil)
        Issue.record("it was taken")
      } catch {
        #expect(error.exitStatus == .badData && error.message.contains(words))
        #expect(error.remedy?.contains("You keep version 1.0.0.") == true)
        #expect(error.remedy?.contains("auricle study renew --refuse") == true)
      }
      let kept = try own.onlyPart()
      #expect(kept.study.version == "1.0.0" && kept.offer?.version == offer.version)
      try own.refuse(offer, of: kept, ending: false)
      #expect(try own.onlyPart().offer == nil)
    }
  }

  @Test("refused with the end of the part, it is ended in the same step", arguments: TestDatabase.engines)
  func ended(engine: Engine) throws {
    try Home.with(engine) { home in
      let (own, study) = (try home.own(), SiteStudy())
      _ = try own.begin(study.version(), under: study.agreement())
      let next = SiteStudy.later { $0.study.dayCount = 9 }
      let offer = try own.offer(next.version(), next.bundle(), to: own.onlyPart())
      try own.refuse(offer, of: own.onlyPart(), ending: true)
      #expect(try own.onlyPart().enrolment.ending == .withdrawn && own.onlyPart().offer == nil)
    }
  }

  @Test(
    "after the end of a part in 1.1.0 neither that version nor 1.0.0, which it had before, is begun; a later one is",
    arguments: TestDatabase.engines)
  func afterTheEnd(engine: Engine) throws {
    try Home.withPart(engine) { _, own in
      let (first, next) = (SiteStudy(), SiteStudy.later { $0.study.title = "Site, again" })
      let offer = try own.offer(next.version(), next.bundle(), to: own.onlyPart())
      let moved = try own.take(offer, of: own.onlyPart(), under: nil)
      // While it goes on another refusal says so.
      #expect(try own.all().endedPart(notBefore: first.study) == nil)
      try Enrolments(own.database).end(moved.enrolment, .withdrawn, own.session)
      let parts = try own.all()
      for study in [SiteStudy(version: "0.9").study, first.study, next.study] {
        #expect(parts.endedPart(notBefore: study)?.study.version == "1.1.0", "\(study.version)")
      }
      var other = first.study
      other.id = "urn:test:other"
      for study in [SiteStudy(version: "1.1.1").study, SiteStudy(version: "1.10").study, other] {
        #expect(parts.endedPart(notBefore: study) == nil, "\(study.version)")
      }
    }
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
      let stranger = SiteStudy.later()
      let other = SiteStudy.later { $0.study.id = "urn:test:other" }
      let renamed = SiteStudy.later { $0.items["phq-9"]![0].kind = .yesNo }
      for (study, signer) in [
        (older, "site"), (study, "site"), (stranger, "stranger"), (other, "site"), (renamed, "site"),
      ] {
        #expect(throws: Failure.self, "\(study.study.version) \(signer)") {
          try own.offer(study.version(signer: signer), study.bundle(), to: own.onlyPart())
        }
      }
      #expect(try own.onlyPart().offer == nil)
    }
  }
}
