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

/// Somebody who types prepared lines; what was said is kept.
final class Script: Asking, Sendable {
  private let lines: Mutex<[String]>
  private let said = Mutex("")

  init(_ lines: [String]) { self.lines = Mutex(lines) }

  var isPresent: Bool { true }
  var text: String { said.withLock { $0 } }
  func say(_ text: String) { said.withLock { $0 += text } }
  func ask(_ prompt: String) -> String? {
    say(prompt)
    return lines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

/// A questionnaire that a script answers, on a database of its own.
struct Sitting {
  let database: any Records.Database
  let surroundings = Surroundings(
    now: { Instant(milliseconds: 1500) }, zone: "UTC", zones: ZoneFolder(), language: "de-AT",
    newID: { "id" })
  var response: Response
  let study: Study

  static let noSelfHarm = Study(id: "urn:test", version: "1", kind: .own, languages: ["en"], title: "T")

  /// A text to read, a question, another one after a yes, and one that may be left out.
  static let sleep = [
    Item("read", "Good morning.", .info),
    Item(
      "slept", LocalizedText("Did you sleep?", ["de": "Haben Sie geschlafen?"]), .yesNo, isRequired: true),
    Item(
      "hours", "Hours?", .number(NumberRange(0, 24, step: 0.5, unit: "h")), isRequired: true,
      when: [Condition("slept", .equal, .yes(true))]),
    Item("note", "A note?", .text(maxLength: 10)),
  ]

  /// A group that is answered once or more, up to four times, and a question behind it.
  static let medicines = [
    Item(
      "meds", "Medicines", .group(repeats: 4),
      items: [Item("med", "Which?", .text(maxLength: nil), isRequired: true)]),
    Item("end", "Since when?", .text(maxLength: nil), isRequired: true),
  ]

  init(_ folder: URL, _ items: [Item], _ study: Study = noSelfHarm) throws {
    self.study = study
    let file = SQLiteFile(folder)
    database = try SQLiteDatabase(path: file.path)
    let session = Session(subject: "self", at: Instant(milliseconds: 1000))
    try database.migrate(to: .tables(for: .sqlite), at: session)
    let version = StudyVersion(study: "urn:test", version: "1", signer: "own", content: [1])
    try StudyVersions(database).keep(version, session)
    let day = try #require(CalendarDate("2026-03-29"))
    let part = try Enrolments(database).begin(
      "e", version: version.sha256, on: day, in: "UTC", seed: 1, session)
    let occurrence = Occurrence(
      id: "t/2026-03-29/1", date: day, number: 1, opens: Instant(milliseconds: 0),
      closes: Instant(milliseconds: 9000),
      zoneName: "UTC")
    let outline = try Outline(Questionnaire(url: "urn:q", version: "1", title: "Q", items: items))
    response = try Responses(database).open("r", occurrence, of: part.id, outline, session)
  }

  private struct SQLiteFile {
    let path: String
    init(_ folder: URL) { path = folder.appendingPathComponent("c.db").path }
  }

  /// Types the lines.
  ///
  /// - Returns: The ending, and all that was said.
  mutating func type(_ lines: String...) throws -> (Questioner.Ending, String) {
    try self.type(lines)
  }

  mutating func type(_ lines: [String]) throws -> (Questioner.Ending, String) {
    let script = Script(lines)
    let questioner = Questioner(
      database, surroundings, subject: "self", person: script, watch: SelfHarmWatch(study),
      help: "HELP PAGE")
    let ending = try questioner.ask(&response)
    return (ending, script.text)
  }

  static func with(
    _ items: [Item], _ study: Study = noSelfHarm, _ body: (inout Sitting) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var sitting = try Sitting(folder, items, study)
    try body(&sitting)
  }
}
