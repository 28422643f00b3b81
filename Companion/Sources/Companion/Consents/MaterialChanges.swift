import Base
import Questionnaires
import Studies

/// Changes between two versions of a study that ask for consent again, as a person reads them.
public enum MaterialChanges {
  /// One line for each, with what was agreed to before.
  ///
  /// - Parameter language: The person's.
  public static func words(_ new: StudyBundle, since old: StudyBundle, in language: String) -> [String] {
    new.materialChanges(since: old).flatMap { words(of: $0, new, old, language) }
  }

  private static func words(
    of member: String, _ bundle: StudyBundle, _ former: StudyBundle, _ language: String
  ) -> [String] {
    let (new, old) = (bundle.study, former.study)
    func quoted(_ text: LocalizedText) -> String { "\"\(text.text(in: language))\"" }
    switch member {
    case "kind": return ["It is \(kind(new)); it was \(kind(old))."]
    case "purpose": return ["Its purpose is \(quoted(new.purpose)); it was \(quoted(old.purpose))."]
    case "institution":
      return ["It is asked by \(new.institution ?? "nobody"); it was by \(old.institution ?? "nobody")."]
    case "investigator":
      return ["Responsible is \(name(new.investigator)); it was \(name(old.investigator))."]
    case "commitment":
      return [
        "It takes \(quoted(new.commitment.text)), \(NumberText.exact(new.commitment.minutesPerDay)) minutes on the longest day; "
          + "it was \(quoted(old.commitment.text)), \(NumberText.exact(old.commitment.minutesPerDay)) minutes."
      ]
    case "duration-days": return ["It lasts \(new.dayCount) days; it was \(old.dayCount)."]
    case "data-types": return dataTypes(new, old, language)
    case "tasks": return tasks(new, old)
    case "texts": return ["The text to which you agree is another."]
    default: return ["It has another \(member)."]
    }
  }

  private static func kind(_ study: Study) -> String {
    study.kind == .own ? "an own study, which sends nothing" : "a site's study"
  }

  private static func name(_ person: Person?) -> String {
    person.map { ([$0.name] + [$0.email, $0.phone].compactMap(\.self)).joined(separator: ", ") } ?? "nobody"
  }

  private static func dataTypes(_ new: Study, _ old: Study, _ language: String) -> [String] {
    func words(_ type: DataType) -> String {
      "\(type.text.text(in: language)) (\(type.isRequired ? "needed" : "as you like"))"
    }
    let added = new.dataTypes.filter { type in !old.dataTypes.contains { $0.id == type.id } }
    let removed = old.dataTypes.filter { type in !new.dataTypes.contains { $0.id == type.id } }
    let changed = new.dataTypes.compactMap { type in
      old.dataTypes.first { $0.id == type.id && $0 != type }.map { (type, $0) }
    }
    let lines =
      added.map { "It also asks for \(words($0))." } + removed.map { "It no longer asks for \(words($0))." }
      + changed.map { "It asks for \(words($0)); it was \(words($1))." }
    return lines.isEmpty ? ["Its kinds of data are in another order."] : lines
  }

  private static func tasks(_ new: Study, _ old: Study) -> [String] {
    func isSame(_ task: StudyTask, _ other: StudyTask) -> Bool {
      task.work == other.work && task.dataType == other.dataType
    }
    let added = new.tasks.filter { old.task($0.id) == nil }.map { "It also asks you to do \"\($0.id)\"." }
    let removed = old.tasks.filter { new.task($0.id) == nil }.map { "It no longer asks for \"\($0.id)\"." }
    let changed = new.tasks.filter { task in old.task(task.id).map { !isSame(task, $0) } ?? false }
      .map { "\"\($0.id)\" asks for something else, or gives another kind of data." }
    return added + removed + changed
  }
}
