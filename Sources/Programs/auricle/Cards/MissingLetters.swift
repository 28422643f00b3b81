import Base
import Paper
import Prescriptions

/// Letters of names that a page cannot show as they are: its typeface lacks them, or they would have to join or run from right to left.
enum MissingLetters {
  /// Names that the pages of a prescription print.
  static func names(_ prescription: Prescription) -> [String] {
    let (patient, prescriber) = (prescription.patient, prescription.prescriber)
    return [
      patient.name, patient.reference ?? "", prescriber.name, prescriber.clinic,
      prescription.environment.word,
    ]
  }

  /// Tells on standard error which of them a page shows as boxes, and which in an order or form in which nobody can read them.
  ///
  /// - Parameters:
  ///   - page: The page or pages, for the sentence.
  ///   - source: Card, code or file that has the whole name, for the sentence.
  static func caution(of texts: [String], on page: String, whole source: String = "code") {
    let text = texts.joined()
    let missing = PageTypeface.missing(in: text)
    if !missing.isEmpty {
      StandardError.write(
        "Caution: the typeface of \(page) has no \(list(missing)); a box is printed instead. The \(source) holds the whole name.\n"
      )
    }
    let disordered = PageTypeface.disordered(in: text).filter { !missing.contains($0) }
    if !disordered.isEmpty {
      StandardError.write(
        "Caution: letters are printed one by one from left to right, so that \(list(disordered)) cannot be read; write the name by "
          + "hand on \(page). The \(source) holds the whole name.\n")
    }
  }

  private static func list(_ letters: [Character]) -> String {
    letters.map(String.init).joined(separator: " ")
  }
}
