import Almanac
import Base
import Foundation
import Questionnaires
import Records
import RecordsTesting
import Studies
import Testing

@testable import Companion

/// A database on a full disk: what stands there is read, and no transaction of several statements is kept.
private struct FullDatabase: Records.Database {
  let kept: any Records.Database
  /// True for a server that is gone: statements alone fail, too.
  var isGone = false

  func transaction<Outcome, Fault: Error>(
    _ session: Session, _ body: (any Records.Transaction) throws(Fault) -> Outcome,
    failing: (StorageError) -> Fault
  ) throws(Fault) -> Outcome {
    throw failing(.full("the test's disk"))
  }

  func once(
    _ session: Session, _ statement: Statement, _ parameters: [String: Value]
  ) throws(StorageError) -> [Row] {
    guard !isGone else { throw .lost("the test's server") }
    return try kept.once(session, statement, parameters)
  }

  func apply(_ migration: Migration) throws(StorageError) { throw .full("the test's disk") }
}

/// The same of which transactions read, and nothing is written.
private struct UnwritableDatabase: Records.Database {
  let kept: any Records.Database

  func transaction<Outcome, Fault: Error>(
    _ session: Session, _ body: (any Records.Transaction) throws(Fault) -> Outcome,
    failing: (StorageError) -> Fault
  ) throws(Fault) -> Outcome {
    try kept.transaction(session) { transaction throws(Fault) in
      try body(Reading(kept: transaction))
    } failing: {
      failing($0)
    }
  }

  func once(
    _ session: Session, _ statement: Statement, _ parameters: [String: Value]
  ) throws(StorageError) -> [Row] {
    guard !statement.changes else { throw .full("the test's disk") }
    return try kept.once(session, statement, parameters)
  }

  func apply(_ migration: Migration) throws(StorageError) { throw .full("the test's disk") }

  struct Reading: Records.Transaction {
    let kept: any Records.Transaction

    func rows(_ statement: Statement, _ parameters: [String: Value]) throws(StorageError) -> [Row] {
      guard !statement.changes else { throw .full("the test's disk") }
      return try kept.rows(statement, parameters)
    }

    func run(_ statement: Statement, _ parameters: [String: Value]) throws(StorageError) -> Int {
      throw .full("the test's disk")
    }
  }
}

@Suite("An answer to item 9 that cannot be kept") struct UnkeptAnswerTests {
  static let contact = Contact(Person("Ben", phone: "+49 30 1"), answersWithin: 2)

  /// Types lines to item 9 alone, so many s after 1970.
  private static func sit(
    _ lines: [String], at seconds: Int, isFull: Bool,
    _ body: (String, Questioner.Ending?) throws -> Void
  ) throws {
    try Sitting.with([SelfHarmTests.items[8]], SelfHarmTests.study) { sitting in
      let script = Script(lines)
      var surroundings = sitting.surroundings
      surroundings.now = { Instant(seconds: seconds) }
      let database: any Records.Database =
        isFull ? FullDatabase(kept: sitting.database) : sitting.database
      let ending = try? Questioner(
        database, surroundings, subject: "self", person: script, watch: SelfHarmWatch(SelfHarmTests.study),
        help: "HELP PAGE", contact: contact
      ).ask(&sitting.response)
      try body(script.text, ending)
    }
  }

