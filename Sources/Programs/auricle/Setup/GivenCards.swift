import Base
import Control
import Prescriptions

/// Texts before the camera, or in a file, as the setup takes them: clinics' own cards, and one prescription at most.
struct GivenCards {
  /// Texts of clinics' own cards, in their order.
  let clinics: [String]
  /// The other text; nil: there is none.
  let prescription: String?

  /// - Parameter place: Named in a message: "camera", or the file.
  /// - Throws: Refused where there are two prescriptions, by one of which somebody would hear by another person's.
  init(_ texts: [String], in place: String) throws(Failure) {
    func isClinics(_ text: String) -> Bool { (try? ClinicIdentity(reading: text, from: place)) != nil }
    clinics = texts.filter(isClinics)
    let others = texts.filter { !isClinics($0) }
    guard others.count < 2 else {
      throw Failure(
        place, found: English.count(others.count, "card"),
        expected: "one prescription, so that nobody hears by another person's",
        remedy: "Give the card for this person alone.", exit: .badData)
    }
    prescription = others.first
  }
}
