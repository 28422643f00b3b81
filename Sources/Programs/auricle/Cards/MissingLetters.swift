import Base
import Paper
import Prescriptions

/// Letters of names that the pages' typeface does not have.
enum MissingLetters {
  /// Names that the pages of a prescription print.
  static func names(_ prescription: Prescription) -> [String] {
    let (patient, prescriber) = (prescription.patient, prescription.prescriber)
    return [
      patient.name, patient.reference ?? "", prescriber.name, prescriber.clinic,
      prescription.environment.word,
    ]
  }

  /// Tells on standard error which of them a page shows as boxes.
  static func caution(of texts: [String], on page: String) {
    let missing = PageTypeface.missing(in: texts.joined())
    guard !missing.isEmpty else { return }
    let letters = missing.map(String.init).joined(separator: " ")
    StandardError.write(
      "Caution: the typeface of \(page) has no \(letters); a box is printed instead. The code holds the whole name.\n"
    )
  }
}
