import Almanac
import Base
import Questionnaires
import Records
import SQLiteRecords
import Studies

/// The questions by which a study decides who may take part. Their answers are not kept.
public struct Screening {
  let surroundings: Surroundings
  let person: any Asking

  /// Decision on a person.
  public struct Outcome: Sendable, Hashable {
    /// Criteria that speak against it, each in words; empty where the person may take part.
    public let against: [String]
    /// True where one of them shows the study's help page, or may speak against it and its question was left out.
    public let showsHelp: Bool
  }

  public init(_ surroundings: Surroundings, person: any Asking) {
    (self.surroundings, self.person) = (surroundings, person)
  }

  /// Asks them.
  ///
  /// - Returns: Nil: the person stopped.
  /// - Throws: ``Failure``.
  public func ask(_ bundle: StudyBundle) throws(Failure) -> Outcome? {
    guard let id = bundle.study.eligibility.questionnaire, let questionnaire = bundle.questionnaires[id]
    else { return Outcome(against: [], showsHelp: false) }
    let outline: Outline
    do throws(Outline.Fault) { outline = try Outline(questionnaire) } catch {
      throw Failure(bundle.study.id, inWords: "\(error)", exit: .badData)
    }
    guard let display = try display(of: outline, bundle) else { return nil }
    let eligibility = bundle.study.eligibility
    let showsHelp = bundle.study.showsHelp(by: display)
    switch bundle.study.eligibility(by: display) {
    case .eligible: return Outcome(against: [], showsHelp: false)
    case .undecided(let questions):
      return Outcome(against: questions.map { "not answered: \($0)" }, showsHelp: showsHelp)
    case .ineligible(let ids):
      let criteria = eligibility.criteria.filter { ids.contains($0.id) }
      let words = criteria.map { criterion in
        let text = criterion.text.text(in: surroundings.language)
        return eligibility.inclusion.contains(criterion) ? "This has to be true: \(text)" : text
      }
      return Outcome(against: words, showsHelp: showsHelp)
    }
  }

  /// The questionnaire as it was completed, by the same steps as all other questions, on a database in memory. Nil: the person stopped.
  private func display(of outline: Outline, _ bundle: StudyBundle) throws(Failure) -> Display? {
    let now = surroundings.now()
    let session = Session(subject: OwnParts.subject, at: now)
    let version = StudyVersion(
      study: bundle.study.id, version: bundle.study.version, signer: "", content: [])
    guard let day = CalendarDate(year: 2000, month: 1, day: 1) else { return nil }
    let occurrence = Occurrence(
      id: "eligibility", date: day, number: 1, opens: now, closes: now + 86_400, zoneName: surroundings.zone
    )
    let database: SQLiteDatabase
    do throws(StorageError) {
      database = try SQLiteDatabase(path: ":memory:", isScratch: true)
      try database.migrate(to: .tables(for: .sqlite), at: session)
    } catch { throw Failure(bundle.study.id, inWords: "\(error)", exit: error.exitStatus) }
    var response = try Failure.participating(bundle.study.id) { () throws(ParticipationError) in
      try StudyVersions(database).keep(version, session)
      let part = try Enrolments(database).begin(
        "part", version: version.sha256, on: day, in: surroundings.zone, seed: 0, session)
      return try Responses(database).open("response", occurrence, of: part.id, outline, session)
    }
    let questioner = Questioner(
      database, surroundings, subject: OwnParts.subject, person: person, watch: SelfHarmWatch(bundle.study),
      help: bundle.helpText(in: surroundings.language), contact: bundle.study.contact)
    guard try questioner.ask(&response) == .completed else { return nil }
    return response.display
  }
}
