import Base
import Instruments

/// Reason why an instrument may not be asked.
public enum InstrumentObstacle: Sendable, Hashable, CustomStringConvertible {
  /// Its rules are not known here.
  case unknown
  /// Its questionnaire is not in the bundle.
  case noText
  /// Its makers' permission is needed, and the study names no licence.
  case noLicence
  case expired(CalendarDate)
  /// Its makers allow it to those who are not commercial.
  case notForCommerce
  /// It asks about self-harm, and nobody is named who would answer in a stated time, or there is no help page.
  case nobodyAnswers

  public var description: String {
    switch self {
    case .unknown: "its rules are not known here"
    case .noText: "its text is not in the bundle"
    case .noLicence: "its makers' permission is needed, and the study names no licence"
    case .expired(let day): "its licence ended on \(day)"
    case .notForCommerce: "its makers allow it only to those who are not commercial"
    case .nobodyAnswers:
      "it asks about self-harm, and the study has no contact who can be reached and answers within stated hours, or no help page"
    }
  }

  /// Advice to the author.
  var remedy: String {
    switch self {
    case .unknown: "correct its id, or ask its questions without a score"
    case .noText: "put the site's licensed text there as a FHIR questionnaire"
    case .noLicence, .expired: "state holder, number and last day of the site's licence"
    case .notForCommerce: "ask another instrument"
    case .nobodyAnswers: "name contact, \"answers-within-hours\" and \"help-text\", or ask PHQ-8"
    }
  }
}

/// Terms on which a bundle is used.
public struct BundleUse: Sendable, Hashable {
  /// Day of use, against which licences end.
  public var date: CalendarDate
  public var isCommercial: Bool

  public init(on date: CalendarDate, isCommercial: Bool = false) {
    (self.date, self.isCommercial) = (date, isCommercial)
  }
}

extension StudyBundle {
  /// Reason why an instrument of the study may not be asked; nil where it may.
  public func obstacle(to entry: StudyInstrument, _ use: BundleUse) -> InstrumentObstacle? {
    guard let instrument = entry.instrument else { return .unknown }
    guard let file = study.questionnaire(entry.questionnaire)?.file, content[file] != nil else {
      return .noText
    }
    switch instrument.licence {
    case .free: break
    case .freeNonCommercial: if use.isCommercial { return .notForCommerce }
    case .permission, .unknown:
      guard let licence = entry.licence else { return .noLicence }
      if let last = licence.expires, last < use.date { return .expired(last) }
    }
    return entry.id == Instrument.phq9.id && !study.answersSelfHarm ? .nobodyAnswers : nil
  }
}

extension Study {
  /// True with a contact who can be reached and answers within stated hours, and a help page.
  var answersSelfHarm: Bool { contact?.isReachable == true && helpText != nil }
}
