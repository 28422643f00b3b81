import Almanac
import Base
import Foundation
import PostgresRecords
import Questionnaires
import Records
import SQLiteRecords

/// An answer that is kept, beside a bare insertion of the same durability.
enum Answers {
  private static let count = 300
  private static let bare = Statement("INSERT INTO bare (id, value) VALUES (:id, :value)")
  private static let table = Migration(
    number: 0, text: "CREATE TABLE bare (id INTEGER PRIMARY KEY, value TEXT NOT NULL)")
  private static let session = Session(subject: "ada", at: Instant(milliseconds: 1500))

  static func sqlite() throws -> Row {
    // On the disk on which people's files lie, not in memory.
    let folder = FileManager.default.currentDirectoryPath + "/.build/benchmark-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let database = try SQLiteDatabase(path: folder + "/c.db")
    try database.migrate(to: .tables(for: .sqlite), at: session)
    try database.apply(table)
    var response = try begun(on: database)
    let responses = Responses(database)
    let (ours, beside) = try Row.medians(count) { round in
      try responses.answer(
        .number(Double(round % 24)), for: AnswerKey("i\(round)"), took: 1, in: &response, session)
    } _: { round in
      _ = try database.once(
        session, bare, ["id": .integer(round), "value": .text("[{\"valueInteger\":\(round)}]")])
    }
    return Row(name: "answer kept on SQLite, beside a bare INSERT", ours: ours, beside: beside, limit: 1.5)
  }

  /// Beside pgbench's own transaction of one insertion, by turns, with as many clients: ours are people who answer at once, by a pool of as many
  /// connections of auricle_participant, under its policies; pgbench is a superuser, under none. A part takes 40 ms: of thirty of them
  /// the ratio differed by a tenth from run to run.
  static func postgres(_ address: String) throws -> [Row] {
    let administrator = try PostgresDatabase(address)
    _ = try PostgresDatabase.prepare(address, to: .tables(for: .postgres), at: session)
    try administrator.apply(
      Migration(number: 0, text: "CREATE TABLE pgbench_bare (id BIGINT NOT NULL, value TEXT NOT NULL)"))
    return try [1, 8].map { clients in
      let pool = try PostgresDatabase("\(address) user=auricle_participant", connections: clients)
      var ours: [Double] = [], beside: [Double] = []
      for group in 0..<12 {
        let people = try (0..<clients).map { number in
          try Client(pool, Session(subject: "person-\(clients)-\(group)-\(number)", at: session.now))
        }
        for part in 0..<10 {
          ours.append(try Client.seconds(people, part * 30..<(part + 1) * 30))
          beside.append(try pgbench(address, clients))
        }
      }
      return Row(
        name: "answer kept on PostgreSQL, beside pgbench's INSERT, \(clients) at a time",
        ours: Row.median(ours), beside: Row.median(beside), limit: 1.3)
    }
  }

  /// Mean seconds of a transaction, of 300.
  private static func pgbench(_ address: String, _ clients: Int) throws -> Double {
    let script = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("INSERT INTO pgbench_bare (id, value) VALUES (1, '[{\"valueInteger\":7}]');\n".utf8).write(
      to: script)
    defer { try? FileManager.default.removeItem(at: script) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "pgbench", "-n", "-c", "\(clients)", "-t", "\(300 / clients)", "-f", script.path, address,
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let line = text.split(separator: "\n").first { $0.hasPrefix("latency average = ") }
    guard let words = line?.split(separator: " "), words.count >= 4, let milliseconds = Double(words[3])
    else {
      throw StorageError.lost("pgbench says: \(text)")
    }
    return milliseconds / 1000
  }

  static func begun(
    on database: any Records.Database, _ session: Session = session, id: String = ""
  ) throws -> Response {
    let version = StudyVersion(study: "urn:benchmark", version: "1", signer: "nobody", content: [1])
    try StudyVersions(database).keep(version, session)
    guard let day = CalendarDate("2026-03-16") else { throw StorageError.lost("no day") }
    let part = try Enrolments(database).begin(
      "e" + id, version: version.sha256, on: day, in: "UTC", seed: 1, session)
    let items = (0..<count).map { Item("i\($0)", "Q", .number(NumberRange(0, 24))) }
    let outline = try Outline(Questionnaire(url: "urn:q", version: "1", title: "Q", items: items))
    let occurrence = Occurrence(
      id: "t/2026-03-16/1", date: day, number: 1, opens: Instant(milliseconds: 0),
      closes: Instant(seconds: 1000),
      zoneName: "UTC")
    return try Responses(database).open("r" + id, occurrence, of: part.id, outline, session)
  }
}
