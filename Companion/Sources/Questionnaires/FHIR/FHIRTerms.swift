/// URLs of FHIR R4 and of this project that a questionnaire's JSON holds.
enum FHIRTerms {
  private static let standard = "http://hl7.org/fhir/StructureDefinition/"
  static let translation = standard + "translation"
  static let minimum = standard + "minValue"
  static let maximum = standard + "maxValue"
  static let unit = standard + "questionnaire-unit"
  static let itemControl = standard + "questionnaire-itemControl"
  static let itemControlSystem = "http://hl7.org/fhir/questionnaire-item-control"
  static let ordinal = standard + "ordinalValue"
  static let maximumOccurrences = standard + "questionnaire-maxOccurs"
  static let unitSystem = "http://unitsofmeasure.org"
  /// Kind where FHIR's type does not tell it, such as `minutes-scroll`.
  static let kind = "urn:auricle:item-kind"
  /// Step of a range; FHIR's own, for sliders, takes whole numbers alone.
  static let step = "urn:auricle:step"
  /// Codes of the answers of `yes-no-dont-know`.
  static let answers = "urn:auricle:answer"
}
