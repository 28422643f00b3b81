public import Control
public import Prescriptions

/// Reads clinics' own cards.
public enum ClinicReading {
  /// - Parameter place: Where the text was found, for messages.
  /// - Throws: ``Failure`` (``ExitStatus/badData``) when it is no clinic's card, or an altered one.
  public static func clinic(on text: String, from place: String) throws(Failure) -> ClinicIdentity {
    do throws(CardError) {
      return try ClinicIdentity(reading: try CardText(reading: text))
    } catch {
      throw Failure(
        place, found: "\(error)", expected: "a clinic's card, as auricle clinic card makes it",
        exit: .badData)
    }
  }
}
