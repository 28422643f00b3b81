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
private final class Post: Messenger, Sendable {
  let sent = Mutex<[Message]>([])
  let failure: String?

  init(failing failure: String? = nil) { self.failure = failure }

  func send(_ message: Message) throws(MessageFailure) {
    if let failure { throw MessageFailure(failure) }
    sent.withLock { $0.append(message) }
  }
}

/// Somebody who answered 1 to item 9 at 08:00 in a study with a contact who answers within two hours.
private struct Alarm {
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

@Suite("Alerts") struct AlertTests {
  @Test("the contact is told once, in a message that names study and part and neither answer nor question")
  func told() throws {
    try Alarm.with { alarm, later in
      let post = Post()
      for hours in 0...1 {
        let standing = try AlertDelivery(later(hours), post).deliver()
        #expect(standing.first?.alert.delivered != nil)
      }
      let sent = post.sent.withLock { $0 }
      #expect(sent.map(\.address) == ["ben@example.org"])
      #expect(
        sent.allSatisfy {
          $0.text.contains("urn:test:alarm") && !$0.text.contains("phq") && !$0.subject.contains("phq")
        })
    }
  }

  @Test(
    "of an own study nobody is written to, however late it is: the help page waits, the alert is kept and is not overdue"
  )
  func own() throws {
    try Alarm.with(.own) { alarm, later in
      let post = Post()
      for hours in [0, 3, 99] {
        let standing = try AlertDelivery(later(hours), post).deliver()
        #expect(standing.map(\.isSent) == [false] && standing.map(\.isOverdue) == [false])
        #expect(standing.map(\.alert.attempts) == [0] && standing.map(\.alert.failure) == [nil])
      }
      #expect(post.sent.withLock { $0.isEmpty })
      #expect(try alarm.own.helpPage()?.page.text == "help")
    }
  }

