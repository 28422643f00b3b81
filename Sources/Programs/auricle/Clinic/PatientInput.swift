import ArgumentParser
import Base
import Prescriptions

/// Patient of a card: by name, or by nothing but a reference.
struct PatientInput: ParsableArguments {
  @Option(help: .init("The patient's given names.", valueName: "names")) var given: String?

  @Option(help: .init("The patient's family name.", valueName: "name")) var family: String?

  @Option(help: .init("The patient's date of birth, year-month-day.", valueName: "date"))
  var born: CalendarDate?

  @Option(help: .init("The clinic's own number for the patient, beside the name.", valueName: "text"))
  var reference: String?

  @Option(
    help: .init(
      "The clinic's own number instead of name and date of birth, which then stand nowhere on the card.",
      valueName: "text"))
  var patientReference: String?

  func validate() throws {
    let named = [given != nil, family != nil, born != nil].filter(\.self).count
    guard patientReference == nil ? named == 3 : named == 0 && reference == nil else {
      throw ValidationError("Expected --given, --family and --born, or --patient-reference alone.")
    }
  }

  /// - Parameter clinic: Name of the clinic whose reference it is.
  func patient(of clinic: String) throws(Failure) -> Patient {
    if let born, born.description > Instant.now.text.prefix(10) {
      throw Failure("--born", inWords: "\(born) is in the future", exit: .usage)
    }
    return try Failure.saying("patient", exit: .badData) {
      guard let given, let family, let born else {
        return try Patient(reference: patientReference ?? "", of: clinic)
      }
      return try Patient(givenName: given, familyName: family, birthDate: born, reference: reference)
    }
  }
}
