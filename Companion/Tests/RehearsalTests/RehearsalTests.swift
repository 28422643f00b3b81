import Almanac
import Base
import Exchange
import Foundation
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Rehearsals

/// A study with a daily log, a gateway question on day 1 and a module that a gateway calls for.
private enum Sample {
  static let study: Study = {
    var study = Study(id: "urn:test:study", version: "1", kind: .own, languages: ["en"], title: "T")
    study.dayCount = 12
    study.questionnaires = ["log", "gate", "more", "phq-9", "room"].map {
      QuestionnaireFile($0, file: "\($0).json")
    }
    study.instruments = [StudyInstrument("phq-9", questionnaire: "phq-9")]
    let nightly = StudySchedule(days: 12, .recurring(Recurrence(times: .windows([window]))))
    study.tasks = [
      StudyTask("log", .questionnaire("log"), nightly, minutes: 2, dataType: "answers"),
      StudyTask("day", .modulesOfDay, nightly, minutes: 0, dataType: "answers"),
      StudyTask("room", .questionnaire("room"), nightly, minutes: 1, dataType: "sound"),
    ]
    study.dataTypes = [DataType("answers", "A", isRequired: true), DataType("sound", "S")]
    study.modules = ["gate", "phq-9", "more"].map {
      StudyModule($0, "M", questionnaire: $0, pillar: "p", .gateway, minutes: 4, priority: 1)
    }
    study.days = [StudyDay(1, "D", "D", minutes: 6, modules: ["gate", "phq-9"])]
    study.gateways = [
      Gateway("tired", when: [Condition("gate.tired", .lessOrEqual, .number(5))], modules: ["more"])
    ]
    study.filling = Filling(2...12, mostMinutes: 12, title: "F", summary: "F")
    // Without them PHQ-9 is not asked.
    study.contact = Contact(Person("Ben", email: "ben@example.org"), answersWithin: 24)
    study.texts = ["help", "consent"].map { StudyText($0, files: ["en": "\($0).md"]) }
    study.helpText = "help"
    study.dictionary = [DictionaryEntry("tired", item: "gate.tired")]
    return study
  }()
  private static let window = LocalWindow(LocalTime("04:00")!, LocalTime("04:00")!)

  static let content: Result<StudyContent, any Error> = {
    let tired = Item("gate.tired", "How fit?", .scale(NumberRange(1, 10, step: 1)), isRequired: true)
    let options = (0...3).map { Option("\($0)", "O", points: Double($0)) }
    let items: [String: [Item]] = [
      "log": [
        Item("log.slept", "Slept?", .yesNo, isRequired: true),
        Item(
          "log.hours", "Hours?", .number(NumberRange(0, 24, step: 0.25)),
          when: [Condition("log.slept", .equal, .yes(true))]),
        Item("log.note", "A \"note\", please", .text(maxLength: 80)),
      ], "gate": [tired],
      "more": [
        Item(
          "more.why", "Why?", .multiple([Option("a", "A"), Option("b", "B")], other: true), isRequired: true
        )
      ],
      "room": [Item("room.loud", "Loud?", .yesNo, isRequired: true)],
      "phq-9": (1...9).map { Item("phq-9.\($0)", "Q", .single(options, other: false), isRequired: true) },
    ]
    var files = [Study.file: Array(study.json.minified.utf8)]
    files["help.md"] = Array("# Help\n".utf8)
    files["consent.md"] = Array("I agree.\n".utf8)
    for (name, items) in items {
      let questionnaire = Questionnaire(url: "urn:\(name)", version: "1", title: "Q", items: items)
      files[name + ".json"] = Array(questionnaire.fhir.minified.utf8)
    }
    return Result { [files] in
      let bundle = try StudyBundle(BundleContent(files))
      return try StudyContent(StudyEdition(bundle, BundleUse(on: CalendarDate("2026-03-22")!)))
    }
  }()

  static func run(people: Int, seed: UInt64, on engine: Engine = .sqlite) throws -> Rehearsal.Outcome {
    try TestDatabase.with(engine) { store in
      let version = StudyVersion(study: study.id, version: "1", signer: "nobody", content: [1])
      let first = try #require(CalendarDate("2026-03-22"))
      return try Rehearsal(content.get(), version, people: people, seed: seed, from: first).run(
        on: store.database)
    }
  }
}

