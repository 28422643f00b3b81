import Almanac
import Base
import Questionnaires
import Records
import Studies

/// The next step as a program reads it.
public enum StepReport {
  /// - Parameter language: Language tag of the texts; where a text has none of it, its main one stands.
  public static func report(_ step: NextStep, in language: String) -> JSONValue {
    switch step {
    case .help(let page, let part): return help(page, part, language)
    case .ask(let place, let work, let texts):
      let asked: JSONValue? =
        switch place {
        case .again(let key, let count): again(key, count, work, language)
        case .question(let key), .reading(let key): question(key, work, language)
        }
      return frame("question", work, texts, language, asked)
    case .complete(let work, let texts): return frame("complete", work, texts, language, nil)
    case .measure(let due, let part): return measurement(due, part)
    case .nothing(let reason): return nothing(reason)
    }
  }

  // MARK: - Its kinds

  private static func measurement(_ due: Course.Due, _ part: Part) -> JSONValue {
    let settings = due.task.measurement?.settings.sorted { $0.key < $1.key } ?? []
    return [
      "schema": 100, "step": "measurement", "study": .text(part.study.id),
      "version": .text(part.study.version),
      "day": .number(Double(due.day)), "days": .number(Double(part.study.dayCount)),
      "occurrence": .text(due.occurrence.id), "opens": .text("\(due.occurrence.opens)"),
      "closes": .text("\(due.occurrence.closes)"), "zone": .text(due.occurrence.zoneName),
      "kind": (due.task.measurement?.kind.name).map { .text($0) },
      "settings": .object(settings.map { JSONValue.Member(key: $0.key, value: .number($0.value)) }),
      "command": "auricle q today",
    ]
  }

  private static func help(_ page: HelpPage, _ part: Part, _ language: String) -> JSONValue {
    let alerts = page.alerts.map { alert -> JSONValue in
      [
        "response": .text(alert.response), "item": .text(alert.item), "raised": .text("\(alert.raised)"),
        "contact_told": .boolean(alert.delivered != nil), "failure": alert.failure.map { .text($0) },
      ]
    }
    return [
      "schema": 100, "step": "help", "study": .text(part.study.id), "version": .text(part.study.version),
      "language": .text(language), "text": .text(page.text), "contact": part.study.contact.map(contact),
      "alerts": .array(alerts),
    ]
  }

  /// The help page within the report of an answer that was not taken.
  public static func report(_ help: ImmediateHelp) -> JSONValue {
    [
      "language": .text(help.language), "text": .text(help.text), "contact": help.contact.map(contact),
    ]
  }

  private static func contact(_ contact: Contact) -> JSONValue {
    [
      "name": .text(contact.person.name), "phone": contact.person.phone.map { .text($0) },
      "email": contact.person.email.map { .text($0) },
      "answers_within_hours": contact.answersWithin.map { .number($0) },
    ]
  }

  private static func frame(
    _ step: String, _ work: OpenWork, _ texts: [AnswerKey], _ language: String, _ asked: JSONValue?
  ) -> JSONValue {
    let (questionnaire, occurrence) = (work.piece.outline.questionnaire, work.due.occurrence)
    let window = work.window
    let progress = work.display.progress
    let study = work.part.study(version: work.response?.studyVersion ?? "")
    return [
      "schema": 100, "step": .text(step), "study": .text(study.id), "version": .text(study.version),
      "day": .number(Double(work.due.day)), "days": .number(Double(study.dayCount)),
      "occurrence": .text(occurrence.id), "opens": .text("\(window.opens)"),
      "closes": .text("\(window.closes)"), "zone": .text(window.zone),
      "questionnaire": .text(questionnaire.url), "questionnaire_version": .text(questionnaire.version),
      "module": (work.piece.module?.id).map { .text($0) },
      "title": .text((work.piece.module?.title ?? questionnaire.title).text(in: language)),
      "language": .text(language),
      "progress": [
        "answered": .number(Double(progress.answered)), "shown": .number(Double(progress.shown)),
        "required_missing": .number(Double(progress.missing.count)),
      ],
      "texts": .array(
        texts.compactMap { work.piece.outline.item($0.item) }.map { .text($0.text.text(in: language)) }),
      "question": asked,
    ]
  }

  private static func nothing(_ reason: NextStep.Reason) -> JSONValue {
    var word: JSONValue, opens: JSONValue?
    switch reason {
    case .noStudy: word = "no-study"
    case .notBegun(let date): (word, opens) = ("not-begun", .text("\(date)"))
    case .noneOpen(let moment): (word, opens) = ("none-open", moment.map { .text("\($0)") })
    case .over: word = "over"
    }
    return ["schema": 100, "step": "nothing", "reason": word, "opens": opens]
  }

  // MARK: - Questions

  private static func place(_ key: AnswerKey) -> JSONValue {
    .array(key.repetition.map { .number(Double($0 + 1)) })
  }

  private static func again(
    _ key: AnswerKey, _ count: Int, _ work: OpenWork, _ language: String
  ) -> JSONValue {
    let item = work.piece.outline.item(key.item)
    var most: JSONValue?
    if case .group(let repeats?)? = item?.kind { most = .number(Double(repeats)) }
    return [
      "item": .text(key.item), "repetition": place(key), "kind": "another-repetition",
      "text": (item?.text.text(in: language)).map { .text($0) }, "required": false,
      "count": .number(Double(count)), "most": most, "expected": "yes or no",
    ]
  }

  private static func question(_ key: AnswerKey, _ work: OpenWork, _ language: String) -> JSONValue? {
    guard let item = work.piece.outline.item(key.item) else { return nil }
    let range = item.kind.range
    var (own, length): (JSONValue?, JSONValue?)
    var (from, to): (JSONValue?, JSONValue?)
    switch item.kind {
    case .single(_, let other), .multiple(_, let other): own = .boolean(other)
    case .text(let most): length = most.map { .number(Double($0)) }
    case .date(let first, let last):
      (from, to) = (first.map { .text("\($0)") }, last.map { .text("\($0)") })
    default: break
    }
    let options = item.kind.options.map { option -> JSONValue in
      ["code": .text(option.code), "text": .text(option.text.text(in: language))]
    }
    return [
      "item": .text(key.item), "repetition": place(key), "kind": .text(item.kind.word),
      "text": .text(item.text.text(in: language)),
      "help": (item.help?.text(in: language)).map { .text($0) }, "required": .boolean(item.isRequired),
      "options": options.isEmpty ? nil : .array(options), "own_words": own,
      "least": (range?.least).map { .number($0) }, "greatest": (range?.greatest).map { .number($0) },
      "step": (range?.step).map { .number($0) }, "unit": (range?.unit).map { .text($0) },
      "most_letters": length, "from": from, "to": to,
      "expected": .text(AnswerText.expectation(of: item, .codes)),
    ]
  }
}
