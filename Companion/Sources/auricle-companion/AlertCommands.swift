import Almanac
import ArgumentParser
import Base
import Companion
import Records

/// `auricle study alerts`.
struct ListAlerts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alerts",
    abstract: "Answers that must not wait: who was told, who has taken care of them.",
    discussion:
      """
      Exits with 1 where one was not delivered, or nobody has taken care of it in the stated time; \
      one that was raised by a clock that is ahead is late at once. Of an own study nobody is told, \
      because it sends nothing: its alerts are listed alone. On a server mail is sent only for studies that are signed by a site \
      that you trust: auricle study trust.
      """)

  @OptionGroup var common: CommonOptions

  func run() throws {
    let delivery = AlertDelivery(try common.open())
    let (standing, unreadable) = (try delivery.deliver(), try delivery.unreadableParts())
    let reports = standing.map { one -> JSONValue in
      [
        "study": .text(one.study.id), "part": .text(one.alert.enrolment),
        "response": .text(one.alert.response),
        "raised": .text("\(one.alert.raised)"), "help_seen": (one.alert.helpSeen).map { .text("\($0)") },
        "sent": .boolean(one.isSent), "delivered": (one.alert.delivered).map { .text("\($0)") },
        "failure": (one.alert.failure).map { .text($0) },
        "overdue": .boolean(one.isOverdue), "clock_ahead": .boolean(one.isAhead),
        "escalated": (one.alert.escalated).map { .text("\($0)") },
        "escalation_failure": (one.escalationFailure).map { .text($0) },
        "acknowledged": (one.alert.acknowledged).map { .text("\($0)") },
        "acknowledged_by": (one.alert.acknowledgedBy).map { .text($0) },
      ]
    }
    common.show(
      [
        "schema": 103, "alerts": .array(reports), "unreadable_parts": .array(unreadable.map { .text($0) }),
      ],
      (standing.isEmpty ? "There are no alerts.\n" : standing.map(AlertText.text).joined())
        + unreadable.map { "The part \($0) cannot be read; its alerts are listed all the same.\n" }.joined()
    )
    let open = standing.filter { $0.alert.acknowledged == nil && $0.isSent }
    if open.contains(where: { $0.isOverdue || $0.alert.delivered == nil }) {
      throw ExitCode(ExitStatus.no.rawValue)
    }
  }
}

/// `auricle study acknowledge`.
struct AcknowledgeAlert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "acknowledge", abstract: "Say that somebody has taken care of an alert.",
    // The moment is needed; that it may be missing for the parser is for a message that says where to find it.
    usage:
      "auricle study acknowledge <response> --raised <raised> --by <by> [--database <database>] [--json]",
    discussion: """
      The moment names the answer: one that was changed since is another alert, of which somebody has to take care as well. \
      It exits with 1 then, and nothing is noted. On a server staff alone note it (user=auricle_staff).
      """)

  @Argument(help: "The response, as `auricle study alerts` gives it.") var response: String
  @ArgumentParser.Option(
    help:
      "Moment of the alert, which is needed, as its mail and `auricle study alerts` give it: 2026-03-29T08:00:00Z."
  )
  var raised: String?
  @ArgumentParser.Option(help: "Who has taken care of it.") var by: String
  @OptionGroup var common: CommonOptions

  func run() throws {
    guard by.contains(where: { !$0.isWhitespace }) else {
      throw Failure("--by", found: "nothing", expected: "a name", exit: .usage)
    }
    guard let raised, let moment = Instant(raised) else {
      throw Failure(
        "--raised", found: raised.map { "\"\($0)\"" } ?? "nothing",
        expected: "the moment of the alert, such as 2026-03-29T08:00:00Z",
        remedy: "Its mail tells it (Given), and so does: auricle study alerts", exit: .usage)
    }
    try AlertDelivery(common.open()).acknowledge(response, raised: moment, by: by)
    common.show(["schema": 100, "response": .text(response), "acknowledged_by": .text(by)], "Noted.\n")
  }
}

/// An alert in words.
enum AlertText {
  static func text(_ one: AlertDelivery.Standing) -> String {
    let line =
      "\(one.alert.raised)  \(one.study.title.text), response \(one.alert.response): \(state(one))"
    // Titles and reasons may be those of whoever speaks SQL: none makes a line of its own.
    return line.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n"
  }

  private static func state(_ one: AlertDelivery.Standing) -> String {
    if let name = one.alert.acknowledgedBy { return "\(name) has taken care of it" }
    guard one.isSent else { return "kept here alone; an own study sends nothing" }
    let ahead = one.isAhead ? " (raised by a clock that was ahead: nobody knows since when it waits)" : ""
    let late = one.isOverdue ? ", OVERDUE" + ahead + escalation(one) : ""
    if one.alert.delivered != nil {
      return (one.study.contact?.person.name ?? "the contact") + " was told" + late
    }
    return "NOT DELIVERED (\(one.alert.failure ?? "the study names nobody"))" + late
  }

  /// Nothing where it is the reason that stands before it.
  private static func escalation(_ one: AlertDelivery.Standing) -> String {
    guard let failure = one.escalationFailure, one.alert.delivered != nil || failure != one.alert.failure
    else { return "" }
    return ", not told to the investigator: \(failure)"
  }

  /// For the person who gave the answer.
  static func words(for one: AlertDelivery.Standing) -> String? {
    guard let contact = one.study.contact, one.alert.acknowledged == nil else { return nil }
    let ways = [contact.person.phone, contact.person.email].compactMap(\.self).joined(separator: ", ")
    guard one.isSent else {
      return "This study sends nothing to anybody. Please call or write to \(contact.person.name): \(ways)."
    }
    guard one.alert.delivered == nil else {
      let hours = contact.answersWithin.map { ", who answers within \(NumberText.exact($0)) hours" } ?? ""
      return "\(contact.person.name) of the study was told\(hours)."
    }
    return "\(contact.person.name) of the study could NOT be told. Please call or write: \(ways)."
  }
}
