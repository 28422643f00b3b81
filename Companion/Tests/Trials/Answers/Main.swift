import Almanac
import Base
import Companion
import Glibc
import PostgresRecords
import Records
import Rehearsals
import SQLiteRecords
import Studies

/// A rehearsal that says of each answer and each measurement when it is kept, and a look at what is kept after it was killed. `Companion/Tests/kills` kills it.
///
///     answer-trial write DATABASE STUDY PEOPLE SEED     one line for each answer or measurement that the database has acknowledged
///     answer-trial check DATABASE <lines                every one of them is there, once, with its alert
@main enum AnswerTrial {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      switch (words.first, words.count) {
      case ("write", 5):
        try write(words[1], study: words[2], people: Int(words[3]) ?? 0, seed: UInt64(words[4]) ?? 0)
      case ("check", 2): try check(words[1])
      default:
        StandardError.write("answer-trial: expected write DATABASE STUDY PEOPLE SEED, or check DATABASE\n")
        exit(64)
      }
    } catch {
      StandardError.write("answer-trial: \(error)\n")
      exit((error as? Failure)?.exitStatus.rawValue ?? 70)
    }
  }

  private static let beginning = Instant(seconds: 0)

  private static func write(_ place: String, study: String, people: Int, seed: UInt64) throws {
    let database = try CompanionDatabase(place).open(at: beginning)
    let bundle = try StudyIntake.author(at: study)
    guard let first = CalendarDate("2026-03-16") else { return }
    let version = StudyVersion(
      study: bundle.study.id, version: bundle.study.version, signer: "nobody", content: try bundle.archive()
    )
    let content = try StudyContent(StudyEdition(bundle, BundleUse(on: first)))
    _ = try Rehearsal(content, version, people: people, seed: seed, from: first).run(
      on: database,
      acknowledged: { kept in
        // At once: a line that a buffer holds would be lost with the program.
        let words =
          switch kept {
          case .answer(let response, let item, let isAlarming): "\(response) \(item) \(isAlarming ? 1 : 0)"
          case .measurement(let run): "\(run) \(measurement) 0"
          }
        let line = Array((words + "\n").utf8)
        _ = Glibc.write(STDOUT_FILENO, line, line.count)
      })
  }

  private static let kept = Statement(
    "SELECT count(*) AS n FROM answer WHERE response = :response AND item = :item")
  /// Word in the place of an item, which no question has.
  private static let measurement = "/measurement"
  private static let ends = Statement("SELECT count(*) AS n FROM task_end WHERE run = :response")
  private static let alerts = Statement(
    "SELECT count(*) AS n FROM safety_alert WHERE response = :response AND item = :item")
  private static let strays = Statement(
    """
    SELECT count(*) AS n FROM safety_alert s LEFT JOIN answer a ON a.response = s.response AND a.item = s.item
    WHERE a.item IS NULL
    """)

  private static func check(_ place: String) throws {
    // Everybody's rows, which no login that serves people sees.
    let database: any Database =
      switch try CompanionDatabase(place) {
      case .file(let path): try SQLiteDatabase(path: path)
      case .server(let address): try PostgresDatabase(address)
      }
    let session = Session(subject: nil, at: beginning)
    var (count, bad) = (0, 0)
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      // The last line may be cut off where the program was killed.
      guard words.count == 3 else { continue }
      count += 1
      guard words[1] != measurement else {
        if try database.once(session, ends, ["response": .text(words[0])]).first?["n"] != 1 { bad += 1 }
        continue
      }
      let key: [String: Value] = ["response": .text(words[0]), "item": .text(words[1])]
      if try database.once(session, kept, key).first?["n"] != 1 { bad += 1 }
      if words[2] == "1", try database.once(session, alerts, key).first?["n"] != 1 { bad += 1 }
    }
    if try database.once(session, strays, [:]).first?["n"] != 0 { bad += 1 }
    print("\(count) acknowledged, \(bad) not as acknowledged")
    if bad > 0 { exit(1) }
  }
}
