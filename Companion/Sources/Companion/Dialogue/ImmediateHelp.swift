import Base
import Questionnaires
import Records
import Studies

/// The help page of an answer that must not wait and of which no alert could be kept or read: nobody is told
/// of it.
public struct ImmediateHelp: Sendable {
  /// The page itself.
  public let text: String
  /// The study's contact.
  public let contact: Contact?
  /// Language tag of the page.
  public let language: String

  init(_ text: String, _ contact: Contact?, in language: String) {
    (self.text, self.contact, self.language) = (text, contact, language)
  }

  /// The page, with the ways to the contact.
  public var words: String {
    guard let person = contact?.person else { return text + "\n" }
    let ways = [person.phone, person.email].compactMap(\.self).joined(separator: ", ")
    return text + "\n\nNobody has been told of the answer that you have just given. "
      + "Please call or write to \(person.name)\(ways.isEmpty ? "" : ": " + ways).\n"
  }
}

extension SelfHarmWatch {
  /// True for an answer of this question's kind and range that must not wait: others are no answer.
  func isAlarmingAnswer(_ value: AnswerValue, to item: Item) -> Bool {
    do throws(AnswerRefusal) { try item.check(value) } catch { return false }
    return isAlarming(value, to: item)
  }
}

extension Part {
  /// True for an answer, choices by their codes, that must not wait, to a question of the part in a version
  /// that it has or has had.
  func isAlarming(_ text: String, to item: String) -> Bool {
    let watches = ([study] + former.values.map(\.study)).map { SelfHarmWatch($0) }
    let outlines = Array(content.outlines.values) + responses.map(\.outline)
    return outlines.compactMap { $0.item(item) }.contains { item in
      guard let value = AnswerText.value(text, for: item, choosing: .codes) else { return false }
      return watches.contains { $0.isAlarmingAnswer(value, to: item) }
    }
  }
}

extension OwnParts {
  /// The help page for a step that was not taken: of an answer that must not wait, and nil for every other
  /// step.
  ///
  /// It reads nothing from the database, which may be gone.
  ///
  /// - Parameter parts: All of the person's, also those that have ended; those that the step is for first.
  public func help(for step: PersonStep, in parts: [Part]) -> ImmediateHelp? {
    guard case .answer(let key, let text, _) = step,
      let part = parts.first(where: { $0.isAlarming(text, to: key.item) })
    else { return nil }
    let language = surroundings.language
    return ImmediateHelp(part.helpText(in: language), part.study.contact, in: language)
  }

  /// The same where the parts could not be read together with noting a journey: they are read without.
  ///
  /// - Parameter failure: The reason; a database that is gone is not asked again.
  public func help(for step: PersonStep, after failure: Failure) -> ImmediateHelp? {
    guard case .answer = step, failure.exitStatus != .unavailable, let parts = try? unnoted.all() else {
      return nil
    }
    return help(for: step, in: parts)
  }
}
