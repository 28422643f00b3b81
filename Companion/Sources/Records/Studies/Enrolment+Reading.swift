import Almanac
import Base

extension Enrolment {
  /// Reads a part as the database has it. The tables take more than a step here writes, and a file can be
  /// edited by hand: what cannot be is refused, so that nothing is asked, told or exported by it.
  ///
  /// A part may end before it began, where the clock was set back in between.
  ///
  /// - Parameter stays: Rows of the zones in which the person was.
  /// - Throws: ``ParticipationError/unreadable(_:)`` with the part, what was found and what was expected.
  init(_ row: Row, stays: [Row]) throws(ParticipationError) {
    guard let id = row["id"]?.text, !id.isEmpty else { throw .unreadable("a part without a name") }
    let reading = PartReading(part: RowName.shown(id), row: row)
    guard RowName.isPlain(id) else {
      throw reading.fault("a name with other signs", "letters, digits and -, at most \(RowName.longest)")
    }
    let ended = try reading.moment("ended", "its end")
    let ending = try reading.ending()
    guard (ended == nil) == (ending == nil) else {
      throw reading.fault("an end without its way, or a way without its end", "both, or neither")
    }
    self.init(
      id: id, subject: try reading.name("subject", "its person"),
      studyVersion: try reading.version(), firstDate: try reading.firstDate(),
      seed: try reading.seed(),
      begun: try reading.beginning(), ended: ended, ending: ending, stays: try reading.stays(stays))
  }
}

/// Columns of a part's row. Person and seed are in no message: it may leave with a report.
private struct PartReading {
  let part: String
  let row: Row

  func fault(_ found: String, _ expected: String) -> ParticipationError {
    .unreadable("the part \(part): found \(found), expected \(expected)")
  }

  func name(_ column: String, _ noun: String) throws(ParticipationError) -> String {
    guard let text = row[column]?.text, !text.isEmpty else { throw fault("nothing as \(noun)", "a name") }
    return text
  }

  /// Nil where it was not asked for.
  func seed() throws(ParticipationError) -> UInt64? {
    guard let value = row["seed"] else { return nil }
    guard let number = value.integer else { throw fault("no number as its seed", "a whole number") }
    return UInt64(bitPattern: Int64(number))
  }

  /// SHA-256 as 64 hexadecimal digits.
  func version() throws(ParticipationError) -> String {
    let text = row["study_version"]?.text ?? ""
    let isHash =
      text.utf8.count == 64 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    guard isHash else { throw fault("\"\(text.prefix(64))\" as its study's version", "a SHA-256") }
    return text
  }

  func firstDate() throws(ParticipationError) -> CalendarDate {
    let text = row["first_date"]?.text ?? ""
    guard let date = CalendarDate(text) else {
      throw fault("\"\(text.prefix(64))\" as its first day", "a date such as 2026-03-29")
    }
    return date
  }

  func beginning() throws(ParticipationError) -> Instant {
    guard let moment = try moment("begun", "its beginning") else {
      throw fault("nothing as its beginning", "a moment")
    }
    return moment
  }

  func ending() throws(ParticipationError) -> Enrolment.Ending? {
    guard let text = row["ending"]?.text else { return nil }
    guard let ending = Enrolment.Ending(rawValue: text) else {
      let known = Enrolment.Ending.allCases.map(\.rawValue).joined(separator: " or ")
      throw fault("\"\(text.prefix(64))\" as the way of its end", known)
    }
    return ending
  }

  /// - Returns: Nil for an empty column.
  func moment(_ column: String, _ noun: String) throws(ParticipationError) -> Instant? {
    try instant(row[column], noun)
  }

  /// The first first.
  func stays(_ rows: [Row]) throws(ParticipationError) -> [Enrolment.Stay] {
    guard !rows.isEmpty else { throw fault("no zone in which it was begun", "one or more") }
    var stays: [Enrolment.Stay] = []
    for row in rows {
      guard let since = try instant(row["since"], "the beginning of a stay"),
        let zone = row["zone"]?.text, !zone.isEmpty
      else { throw fault("a stay without a zone", "the zone's name") }
      stays.append(Enrolment.Stay(since: since, zone: zone))
    }
    return stays
  }

  private func instant(_ value: Value?, _ noun: String) throws(ParticipationError) -> Instant? {
    guard let milliseconds = value?.integer else { return nil }
    let (moment, known) = (Instant(milliseconds: milliseconds), Instant.writable)
    guard known.contains(moment) else {
      throw fault(
        "\(milliseconds) ms as \(noun)", "a moment from \(known.lowerBound) to \(known.upperBound)")
    }
    return moment
  }
}

/// Names of parts and responses, as this program gives them. Others are those of somebody who speaks SQL: with spaces, line
/// breaks and signs of a shell they would steer the mail and the command in which they stand.
enum RowName {
  /// Most characters. Own choice: the program's own, UUIDs, have 36.
  static let longest = 64

  /// True for letters, digits and hyphens, of which the first is no hyphen: it would make an option of the name.
  static func isPlain(_ text: String) -> Bool {
    1...longest ~= text.utf8.count && !text.hasPrefix("-") && text.utf8.allSatisfy(isPlain)
  }

  /// A name as a message has it: a question mark in the place of each other sign.
  static func shown(_ text: String) -> String {
    guard !isPlain(text) else { return text }
    let bytes = text.utf8.prefix(longest).map { isPlain($0) ? $0 : UInt8(ascii: "?") }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