@Suite("Rehearsal") struct RehearsalTests {
  @Test("the same seed gives the same bytes, on both engines; another seed others")
  func sameBytes() throws {
    let first = try Sample.run(people: 18, seed: 7)
    for engine in TestDatabase.engines {
      let again = try Sample.run(people: 18, seed: 7, on: engine)
      #expect(again.dataSet.files.map(\.text) == first.dataSet.files.map(\.text), "\(engine)")
      #expect(again.report.json == first.report.json)
    }
    #expect(
      try Sample.run(people: 18, seed: 8).dataSet.files.map(\.text) != first.dataSet.files.map(\.text))
  }

  @Test(
    "whoever looks at six people has seen each kind: gateways all or none, a part that was left, nobody lost"
  )
  func kinds() throws {
    let outcome = try Sample.run(people: 60, seed: 3)
    let lines = Dictionary(uniqueKeysWithValues: outcome.report.lines.map { ($0.kind, $0) })
    #expect(lines.count == 6 && lines.values.allSatisfy { $0.asked == 10 && $0.begun == 10 })
    #expect(lines[.everyGateway]?.gateways == 1 && lines[.noGateway]?.gateways == 0)
    #expect(lines[.withdrawing]?.withdrawn == 10 && lines[.punctual]?.completed == 10)
    let forgetful = try #require(lines[.forgetful]?.compliance)
    let punctual = try #require(lines[.punctual]?.compliance)
    #expect(forgetful < punctual && punctual > 0.9)
    #expect(outcome.report.lines.allSatisfy { ($0.longestDay ?? 0) <= 12 })
    #expect(outcome.dataSet.people.count == 60)
  }

  @Test(
    "the data set passes the checks of a real one: columns as described, questions of the study, answers that they take"
  )
  func checked() throws {
    let outcome = try Sample.run(people: 12, seed: 5)
    let files = Dictionary(uniqueKeysWithValues: outcome.dataSet.files.map { ($0.name, $0.text) })
    let description = try JSONValue(Array((files["datapackage.json"] ?? "").utf8))
    guard case .array(let resources)? = description["resources"]?.content else {
      Issue.record("no resources")
      return
    }
    #expect(resources.count == 4)
    for resource in resources {
      guard case .text(let path)? = resource["path"]?.content,
        case .array(let fields)? = resource["schema"]?["fields"]?.content
      else {
        Issue.record("a resource without path or fields")
        continue
      }
      let names = fields.compactMap { if case .text(let name)? = $0["name"]?.content { name } else { nil } }
      let lines = (files[path] ?? "").components(separatedBy: "\r\n").dropLast()
      #expect(lines.first == names.joined(separator: ","))
      #expect(lines.count > 1)
    }
    for person in outcome.dataSet.people {
      for response in person.responses {
        let outline = try #require(Sample.content.get().outline(url: response.given.questionnaire))
        for (key, answer) in Display(outline, response.given.sheet).submitted {
          try #require(outline.item(key.item)).check(answer.value)
          #expect(answer.shown <= answer.answered && answer.took != nil)
        }
        #expect(response.completed.map { $0 >= response.begun } ?? true)
      }
    }
  }

  @Test(
    "everybody has agreed to the study's own text, and kinds of data that somebody does not give are not there"
  )
  func consents() throws {
    let outcome = try Sample.run(people: 24, seed: 2)
    let form = try #require(try Sample.content.get().edition.bundle.consentForm(in: "en"))
    var counts: [Bool: Int] = [:]
    for person in outcome.dataSet.people {
      let consent = try #require(person.consents.first)
      #expect(person.consents.count == 1 && consent.text == form.sha256 && consent.version == "1")
      #expect(consent.ticks.map(\.kind) == ["answers", "sound"] && consent.ticks[0].isGiven)
      let isGiven = consent.ticks[1].isGiven
      counts[isGiven, default: 0] += 1
      let rooms = person.responses.count { $0.given.questionnaire == "urn:room" }
      #expect((rooms > 0) == isGiven, "\(person.code)")
    }
    // Half of them, drawn: each kind of person is there.
    #expect(counts[true] ?? 0 > 4 && counts[false] ?? 0 > 4)
    let table = try #require(outcome.dataSet.files.first { $0.name == "consents.csv" }?.text)
    #expect(table.components(separatedBy: "\r\n").count == 24 * 2 + 2)
  }

  @Test("answers above 0 about self-harm alert, once for each; the data set is the same with them")
  func alerts() throws {
    let outcome = try Sample.run(people: 30, seed: 1)
    let alarming = outcome.dataSet.people.flatMap(\.responses).count { response in
      guard case .choices(let codes, _)? = response.given.sheet[AnswerKey("phq-9.9")] else { return false }
      return codes != ["0"]
    }
    #expect(outcome.report.lines.reduce(0) { $0 + $1.alerts } == alarming && alarming > 0)
  }

  /// A log of one minute each day, which 2 of 100 leave out, and modules of which the study has none.
  @Test(
    "minutes and prompts of a day are those of the days on which somebody took part, and a day without modules has no prompt for them"
  )
  func perDay() throws {
    let study = TenDays {
      $0.tasks.append(
        StudyTask(
          "day", .modulesOfDay, TenDays.daily("09:00", "10:00"), minutes: 0, dataType: "answers"))
    }
    let version = StudyVersion(study: study.study.id, version: "1", signer: "nobody", content: [1])
    let rehearsal = Rehearsal(try study.content(), version, people: 60, seed: 3, from: TenDays.first)
    let report = try TestDatabase.with(.sqlite) { try rehearsal.run(on: $0.database).report }
    for kind in [PersonKind.punctual, .withdrawing] {
      let line = try #require(report.lines.first { $0.kind == kind })
      let (prompts, minutes) = (try #require(line.prompts), try #require(line.minutes))
      // One, and a reminder for what was left out.
      #expect((1...1.5).contains(prompts), "\(kind): \(prompts)")
      #expect((0.8...1).contains(minutes), "\(kind): \(minutes)")
    }
  }

  private static func report(_ study: TenDays, people: Int) throws -> RehearsalReport {
    let version = StudyVersion(study: study.study.id, version: "1", signer: "nobody", content: [1])
    let rehearsal = Rehearsal(try study.content(), version, people: people, seed: 3, from: TenDays.first)
    return try TestDatabase.with(.sqlite) { try rehearsal.run(on: $0.database).report }
  }

  private static func licensed(_ questionnaire: String, until day: String) -> StudyInstrument {
    StudyInstrument(
      "isi", questionnaire: questionnaire,
      licence: SiteLicence(holder: "U", number: "1", expires: CalendarDate(day)))
  }

  @Test("behind its instrument's licence a task has no prompt")
  func licensedTask() throws {
    // Its first day is the last of the licence: nobody but the first person has it once.
    let study = TenDays {
      $0.instruments = [Self.licensed("room", until: "2026-03-22")]
      $0.tasks.append(TenDays.task("room", "11:00", "12:00"))
    }
    let report = try Self.report(study, people: 60)
    let prompts = try #require(report.lines.first { $0.kind == .punctual }?.prompts)
    // That of the log, and a reminder for what was left out.
    #expect((1...1.5).contains(prompts), "\(prompts)")
  }

  @Test(
    "a module that has no day is told where it may be asked up to the end, and not where its licence ended before",
    arguments: [("2027-12-31", true), ("2026-03-25", false)])
  func licensedModule(end: String, isTold: Bool) throws {
    let study = TenDays { study in
      study.instruments = [Self.licensed("long", until: end)]
      study.tasks.append(
        StudyTask("day", .modulesOfDay, TenDays.daily("04:00", "04:00"), minutes: 0, dataType: "answers"))
      study.modules = [
        StudyModule("long", "M", questionnaire: "long", pillar: "p", .expansion, minutes: 20, priority: 1)
      ]
      study.gateways = [
        Gateway("yes", when: [Condition("log.a", .equal, .yes(true))], modules: ["long"])
      ]
      study.filling = Filling(2...4, mostMinutes: 12, title: "F", summary: "F")
    }
    let report = try Self.report(study, people: 12)
    #expect((report.overflow["long"] ?? 0 > 0) == isTold && report.gateways["yes"] ?? 0 > 0)
  }

  @Test("travellers are nine hours away or more, whatever the clocks do")
  func away() throws {
    for home in Rehearsal.homes {
      let (here, there) = (try ZoneFolder().zone(home.name), try ZoneFolder().zone(home.away))
      let hours = (0..<366).map { day -> Int in
        let moment = Instant("2026-01-01T12:00:00Z")! + day * 86_400
        return abs(here.offset(at: moment).seconds - there.offset(at: moment).seconds) / 3600
      }
      #expect(hours.allSatisfy { $0 >= 9 }, "\(home.name)")
    }
  }

  @Test(
    "every kind of question is drawn within what it takes",
    arguments: [
      .text(maxLength: 5), .text(maxLength: nil), .email, .number(NumberRange(-3, 3.5, step: 0.5)),
      .number(NumberRange()), .number(NumberRange(0, 1e19, step: 1)),
      .number(NumberRange(-1e308, 1e308)), .numberScroll(NumberRange(-1e308, 1e308, step: 1e300)),
      .minutesScroll(NumberRange(0, 1, step: 1e-300)), .scale(NumberRange(nil, 1e20, step: 1)),
      .number(NumberRange(nil, -0.25)), .number(NumberRange(nil, -0.25, step: 0.5)),
      .number(NumberRange(nil, -1, step: 1000)), .scale(NumberRange(nil, -2.1, step: 0.7)),
      .scale(NumberRange(nil, -1e20, step: 1)), .number(NumberRange(0, 0.3, step: 0.1)),
      .scale(NumberRange(0, 10, step: 1)), .numberScroll(NumberRange(1, 1, step: 1)),
      .minutesScroll(NumberRange(0, 90, step: 5)),
      .yesNo, .yesNoDontKnow, .single([Option("a", "A")], other: true),
      .multiple([Option("a", "A"), Option("b", "B")], other: false),
      .time, .date(from: CalendarDate("2026-01-01"), to: nil),
      .date(from: nil, to: CalendarDate("2026-01-01")),
    ] as [ItemKind])
  func drawn(kind: ItemKind) throws {
    var numbers = PersonNumbers(seed: 1, person: 1)
    let item = Item("i", "I", kind)
    for _ in 0..<200 { try item.check(#require(AnswerDrawing.drawn(item, &numbers))) }
  }
}
