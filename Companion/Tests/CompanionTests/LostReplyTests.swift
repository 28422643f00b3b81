import Almanac
import Base
import Foundation
import Questionnaires
import Records
import Studies
import Synchronization
import Testing

@testable import Companion

/// A server whose reply to the first change is lost.
private final class LosingDatabase: Records.Database {
  private let kept: any Records.Database
  /// True where the server has kept the change by then.
  private let isKept: Bool
  private let hasLost = Mutex(false)

  init(_ kept: any Records.Database, isKept: Bool) { (self.kept, self.isKept) = (kept, isKept) }

  private func loses() -> Bool {
    hasLost.withLock { hasLost in
      defer { hasLost = true }
      return !hasLost
    }
  }

  func transaction<Outcome, Fault: Error>(
    _ session: Session, _ body: (any Records.Transaction) throws(Fault) -> Outcome,
    failing: (StorageError) -> Fault
  ) throws(Fault) -> Outcome {
    var hasChanged = false
    let outcome = try kept.transaction(session) { transaction throws(Fault) -> Outcome in
      let noting = Noting(transaction)
      let outcome = try body(noting)
      hasChanged = noting.hasChanged
      if hasChanged, !isKept, loses() { throw failing(.unanswered("silence")) }
      return outcome
    } failing: {
      failing($0)
    }
    if hasChanged, isKept, loses() { throw failing(.unanswered("silence")) }
    return outcome
  }

  func once(
    _ session: Session, _ statement: Statement, _ parameters: [String: Value]
  ) throws(StorageError) -> [Row] {
    if statement.changes, !isKept, loses() { throw .unanswered("silence") }
    let rows = try kept.once(session, statement, parameters)
    if statement.changes, isKept, loses() { throw .unanswered("silence") }
    return rows
  }

  func apply(_ migration: Migration) throws(StorageError) { try kept.apply(migration) }

  private final class Noting: Records.Transaction {
    private let kept: any Records.Transaction
    private(set) var hasChanged = false

    init(_ kept: any Records.Transaction) { self.kept = kept }

    func rows(_ statement: Statement, _ parameters: [String: Value]) throws(StorageError) -> [Row] {
      hasChanged = hasChanged || statement.changes
      return try kept.rows(statement, parameters)
    }

    func run(_ statement: Statement, _ parameters: [String: Value]) throws(StorageError) -> Int {
      hasChanged = hasChanged || statement.changes
      return try kept.run(statement, parameters)
    }
  }
}

@Suite("A reply that is lost") struct LostReplyTests {
  /// Types lines to item 9 alone of a database that loses a reply.
  private static func sit(
    losing isKept: Bool, _ lines: [String], _ body: (Response, String, [Alert]) throws -> Void
  ) throws {
    try Sitting.with([SelfHarmTests.items[8]], SelfHarmTests.study) { sitting in
      let script = Script(lines)
      let database = LosingDatabase(sitting.database, isKept: isKept)
      let ending = try Questioner(
        database, sitting.surroundings, subject: "self", person: script,
        watch: SelfHarmWatch(SelfHarmTests.study), help: "HELP PAGE"
      ).ask(&sitting.response)
      #expect(ending == .completed)
      #expect(!script.text.contains("Another program") && !script.text.contains("nothing was saved"))
      let session = Session(subject: "self", at: Instant(milliseconds: 1500))
      try body(sitting.response, script.text, try Alerts(sitting.database).all(session))
    }
  }

  @Test("an answer whose reply alone was lost is found, and the next step comes, as behind any other")
  func lostReply() throws {
    try Self.sit(losing: true, ["3", "", ""]) { response, said, alerts in
      #expect(response.sheet[AnswerKey("phq-9.9")] == AnswerValue.choice("3"))
      // The page comes before anybody looks, and again as the alert's.
      #expect(said.components(separatedBy: "HELP PAGE").count == 3 && !said.contains("erhaps not saved"))
      #expect(alerts.count == 1 && alerts.allSatisfy { $0.helpSeen != nil })
    }
    try Self.sit(losing: true, ["0", ""]) { response, said, alerts in
      #expect(response.sheet[AnswerKey("phq-9.9")] == AnswerValue.choice("0") && alerts.isEmpty)
      #expect(!said.contains("HELP PAGE") && !said.contains("erhaps not saved"))
    }
  }

  @Test("an answer that is lost with its reply is told as perhaps not saved, and its question comes again")
  func lostAnswer() throws {
    try Self.sit(losing: false, ["3", "1", "", ""]) { response, said, alerts in
      #expect(response.sheet[AnswerKey("phq-9.9")] == AnswerValue.choice("1"))
      #expect(said.contains("this was saved: silence.\nThe question comes again; q stops.\n"))
      #expect(said.contains("Perhaps not saved: ") && alerts.count == 1)
    }
  }

  @Test("staff whose note lost its reply are told the command that shows it to them, and no other")
  func unansweredNote() throws {
    try Alarm.with { alarm, _ in
      let alert = try #require(try Alerts(alarm.own.database).all(alarm.own.session).first)
      let losing = LosingDatabase(alarm.own.database, isKept: true)
      var failure: Failure?
      do throws(Failure) {
        try AlertDelivery(OwnParts(losing, alarm.own.surroundings))
          .acknowledge(alert.response, raised: alert.raised, by: "Ben")
      } catch { failure = error }
      #expect(failure?.exitStatus == .unavailable)
      #expect(failure?.remedy == "Look before you repeat it: auricle study alerts")
      #expect(failure?.message.contains("auricle q next") == false)
    }
  }
}
