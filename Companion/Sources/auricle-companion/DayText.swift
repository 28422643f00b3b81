import Almanac
import Base
import Companion
import Instruments
import Questionnaires
import Studies

/// A day's work, in words and as JSON.
enum DayText {
  static func text(of part: Part, at now: Instant, in language: String) -> String {
    let (day, count) = (part.course.day(at: now), part.study.dayCount)
    let title = part.study.title.text(in: language)
    let work = work(of: part, at: now, in: language)
    guard day >= 1 || !work.isEmpty else { return title + " begins on \(part.enrolment.firstDate).\n" }
    guard day > count else {
      return title + " · day \(day) of \(count)\n" + (work.isEmpty ? "  Nothing is due today.\n" : work)
    }
    guard !work.isEmpty else { return title + ": its \(count) days are over.\n" }
    return title + "\n" + work + "  Otherwise its \(count) days are over.\n"
  }

  /// A line for each questionnaire and measurement of today, and of earlier days as far as it is open still.
  private static func work(of part: Part, at now: Instant, in language: String) -> String {
    let zone = part.course.zones.zone(at: now)
    var text = ""
    for due in part.due(at: now) {
      for piece in due.parts {
        text += "  \(state(of: piece, due, part, now, zone))  \(title(of: piece, language))\n"
      }
      if due.parts.isEmpty {
        let (opens, closes) = (due.occurrence.opens, due.occurrence.closes)
        let isLeftOut = due.occurrence.remark == .vanished
        let words = due.isDone ? "done" : isLeftOut ? leftOut : window(opens, closes, now, zone)
        text += "  \(words)  \(measurement(due) ?? due.task.id)\n"
      }
    }
    return text
  }

  /// Name of a measurement for people.
  private static func measurement(_ due: Course.Due) -> String? {
    (due.task.measurement?.kind).map { MeasurementCommand.title(of: $0) }
  }

  private static func title(of piece: Course.Part, _ language: String) -> String {
    (piece.module?.title ?? piece.outline.questionnaire.title).text(in: language)
  }

  private static func state(
    of piece: Course.Part, _ due: Course.Due, _ part: Part, _ now: Instant, _ zone: Zone
  ) -> String {
    if piece.isDone { return "done" }
    let begun =
      piece.progress.answered > 0 ? ", \(piece.progress.answered) of \(piece.progress.shown) answered" : ""
    // One that was begun has the window in which it was.
    guard due.occurrence.remark != .vanished || part.response(to: piece, of: due) != nil else {
      return leftOut
    }
    let answered = part.window(of: piece, in: due)
    return window(answered.opens, answered.closes, now, zone) + begun
  }

  /// A window that nobody could keep: compliance leaves it out too.
  private static let leftOut = "left out by a change of clocks or zones"

  private static func window(_ opens: Instant, _ closes: Instant, _ now: Instant, _ zone: Zone) -> String {
    if now < opens { return "opens at \(zone.local(at: opens).time)" }
    let end = zone.local(at: closes)
    let day = end.date == zone.local(at: now).date ? "" : " on \(end.date)"
    return now < closes ? "open until \(end.time)\(day)" : "missed, it closed at \(end.time)"
  }

  static func report(of part: Part, at now: Instant, in language: String) -> JSONValue {
    let due = part.due(at: now).map { due -> JSONValue in
      let pieces = due.parts.map { piece -> JSONValue in
        [
          "questionnaire": .text(piece.outline.questionnaire.url),
          "module": (piece.module?.id).map { .text($0) },
          "done": .boolean(piece.isDone), "answered": .number(Double(piece.progress.answered)),
          "shown": .number(Double(piece.progress.shown)),
        ]
      }
      // Those of a measurement are its occurrence's.
      let windows = due.parts.map { part.window(of: $0, in: due) }
      let opens = windows.map(\.opens).min() ?? due.occurrence.opens
      let closes = windows.map(\.closes).max() ?? due.occurrence.closes
      let isOpen =
        windows.isEmpty ? due.occurrence.isOpen(at: now) : windows.contains { $0.isOpen(at: now) }
      let isBegun = due.isDone || due.parts.contains { part.response(to: $0, of: due) != nil }
      let isLeftOut = due.occurrence.remark == .vanished && !isBegun
      return [
        "occurrence": .text(due.occurrence.id), "opens": .text("\(opens)"),
        "closes": .text("\(closes)"), "zone": .text(due.occurrence.zoneName),
        "open": .boolean(isOpen), "questionnaires": .array(pieces),
        "measurement": (due.task.measurement?.kind).map { .text("\($0)") },
        "done": .boolean(due.isDone), "remark": isLeftOut ? .text("vanished") : nil,
      ]
    }
    return [
      "study": .text(part.study.id), "version": .text(part.study.version),
      "day": .number(Double(part.course.day(at: now))), "days": .number(Double(part.study.dayCount)),
      "due": .array(due), "offered": OfferWords.report(part, in: language),
    ]
  }
}

/// A score in words and as JSON.
enum ScoreText {
  /// Scores, and below them the makers of each instrument, as they demand.
  static func text(_ given: [GivenScore]) -> String {
    var seen: Set<String> = []
    let instruments = given.compactMap { one in Instrument.all.first { $0.id == one.score.instrument } }
      .filter { seen.insert($0.id).inserted }
    return given.map(text).joined() + "\n"
      + instruments.map { "\($0.name): \($0.attribution)\n" }.joined()
  }

  /// A line, with the day of the answers where there are any, and the number of items that are counted where some are not.
  static func text(_ given: GivenScore) -> String {
    let date = given.occurrence.flatMap { OccurrenceName($0).date }
    return (date.map { "\($0)  " } ?? "") + words(given)
  }

  private static func words(_ given: GivenScore) -> String {
    let score = given.score
    let name = Instrument.all.first { $0.id == score.instrument }?.name ?? score.instrument
    let extent =
      (given.countsAll ? "" : ", \(score.answered) of \(given.itemCount) items counted")
      + (given.isCompleted == false ? ", questionnaire not completed" : "")
    let band = given.finalBand.map { ", \($0.label) (a screening band, no diagnosis)" } ?? ""
    return switch score.outcome {
    case .value(let value):
      "\(name)  \(NumberText.exact(value))\(band)\(extent)\n"
    case .range(let range):
      "\(name)  \(NumberText.exact(range.lowerBound)) to \(NumberText.exact(range.upperBound))\(extent)\n"
    case .absent(let reason): "\(name)  no score: \(reason)\n"
    }
  }

  static func report(_ given: GivenScore) -> JSONValue {
    let score = given.score
    var value: JSONValue?, least: JSONValue?, greatest: JSONValue?, reason: JSONValue?
    switch score.outcome {
    case .value(let number): value = .number(number)
    case .range(let range): (least, greatest) = (.number(range.lowerBound), .number(range.upperBound))
    case .absent(let words): reason = .text(words)
    }
    return [
      "occurrence": given.occurrence.map { .text($0) },
      "completed": given.isCompleted.map { .boolean($0) }, "instrument": .text(score.instrument),
      "rules": .number(Double(score.rules)), "value": value,
      "least": least,
      "greatest": greatest, "absent": reason, "band": (given.finalBand?.label).map { .text($0) },
      "answered": .number(Double(score.answered)),
      "attribution": (Instrument.all.first { $0.id == score.instrument }?.attribution).map { .text($0) },
    ]
  }
}
