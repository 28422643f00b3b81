import Base
import Instruments
import Questionnaires

extension StudyBundle {
  /// Sources of an instrument's items that are not there, come more than once, or give no number that the item takes; of an instrument whose
  /// text the site has not brought, nothing is known.
  ///
  /// - Parameter items: Questions by their ids, with the answers that follow from others.
  func sourceFindings(_ items: [String: Item]) -> [StudyFinding] {
    let repeated = repeatedQuestions
    return study.instruments.enumerated().flatMap { index, entry -> [StudyFinding] in
      guard questionnaires[entry.questionnaire] != nil, let instrument = entry.instrument else { return [] }
      let place = "instruments[\(index)].items"
      return instrument.items.flatMap { item -> [StudyFinding] in
        let source = entry.source(of: item.code)
        let named = source.questions.flatMap { question -> [StudyFinding] in
          guard items[question] != nil else {
            return [
              StudyFinding(
                .reference, Study.file, place, "there is no question \"\(question)\" for item \(item.code)",
                remedy: "name the question under \"items\", or give it this id")
            ]
          }
          return repeated.contains(question) ? [Self.repetition(of: question, place)] : []
        }
        guard case .question(let question) = source, let asked = items[question],
          !study.derived.contains(where: { $0.id == question })
        else { return named }
        return named + asked.numberFindings(for: item, place)
      }
    }
  }

  /// Questions from which a derived answer follows, of the right kind and within a repeated group.
  var repeatedDerivedFindings: [StudyFinding] {
    let repeated = repeatedQuestions
    return study.derived.enumerated().flatMap { index, derived in
      derived.questions.enumerated().filter { repeated.contains($1) }.map { number, question in
        Self.repetition(of: question, "derived[\(index)].of[\(number)]")
      }
    }
  }

  private var repeatedQuestions: Set<String> {
    questionnaires.values.reduce(into: []) { $0.formUnion($1.repeatedItems) }
  }

  /// An alert and a score are by the question alone: a second repetition's answer would raise none, and be mixed with the first.
  private static func repetition(of question: String, _ place: String) -> StudyFinding {
    StudyFinding(
      .question, Study.file, place,
      "\"\(question)\" lies in a repeated group, and it is not known which of its answers counts",
      remedy: "ask it outside of the group")
  }
}

extension Item {
  /// Answers from which an instrument's item gets no number, or one that it does not take. Where a score is possible all the same, a warning.
  fileprivate func numberFindings(for item: InstrumentItem, _ place: String) -> [StudyFinding] {
    let name = "\"\(id)\" for item \(item.code)"
    func finding(
      _ found: String, _ remedy: String, _ severity: StudyFinding.Severity = .error
    ) -> [StudyFinding] {
      [
        StudyFinding(
          .question, Study.file, place, "\(name) \(found)", remedy: remedy, severity: severity)
      ]
    }
    let another = "name another question under \"items\""
    switch kind {
    case .number(let range), .scale(let range), .numberScroll(let range), .minutesScroll(let range):
      if let percent = item.percentPerPoint {
        return percentFindings(range, for: item, percentPerPoint: percent, place)
      }
      guard !item.values.take(all: range, scale: 1) else { return [] }
      return finding(
        "takes numbers that the item does not, which is \(item.values.words): such an answer has no score",
        "give it these limits and steps", .warning)
    case .yesNo, .yesNoDontKnow:
      guard let wrong = [0.0, 1].first(where: { !item.values.contains($0) }) else { return [] }
      return finding(
        "gives \(NumberText.exact(wrong)) for an answer, where the item is \(item.values.words)", another)
    case .single(let options, _):
      let points = options.map(\.points)
      guard points.contains(where: { $0 != nil }) else {
        return finding(
          "has no points, so that it counts as not answered", "give each option its points (ordinalValue)",
          .warning)
      }
      let wrong = options.filter { $0.points.map { !item.values.contains($0) } ?? false }
      let without = options.filter { $0.points == nil }
      return wrong.flatMap { option in
        finding(
          "has \(NumberText.exact(option.points ?? 0)) points for \"\(option.code)\", where the item is \(item.values.words)",
          "correct its points")
      }
        + without.flatMap { option in
          finding(
            "has no points for \"\(option.code)\", which counts as no answer",
            "give it points (ordinalValue), unless it says that the question does not apply", .warning)
        }
    case .text, .email, .multiple, .time, .date, .group, .info:
      return finding("is of the kind \(kind.word), which gives no number", another)
    }
  }

  /// A number for an item that the instrument's form asks in per cent. Where these are not known as such, few per cent have a score, and a
  /// wrong one.
  private func percentFindings(
    _ range: NumberRange, for item: InstrumentItem, percentPerPoint: Double, _ place: String
  ) -> [StudyFinding] {
    let (name, one) = ("\"\(id)\" for item \(item.code)", NumberText.exact(percentPerPoint))
    let points = NumberText.exact(item.values.greatest)
    let limits = "the limits 0 and \(NumberText.exact(item.values.greatest * percentPerPoint))"
    func error(_ found: String) -> [StudyFinding] {
      [
        .publishing(
          .question, Study.file, place, "\(name) \(found)",
          remedy: "give it the unit % and \(limits), or the limits 0 and \(points) without this unit")
      ]
    }
    let scale = item.scale(of: self)
    if range.isPercent, scale == 1 {
      return error("is in % and takes no number beyond \(points): 1 would count as \(one) %")
    }
    guard !item.values.take(all: range, scale: scale) else { return [] }
    let found = "takes numbers that the item does not, which is \(item.values.words)"
    guard range.isPercent else { return error("\(found), and is not in %: 1 would count as \(one) %") }
    return [
      .warning(
        .question, Study.file, place, "\(name) \(found), each of \(one) %: such an answer has no score",
        remedy: "give it \(limits)")
    ]
  }
}

extension InstrumentItem.Values {
  /// Most numbers of a range that are looked at one by one: more than any wheel has (own choice).
  private static let mostSteps = 2_000.0

  /// True when the item takes every number of the range.
  ///
  /// - Parameter scale: Number of the range for 1 of the item.
  fileprivate func take(all range: NumberRange, scale: Double) -> Bool {
    guard let least = range.least.map({ $0 / scale }), let greatest = range.greatest.map({ $0 / scale }),
      contains(least), contains(greatest)
    else { return false }
    if case .number = self { return true }
    guard let step = range.step.map({ $0 / scale }), step > 0, (greatest - least) / step <= Self.mostSteps
    else { return false }
    return stride(from: least, through: greatest, by: step).allSatisfy(contains)
  }
}