  @Test("what is not delivered is shown as not delivered with its reason, and is tried again")
  func notTold() throws {
    try Alarm.with { _, later in
      let standing = try AlertDelivery(later(0), Post(failing: "no way out")).deliver()
      #expect(
        standing.map(\.alert.failure) == ["no way out"] && standing.allSatisfy { $0.alert.delivered == nil }
      )
      let again = try AlertDelivery(later(1), Post()).deliver()
      #expect(
        again.allSatisfy { $0.alert.delivered != nil && $0.alert.attempts == 2 && $0.alert.failure == nil })
    }
    try Alarm.with(email: nil) { _, later in
      let standing = try AlertDelivery(later(0), Post()).deliver()
      #expect(standing.first?.alert.failure == "the study names no address of Ben")
    }
  }

  @Test(
    "two hours without anybody who takes care are in time, a second more is overdue, and the investigator is told once"
  )
  func overdue() throws {
    try Alarm.with { _, later in
      let post = Post()
      let inTime = try AlertDelivery(later(2), post).deliver()
      #expect(inTime.map(\.isOverdue) == [false])
      for hours in 3...4 {
        let late = try AlertDelivery(later(hours), post).deliver()
        #expect(late.map(\.isOverdue) == [true])
      }
      #expect(post.sent.withLock { $0.map(\.address) } == ["ben@example.org", "ida@example.org"])
    }
  }

  @Test(
    "an answer that was taken back and is given again is shown and told anew; the same one twice is not")
  func again() throws {
    try Alarm.with { alarm, _ in
      let (own, key) = (alarm.own, AnswerKey("phq-9.9"))
      func give(_ code: String) throws { try own.take(.answer(key, code, took: nil), in: own.running()) }
      _ = try AlertDelivery(own, Post()).deliver()
      try own.take(.helpWasShown, in: [])
      try give("1")
      #expect(try own.helpPage() == nil)
      try give("0")
      #expect(try own.helpPage() == nil)
      try give("1")
      #expect(try own.helpPage() != nil)
      let alerts = try Alerts(own.database).all(own.session)
      #expect(alerts.map(\.delivered) == [nil] && alerts.map(\.helpSeen) == [nil])
    }
  }

  @Test(
    "an answer that was left out and is given again is shown and told anew, with the same value and another"
  )
  func leftOut() throws {
    try Alarm.with { alarm, _ in
      let (own, key) = (alarm.own, AnswerKey("phq-9.9"))
      for code in ["1", "1", "2"] {
        _ = try AlertDelivery(own, Post()).deliver()
        try own.take(.helpWasShown, in: [])
        try own.take(.leaveOut(key), in: own.running())
        #expect(try own.helpPage() == nil)
        try own.take(.answer(key, code, took: nil), in: own.running())
        #expect(try own.helpPage() != nil)
        let alerts = try Alerts(own.database).all(own.session)
        #expect(alerts.map(\.delivered) == [nil] && alerts.map(\.helpSeen) == [nil])
      }
    }
  }

  @Test("the contact is told while the help page is on the screen, also where nobody goes on from it")
  func onScreen() throws {
    try Alarm.with { alarm, _ in
      let (own, post, script) = (alarm.own, Post(), Script([]))
      let isSeen = try own.showHelp(to: script) { () throws(Failure) in
        #expect(script.text == "\nhelp\n")
        _ = try AlertDelivery(own, post).deliver()
      }
      #expect(!isSeen && post.sent.withLock { $0.map(\.address) } == ["ben@example.org"])
      #expect(try own.helpPage() != nil)
    }
  }

  @Test("the contact is told before the next question comes, not at the questionnaire's end")
  func inTheMiddle() throws {
    try Alarm.with { alarm, _ in
      let (own, post, script) = (alarm.own, Post(), Script(["", "q"]))
      let work = try #require(try own.running()[0].openWork(at: own.surroundings.now()).first)
      var response = try own.response(to: work)
      let questioner = Questioner(
        own.database, own.surroundings, subject: OwnParts.subject, person: script,
        watch: SelfHarmWatch(work.part.study), help: "HELP PAGE"
      ) { () throws(Failure) in
        #expect(script.text == "\nHELP PAGE\n")
        _ = try AlertDelivery(own, post).deliver()
      }
      #expect(try questioner.ask(&response) == .stopped)
      #expect(post.sent.withLock { $0.map(\.address) } == ["ben@example.org"])
      #expect(script.text.hasSuffix("> "))
    }
  }

  @Test("a study that cannot be read keeps nobody's alert from being shown, and is not delivered")
  func unreadable() throws {
    try Alarm.with { alarm, later in
      try alarm.own.database.apply(
        Migration(
          number: 0,
          text:
            "DROP TRIGGER study_version_is_fixed; UPDATE study_version SET content = x'00'; UPDATE safety_alert SET raised = -9223372036854775808"
        ))
      let standing = try AlertDelivery(later(0), Post()).standing()
      #expect(standing.count == 1 && standing.first?.study.title.text == "A study that cannot be read")
      #expect(standing.first?.alert.delivered == nil)
    }
  }

  @Test("taken care of, it is neither overdue nor told any more")
  func acknowledged() throws {
    try Alarm.with { alarm, later in
      let alert = try #require(try AlertDelivery(later(0), Post(failing: "x")).deliver().first?.alert)
      try Alerts(alarm.own.database).acknowledge(alert, by: "Ben", later(1).session)
      let post = Post()
      let standing = try AlertDelivery(later(9), post).deliver()
      #expect(standing.map(\.isOverdue) == [false] && standing.first?.alert.acknowledgedBy == "Ben")
      #expect(post.sent.withLock { $0.isEmpty })
    }
  }

  @Test(
    "a title in German, with line breaks, leaves the header of both messages ASCII and adds no line of its own"
  )
  func header() throws {
    try Alarm.with(title: "Fünfzehn Tage\r\nBcc: eve@example.org\nSchlaf") { _, later in
      let post = Post()
      for hours in [0, 3] { _ = try AlertDelivery(later(hours), post).deliver() }
      let mails = post.sent.withLock { $0.map(\.mail) }
      #expect(mails.count == 2)
      for mail in mails {
        let lines = try #require(mail.components(separatedBy: "\n\n").first).split(separator: "\n")
        #expect(
          lines.allSatisfy { line in line.count <= 76 && line.utf8.allSatisfy { 0x20...0x7E ~= $0 } })
        #expect(
          lines.filter { !$0.hasPrefix(" ") }.map { line in String(line.prefix { $0 != ":" }) } == [
            "To", "Subject", "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
          ])
      }
    }
  }

  /// A program in a file, written by another process: one that is started here meanwhile would hold it open, and a file that is written is not
  /// run (ETXTBSY, execve(2)).
  private func write(_ script: String, to path: String) throws {
    _ = try AuricleProgram(path: "/bin/sh").run([
      "-c", #"printf %s "$1" >"$0" && chmod 755 "$0""#, path, script,
    ])
  }

  @Test("a mail program that goes without reading ends nobody, and counts by its status")
  func unread() throws {
    let message = Message(to: "ben@example.org", subject: "s", text: String(repeating: "a", count: 16_000))
    // A pipe would raise SIGPIPE where the program is the faster one.
    for _ in 0..<20 { try Sendmail("/bin/true").send(message) }
  }

  @Test("a mail program gets the message on its standard input; one that is missing or fails is a reason")
  func sendmail() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appendingPathComponent("sendmail").path
    let kept = folder.appendingPathComponent("kept").path
    try write("#!/bin/sh\ncat >\(kept)\necho \"$*\" >>\(kept)\n", to: program)
    let message = Message(to: "ben@example.org", subject: "S", text: "T")
    try Sendmail(program).send(message)
    let text = try String(contentsOfFile: kept, encoding: .utf8)
    #expect(
      text
        == "To: ben@example.org\nSubject: S\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
        + "Content-Transfer-Encoding: 8bit\n\nT\n-t -i\n")
    #expect(throws: MessageFailure.self) { try Sendmail(folder.path + "/nothing").send(message) }
    #expect(throws: MessageFailure("/bin/false ended with 1")) { try Sendmail("/bin/false").send(message) }
    #expect(throws: MessageFailure.self) {
      try Sendmail(program).send(Message(to: "a@b.org\nBcc: c@d.org", subject: "S", text: "T"))
    }
  }

  /// A program that never ends and reads nothing, at most as long as a message may be.
  @Test(
    "a mail program that hangs is ended with all that it started, and the message counts as not delivered")
  func hanging() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appendingPathComponent("sendmail").path
    // Open for writing for as long as the program or a child of it lives.
    let life = folder.appendingPathComponent("life").path
    #expect(mkfifo(life, 0o600) == 0)
    let end = open(life, O_RDONLY | O_NONBLOCK)
    defer { close(end) }
    try write("#!/bin/sh\nexec 3>\(life)\ntrap '' TERM\nsleep 1000 &\nwait\n", to: program)
    let message = Message(to: "ben@example.org", subject: "S", text: String(repeating: "t", count: 16_000))
    #expect(throws: MessageFailure("\(program) did not end within 1 s, and was ended")) {
      try Sendmail(program, patience: 1).send(message)
    }
    // The end comes once nobody has it open any longer.
    _ = fcntl(end, F_SETFL, 0)
    var byte: UInt8 = 0
    #expect(read(end, &byte, 1) == 0)
    #expect(throws: MessageFailure.self) {
      try Sendmail(program, patience: 1).send(
        Message(to: "b@example.org", subject: "S", text: String(repeating: "t", count: 20_000)))
    }
  }
}