  @Test("on a full disk the page and the telephone number come before the reason; 0 has neither")
  func full() throws {
    try Self.sit(["3", "q"], at: 2, isFull: true) { said, ending in
      let page = try #require(said.range(of: "HELP PAGE"))
      let reason = try #require(said.range(of: "Not saved: "))
      #expect(page.lowerBound < reason.lowerBound && said.contains("write to Ben: +49 30 1."))
      #expect(ending == .stopped)
    }
    // An answer of 0 is one statement, which this database keeps.
    try Self.sit(["0"], at: 2, isFull: true) { said, _ in #expect(!said.contains("HELP PAGE")) }
  }

  /// The window closes after 9 s.
  @Test("in the moment at which its window closes the page comes before the program ends; 0 has none")
  func late() throws {
    try Self.sit(["2"], at: 9, isFull: false) { said, ending in
      #expect(ending == nil && said.contains("HELP PAGE") && said.contains("write to Ben: +49 30 1."))
    }
    try Self.sit(["0"], at: 9, isFull: false) { said, ending in
      #expect(ending == nil && !said.contains("HELP PAGE"))
    }
  }

  @Test(
    "on a full disk that keeps a journey from being noted a program's answer has the page, and so has whoever has to see it still",
    arguments: TestDatabase.engines)
  func journey(engine: Engine) throws {
    try Home.with(engine) { home in
      let study = SiteStudy()
      _ = try home.own().begin(study.version(), under: study.agreement())
      var surroundings = try home.own().surroundings
      surroundings.zone = "Asia/Tokyo"
      let own = OwnParts(UnwritableDatabase(kept: home.store.database), surroundings)
      var failure: Failure?
      do throws(Failure) { _ = try own.all() } catch { failure = error }
      let full = try #require(failure)
      #expect(full.exitStatus == .inputOutput)
      let nine = PersonStep.answer(AnswerKey("phq-9.9"), "3", took: nil)
      let help = try #require(own.help(for: nine, after: full))
      #expect(help.text == "HELP PAGE" && help.contact?.person.phone == "+49 30 1")
      let other = PersonStep.answer(AnswerKey("phq-9.9"), "0", took: nil)
      #expect(own.help(for: other, after: full) == nil && own.help(for: .complete, after: full) == nil)
      // A server that is gone is not asked once more.
      let gone = Failure("studies", inWords: "It is gone", exit: .unavailable)
      #expect(own.help(for: nine, after: gone) == nil)
      #expect(try own.helpPage() == nil)
      try home.own().answer("phq-9.9", "1")
      #expect(try own.helpPage()?.page.text == "HELP PAGE")
      #expect(try home.own().all()[0].enrolment.stays.map(\.zone) == ["UTC"])
    }
  }

  @Test(
    "a change whose reply was lost is told as one of which nobody knows, and never as one that was not saved",
    arguments: [
      ("not saved", "perhaps not saved"), ("not completed", "perhaps not completed"), ("urn:s", "urn:s"),
    ])
  func unanswered(subject: String, expected: String) throws {
    func failure(_ error: StorageError) throws -> Failure {
      var found: Failure?
      do throws(Failure) {
        try Failure.participating(subject) { () throws(ParticipationError) -> Void in
          throw .storage(error)
        }
      } catch { found = error }
      return try #require(found)
    }
    let unknown = try failure(.unanswered("silence"))
    #expect(unknown.subject == expected && unknown.exitStatus == .unavailable)
    #expect(unknown.message.contains("it is not known whether this was saved: silence. Look before"))
    #expect(unknown.remedy == "Look before you repeat it: auricle study list, auricle q next")
    #expect(!unknown.message.contains("nothing was saved"))
    let lost = try failure(.lost("silence"))
    #expect(lost.subject == subject && lost.remedy == nil && lost.message.contains("nothing was saved"))
  }

  @Test(
    "a program's answer has the page: after the window, on a full disk, and of a server that is gone",
    arguments: TestDatabase.engines)
  func program(engine: Engine) throws {
    try Home.with(engine) { home in
      let study = SiteStudy()
      _ = try home.own().begin(study.version(), under: study.agreement())
      try home.own().answer("phq-9.1", "0")
      let (full, gone) = (
        FullDatabase(kept: home.store.database), FullDatabase(kept: home.store.database, isGone: true)
      )
      let parts = try home.own().running()
      for own in [
        // Behind the last day of three.
        try home.own(96), OwnParts(full, try home.own().surroundings),
        OwnParts(gone, try home.own().surroundings),
      ] {
        for (code, isHelped) in [("3", true), ("1", true), ("0", false), ("4", false)] {
          let step = PersonStep.answer(AnswerKey("phq-9.9"), code, took: nil)
          if code == "1" { #expect(throws: StepRefusal.self) { try own.take(step, in: parts) } }
          let help = own.help(for: step, in: parts)
          #expect((help != nil) == isHelped, "\(code)")
          if let help {
            let report = StepReport.report(help)
            #expect(report.text("text") == "HELP PAGE" && report.text("contact", "phone") == "+49 30 1")
            #expect(help.words.contains("write to Ben: +49 30 1"))
            #expect(help.words.contains("told of the answer that you have just given."))
          }
        }
        let step = PersonStep.answer(AnswerKey("phq-9.8"), "3", took: nil)
        #expect(own.help(for: step, in: parts) == nil && own.help(for: .complete, in: parts) == nil)
      }
      #expect(try home.own().helpPage() == nil)
    }
  }
}
