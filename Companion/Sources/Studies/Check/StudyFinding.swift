/// Something that is wrong with a study, or that its researcher should know before publishing it.
public struct StudyFinding: Sendable, Hashable, CustomStringConvertible {
  public let severity: Severity
  public let kind: Kind
  /// Path in the bundle.
  public let file: String
  /// Path of the member, or id of the item; empty: the file as a whole.
  public let place: String
  public let found: String
  public let remedy: String
  /// True for an error that keeps a study from being published, and nobody from beginning or going on with an edition that is: data are
  /// lost by it, and nobody is hurt.
  private(set) var isOfPublishing = false

  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// Keeps the study from being published.
    case error
    case warning
  }

  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A file that cannot be read, an extension that is not known.
    case unreadable
    /// A file that is named and not there, or there and not named.
    case file
    /// A member that a study of its kind must have.
    case incomplete
    /// An id that is given twice.
    case repeated
    /// An id that names nothing.
    case reference
    /// A questionnaire whose conditions contradict its structure, such as a cycle.
    case structure
    /// A question or a module to which nothing leads.
    case unreachable
    case requiredButHidden = "required-but-hidden"
    /// A condition that no answer satisfies, or every one.
    case condition
    /// A question whose range or options cannot be answered, or that gives an instrument no number.
    case question
    case untranslated
    /// Windows that overlap, also because clocks change.
    case overlap
    /// Windows without time because clocks change.
    case vanished
    /// Days, minutes and schedules that do not fit together.
    case days
    /// Kind or settings of a measurement.
    case measurement
    case licence
    /// Questions on self-harm without somebody who answers.
    case safety
    /// Columns of the data set.
    case dictionary
  }

  public init(
    _ kind: Kind, _ file: String, _ place: String, _ found: String, remedy: String,
    severity: Severity = .error
  ) {
    (self.severity, self.kind, self.file, self.place) = (severity, kind, file, place)
    (self.found, self.remedy) = (found, remedy)
  }

  static func warning(
    _ kind: Kind, _ file: String, _ place: String, _ found: String, remedy: String
  ) -> StudyFinding {
    StudyFinding(kind, file, place, found, remedy: remedy, severity: .warning)
  }

  /// An error of a study that is to be published, and a warning of an edition that is.
  static func publishing(
    _ kind: Kind, _ file: String, _ place: String, _ found: String, remedy: String
  ) -> StudyFinding {
    var finding = StudyFinding(kind, file, place, found, remedy: remedy)
    finding.isOfPublishing = true
    return finding
  }

  /// The same of an edition that is published already.
  var ofPublished: StudyFinding {
    isOfPublishing ? .warning(kind, file, place, found, remedy: remedy) : self
  }

  public var description: String {
    "\(severity.rawValue): \(file)\(place.isEmpty ? "" : ", \(place)"): \(found); \(remedy)"
  }
}
