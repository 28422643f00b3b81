import Almanac
import Base
import Foundation
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

/// A site's study with a text to agree to, two kinds of data, PHQ-9 each day and a question of the other kind, of which tests change one thing.
struct SiteStudy {
  var study: Study
  var consent = "We ask for your answers.\n"
  var items: [String: [Item]]
  /// URL of a questionnaire in the place of its own, by its id.
  var urls: [String: String] = [:]

  static let url = "urn:test:site"

  init(version: String = "1.0.0") {
    study = Study(
      id: Self.url, version: version, kind: .site, languages: ["en"], title: LocalizedText("Site"))
    study.institution = "A University"
    study.investigator = Person("Ida", email: "ida@example.org")
    study.contact = Contact(Person("Ben", email: "ben@example.org", phone: "+49 30 1"), answersWithin: 24)
    (study.dayCount, study.commitment) = (3, Commitment(text: "Five minutes", minutesPerDay: 5))
    study.dataTypes = [DataType("answers", "Your answers", isRequired: true), DataType("sound", "Sound")]
    study.texts = [
      StudyText("help", files: ["en": "help.md"]), StudyText("consent", files: ["en": "consent.md"]),
    ]
    study.helpText = "help"
    study.questionnaires = ["phq-9", "room"].map { QuestionnaireFile($0, file: "\($0).json") }
    study.instruments = [StudyInstrument("phq-9", questionnaire: "phq-9")]
    let window = LocalWindow(LocalTime("04:00")!, LocalTime("04:00")!)
    let daily = StudySchedule(days: 3, .recurring(Recurrence(times: .windows([window]))))
    study.tasks = [
      StudyTask("mood", .questionnaire("phq-9"), daily, minutes: 3, dataType: "answers"),
      StudyTask("room", .questionnaire("room"), daily, minutes: 1, dataType: "sound"),
    ]
    let options = (0...3).map { Option("\($0)", LocalizedText("Option \($0)"), points: Double($0)) }
    items = [
      "phq-9": (1...9).map {
        Item(
          "phq-9.\($0)", LocalizedText("Question \($0)"), .single(options, other: false), isRequired: true)
      },
      "room": [
        Item("room.read", "Sit down.", .info),
        Item("room.loud", "How loud?", .number(NumberRange(0, 10, step: 1)), isRequired: true),
        Item("room.note", "A note?", .text(maxLength: 20)),
        Item(
          "room.sounds", "Sounds", .group(repeats: 3),
          items: [Item("room.sound", "Which?", .text(maxLength: nil))]),
        Item("room.end", "Thank you.", .info),
      ],
    ]
  }

  func bundle() throws -> StudyBundle {
    var files = [Study.file: Array(study.json.minified.utf8), "help.md": Array("HELP PAGE".utf8)]
    files["consent.md"] = Array(consent.utf8)
    for (id, items) in items {
      let questionnaire = Questionnaire(
        url: urls[id] ?? "urn:test:\(id)", version: study.version, title: LocalizedText(id), items: items)
      files[id + ".json"] = Array(questionnaire.fhir.minified.utf8)
    }
    return try StudyBundle(BundleContent(files))
  }

  func version(signer: String = "site") throws -> StudyVersion {
    StudyVersion(
      study: study.id, version: study.version, signer: signer, content: try bundle().archive())
  }

  func agreement(giving kinds: Set<String> = ["answers", "sound"]) throws -> Agreement? {
    try bundle().consentForm(in: "en")?.agreement(giving: kinds)
  }
}

extension SiteStudy {
  /// Its next version, with a change.
  static func later(_ change: (inout SiteStudy) -> Void = { _ in }) -> SiteStudy {
    var study = SiteStudy(version: "1.1.0")
    change(&study)
    return study
  }

  /// Ben's part in the study, "b", beside somebody's own on the same database, and his answers to PHQ-9 of
  /// this morning, "r", begun.
  func begunByBen(beside part: Part, _ own: OwnParts) throws -> (session: Session, answers: Response) {
    let ben = Session(subject: "ben", at: Home.morning)
    _ = try Enrolments(own.database).begin(
      "b", version: version().sha256, on: part.enrolment.firstDate, in: "UTC", seed: 1,
      under: agreement(), ben)
    let occurrence = try #require(part.due(at: Home.morning).first).occurrence
    let outline = try #require(part.content.outline(url: "urn:test:phq-9"))
    return (ben, try Responses(own.database).open("r", occurrence, of: "b", outline, ben))
  }
}

/// Somebody at home on a database of either engine, hours after 08:00 UTC of 2026-03-29.
struct Home {
  let store: TestDatabase

  static let morning = Instant("2026-03-29T08:00:00Z")!

  func own(_ hours: Int = 0, another: Bool = false) throws -> OwnParts {
    OwnParts(
      another ? try store.another() : store.database,
      Surroundings(
        now: { Self.morning + hours * 3600 }, zone: "UTC", zones: ZoneFolder(), language: "en",
        newID: { UUID().uuidString.lowercased() }))
  }

  static func with(_ engine: Engine, _ body: (Home) throws -> Void) throws {
    try TestDatabase.with(engine) { try body(Home(store: $0)) }
  }

  /// The same for somebody who takes part in a study and gives both kinds of data.
  static func withPart(
    _ engine: Engine, _ study: SiteStudy = SiteStudy(), _ body: (Home, OwnParts) throws -> Void
  ) throws {
    try with(engine) { home in
      _ = try home.own().begin(study.version(), under: study.agreement())
      try body(home, home.own())
    }
  }
}
