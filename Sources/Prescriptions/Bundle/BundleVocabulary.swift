/// Names that a prescription's bundle uses besides FHIR's own.
enum BundleVocabulary {
  /// UCUM, and its code for the decibel. The codes of thresholds say that they are hearing levels.
  static let units = "http://unitsofmeasure.org"
  static let decibel = "dB"

  /// Extension of a threshold: true when the other ear was masked.
  static let masked = "urn:auricle:masked"

  /// What the request is for, in words: the form of it is the patient's and the clinic's choice.
  static let device = "hearing aid"
  /// The request's one parameter; ``FittingText`` is its value.
  static let fitting = "fitting"
}
