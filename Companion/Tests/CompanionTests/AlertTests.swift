import Almanac
import Base
import Foundation
import Questionnaires
import Records
import Studies
import Synchronization
import Testing

@testable import Companion

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
    "of an alert by a clock that was ahead nobody knows since when it waits: contact and investigator are told at once, and it stays overdue until somebody has taken care of it",
    arguments: [72, 24 * 365])
  func clockAhead(hours: Int) throws {
    try Alarm.with { alarm, later in
      let post = Post()
      let now = try AlertDelivery(later(-hours), post).deliver()
      #expect(now.map(\.isOverdue) == [true] && now.map(\.isAhead) == [true])
      let sent = post.sent.withLock { $0 }
      #expect(sent.map(\.address) == ["ben@example.org", "ida@example.org"])
      #expect(sent.map { $0.text.contains("a clock that is ahead of this one") } == [false, true])
      // By then the moment lies behind, and within the stated time.
      let moment = try AlertDelivery(later(1), post).deliver()
      #expect(moment.map(\.isOverdue) == [true] && moment.map(\.isAhead) == [false])
      #expect(post.sent.withLock { $0.count } == 2)
      let alert = try #require(moment.first?.alert)
      try Alerts(alarm.own.database).acknowledge(alert, by: "Ben", later(1).session)
      let noted = try AlertDelivery(later(-hours), post).deliver()
      #expect(noted.map(\.isOverdue) == [false] && post.sent.withLock { $0.count } == 2)
    }
  }

  @Test(
    "where nobody could be told of an alert by a clock that was ahead, it is overdue until its moment is no longer ahead, and again behind the stated time"
  )
  func clockAheadUntold() throws {
    try Alarm.with { _, later in
      for (hours, isOverdue) in [(-72, true), (-1, true), (1, false), (3, true)] {
        let standing = try AlertDelivery(later(hours), Post(failing: "no way out")).deliver()
        #expect(standing.map(\.isOverdue) == [isOverdue], "\(hours)")
        #expect(standing.map { $0.escalationFailure != nil } == [isOverdue])
      }
    }
  }

  @Test("clocks that differ by five minutes are one, a second more is ahead", arguments: [300, 301])
  func clockDifference(seconds: Int) throws {
    try Alarm.with { alarm, _ in
      var surroundings = alarm.own.surroundings
      let raised = surroundings.now()
      surroundings.now = { raised + -seconds }
      let standing = try AlertDelivery(OwnParts(alarm.own.database, surroundings), Post()).standing()
      #expect(standing.map(\.isAhead) == [seconds > 300] && standing.map(\.isOverdue) == [seconds > 300])
    }
  }

  @Test("an own study's alert by a clock that was ahead is not overdue: it is told to nobody")
  func ownAhead() throws {
    try Alarm.with(.own) { _, later in
      let told = try AlertDelivery(later(-72), Post()).deliver()
      #expect(told.map(\.isOverdue) == [false])
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
    "an alert is taken care of by its moment, which the mail names: of one that was raised again the former moment is refused, with both"
  )
  func byMoment() throws {
    try Alarm.with { alarm, later in
      let (own, worse, post) = (alarm.own, later(1), Post())
      func alert() throws -> Alert { try #require(try Alerts(own.database).all(own.session).first) }
      /// The refusal; nil: it was noted.
      func refusal(_ response: String, _ moment: Instant) -> Failure? {
        do throws(Failure) {
          try AlertDelivery(worse, post).acknowledge(response, raised: moment, by: "Ben")
          return nil
        } catch { return error }
      }
      _ = try AlertDelivery(own, post).deliver()
      let first = try alert()
      let texts = post.sent.withLock { $0.map(\.text) }
      #expect(texts.count == 1)
      #expect(
        texts.allSatisfy {
          $0.hasSuffix("auricle study acknowledge r --raised \(first.raised) --by YOUR-NAME")
        })
      try own.take(.helpWasShown, in: [])
      try worse.take(.answer(AnswerKey("phq-9.9"), "3", took: nil), in: worse.running())
      let second = try alert()
      #expect(second.raised == first.raised + 3600)
      let former = try #require(refusal("r", first.raised))
      #expect(former.exitStatus == .no)
      #expect(
        former.message
          == "r: It was raised at \(second.raised), and not at \(first.raised). Take care of that answer, and name its moment: --raised \(second.raised)"
      )
      #expect(try alert() == second)
      let (unknown, noted) = (refusal("none", second.raised), refusal("r", second.raised))
      #expect(unknown?.exitStatus == .noInput && noted == nil)
      #expect(try alert().acknowledgedBy == "Ben")
      let again = refusal("r", second.raised)
      #expect(again?.exitStatus == .no && again?.message.contains("Ben has taken care of it") == true)
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
}
