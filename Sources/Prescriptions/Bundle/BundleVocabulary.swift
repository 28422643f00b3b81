import Acoustics

/// Names that a prescription's bundle uses besides FHIR's own.
enum BundleVocabulary {
  /// SNOMED CT.
  static let bodySites = "http://snomed.info/sct"
  /// Left and right ear structure. From two independent public programs that name both.
  static let ear = Binaural(left: "89644007", right: "25577004")

  /// UCUM, and its code for the decibel. The LOINC codes say that a threshold is a hearing level.
  static let units = "http://unitsofmeasure.org"
  static let decibel = "dB"

  /// Extension of a threshold: true when the other ear was masked.
  static let masked = "urn:auricle:masked"
  /// Extension of a fitting: when the trial ends.
  static let trialEnds = "urn:auricle:trial-ends"

  /// What the fitting is for, in words: the forms of it are the patient's and the clinic's choice.
  static let device = "hearing aid"

  /// Codes of a fitting's parameters.
  static let parameters = "urn:auricle:fitting"
  static let rules = "urn:auricle:rule"
  static let environments = "urn:auricle:environment"

  enum Parameter: String, CaseIterable {
    case rule
    /// Compression ratio, for the rule that leaves it open.
    case ratio
    /// Tool that explicit targets come from.
    case source
    case targetsLeft = "targets-left"
    case targetsRight = "targets-right"
    case tuningLeft = "tuning-left"
    case tuningRight = "tuning-right"
    /// 1 when absent.
    case adaptation
    /// dB SPL.
    case ceiling
    case environment
    /// Nothing when absent.
    case volume
    /// Nothing when absent.
    case tone

    static func targets(_ ear: Ear) -> Parameter { ear == .left ? .targetsLeft : .targetsRight }
    static func tuning(_ ear: Ear) -> Parameter { ear == .left ? .tuningLeft : .tuningRight }
  }
}
