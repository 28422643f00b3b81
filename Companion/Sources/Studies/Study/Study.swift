import Questionnaires

/// Everything that is due, asked, measured and kept in a study, as its `study.json` says it: a site's research study, a programme of
/// fifteen days, a person's own comparison. Published, it is never changed: another version takes its place.
///
/// - Threads: any.
public struct Study: Sendable, Hashable {
  /// Form of `study.json` that this program reads and writes. A newer one is refused.
  public static let newestSchema = 1

  /// Its name among all studies of the world, a URL or URN.
  public var id: String
  /// Such as "1.2.0".
  public var version: String
  public var kind: Kind
  /// Language tags (BCP 47), the main one first: in it every text must be there.
  public var languages: [String]
  public var title: LocalizedText
  public var purpose: LocalizedText
  public var institution: String?
  public var investigator: Person?
  /// Person who is alerted, and when they answer.
  public var contact: Contact?
  public var eligibility: Eligibility
  public var commitment: Commitment
  /// Days that it lasts, from 1.
  public var dayCount: Int
  /// Share of what is due that must be done, 0…1.
  public var minimumCompliance: Double
  /// Kinds of data that leave with a consent, each a tick of its own.
  public var dataTypes: [DataType]
  public var questionnaires: [QuestionnaireFile]
  /// Answers that follow from others.
  public var derived: [DerivedAnswer]
  /// Published instruments among the questionnaires.
  public var instruments: [StudyInstrument]
  public var texts: [StudyText]
  /// ``StudyText/id`` of the page that follows an answer above 0 to the item on self-harm.
  public var helpText: String?
  public var tasks: [StudyTask]
  public var pillars: [Pillar]
  public var modules: [StudyModule]
  /// Days with fixed modules; none where tasks alone say what is due.
  public var days: [StudyDay]
  public var gateways: [Gateway]
  /// Days that modules of open gateways fill.
  public var filling: Filling?
  /// Columns of the data set.
  public var dictionary: [DictionaryEntry]

  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Needs no account and sends nothing.
    case own
    /// A site's, with consent and submission.
    case site
  }

  /// A study in which nothing is due.
  public init(id: String, version: String, kind: Kind, languages: [String], title: LocalizedText) {
    (self.id, self.version, self.kind, self.languages, self.title) = (id, version, kind, languages, title)
    (purpose, dayCount, minimumCompliance) = (title, 1, 0)
    (eligibility, commitment) = (Eligibility(), Commitment(text: title, minutesPerDay: 0))
    (dataTypes, questionnaires, instruments, texts, tasks) = ([], [], [], [], [])
    (pillars, modules, days, gateways, dictionary, derived) = ([], [], [], [], [], [])
  }

  /// Tags beside the main one.
  public var translations: [String] { Array(languages.dropFirst()) }

  public func questionnaire(_ id: String) -> QuestionnaireFile? { questionnaires.first { $0.id == id } }
  public func module(_ id: String) -> StudyModule? { modules.first { $0.id == id } }
  public func task(_ id: String) -> StudyTask? { tasks.first { $0.id == id } }
}

/// A questionnaire of the bundle.
public struct QuestionnaireFile: Sendable, Hashable {
  /// Its name within the study.
  public var id: String
  /// Path in the bundle of a FHIR R4 Questionnaire.
  public var file: String

  public init(_ id: String, file: String) { (self.id, self.file) = (id, file) }
}

/// A text of the bundle, such as that on the study itself, the consent or the help page.
public struct StudyText: Sendable, Hashable {
  public var id: String
  /// Paths in the bundle of CommonMark files, by language.
  public var files: [String: String]

  public init(_ id: String, files: [String: String]) { (self.id, self.files) = (id, files) }
}

/// Something that is asked of people, each with what it asks of their time.
public struct Commitment: Sendable, Hashable {
  public var text: LocalizedText
  /// On the longest day.
  public var minutesPerDay: Double

  public init(text: LocalizedText, minutesPerDay: Double) {
    (self.text, self.minutesPerDay) = (text, minutesPerDay)
  }
}

/// Data of a kind: a tick in the consent, and a switch in the data set.
public struct DataType: Sendable, Hashable {
  /// Such as "answers".
  public var id: String
  public var text: LocalizedText
  /// True when nobody takes part without giving it.
  public var isRequired: Bool

  public init(_ id: String, _ text: LocalizedText, isRequired: Bool = false) {
    (self.id, self.text, self.isRequired) = (id, text, isRequired)
  }
}

/// A column of the data set with its meaning.
public struct DictionaryEntry: Sendable, Hashable {
  /// Name in the data set: small letters, digits and `_`.
  public var column: String
  /// Id of the question whose answer it holds.
  public var item: String
  /// Meaning, where the question's own text does not say it.
  public var text: LocalizedText?

  public init(_ column: String, item: String, text: LocalizedText? = nil) {
    (self.column, self.item, self.text) = (column, item, text)
  }
}
