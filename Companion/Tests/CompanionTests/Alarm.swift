import Almanac
import Base
import Foundation
import Questionnaires
import Records
import SQLiteRecords
import Studies
import Synchronization
import Testing

@testable import Companion

/// Keeps what it is given, or refuses it.
final class Post: Messenger, Sendable {
  let sent = Mutex<[Message]>([])
  let failure: String?

  init(failing failure: String? = nil) { self.failure = failure }

  func send(_ message: Message) throws(MessageFailure) {
    if let failure { throw MessageFailure(failure) }
    sent.withLock { $0.append(message) }
  }
}

/// Somebody who answered 1 to item 9 at 08:00 in a study with a contact who answers within two hours.
struct Alarm {
  let own: OwnParts

  static func with(
    email: String? = "ben@example.org", title: String = "Alarm", _ kind: Study.Kind = .site,
    _ body: (Alarm, _ hoursLater: (Int) -> OwnParts) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try SQLiteDatabase(path: folder.appendingPathComponent("c.db").path)
    let morning = Instant(seconds: 1_774_771_200)
    func own(_ hours: Int) -> OwnParts {
      OwnParts(
        database,
        Surroundings(
          now: { morning + hours * 3600 }, zone: "UTC", zones: ZoneFolder(), language: "en",
          newID: { UUID().uuidString }))
    }
    try database.migrate(to: .tables(for: .sqlite), at: own(0).session)
    let bundle = try StudyBundle(BundleContent(files(email, title, kind)))
    let version = StudyVersion(
      study: bundle.study.id, version: "1", signer: "s", content: try bundle.archive())
    let part = try own(0).begin(version)
    let due = try #require(part.due(at: morning).first)
    let piece = try #require(due.parts.first)
    var response = try Responses(database).open(
      "r", due.occurrence, of: part.enrolment.id, piece.outline, own(0).session)
    try Responses(database).answer(
      .choice("1"), for: AnswerKey("phq-9.9"), isAlarming: true, in: &response, own(0).session)
    try body(Alarm(own: own(0)), own)
  }

  private static func files(
    _ email: String?, _ title: String, _ kind: Study.Kind
  ) throws -> [String: [UInt8]] {
    var study = Study(
      id: "urn:test:alarm", version: "1", kind: kind, languages: ["en"], title: LocalizedText(title))
    study.institution = "U"
    study.investigator = Person("Ida", email: "ida@example.org")
    study.contact = Contact(Person("Ben", email: email, phone: "+49 30 1"), answersWithin: 2)
    (study.texts, study.helpText) = ([StudyText("help", files: ["en": "help.md"])], "help")
    study.questionnaires = [QuestionnaireFile("phq-9", file: "q.json")]
    study.instruments = [StudyInstrument("phq-9", questionnaire: "phq-9")]
    let window = LocalWindow(LocalTime("04:00")!, LocalTime("04:00")!)
    study.tasks = [
      StudyTask(
        "t", .questionnaire("phq-9"),
        StudySchedule(days: 1, .recurring(Recurrence(times: .windows([window])))), minutes: 3, dataType: "a"
      )
    ]
    let options = (0...3).map { Option("\($0)", "o", points: Double($0)) }
    let items = (1...9).map { Item("phq-9.\($0)", "q", .single(options, other: false)) }
    let questionnaire = Questionnaire(url: "urn:test:phq-9", version: "1", title: "P", items: items)
    return [
      Study.file: Array(study.json.minified.utf8), "q.json": Array(questionnaire.fhir.minified.utf8),
      "help.md": Array("help".utf8),
    ]
  }
}
