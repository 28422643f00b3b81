import Acoustics
import ArgumentParser
import Clinic
import Control
import Daemon
import Prescriptions

/// Who a card is for.
struct PatientInput: ParsableArguments {
  @Option(help: ArgumentHelp("The patient's given names.", valueName: "names"))
  var given: String

  @Option(help: ArgumentHelp("The patient's family name.", valueName: "name"))
  var family: String

  @Option(help: ArgumentHelp("The patient's date of birth, year-month-day.", valueName: "date"))
  var born: DayOption

  @Option(help: ArgumentHelp("The clinic's own number for the patient.", valueName: "text"))
  var reference: String?

  func patient() throws(Failure) -> Patient {
    guard born.date.description <= Instant.now.text.prefix(10) else {
      throw Failure(
        "--born", found: "\(born.date), which is still to come", expected: "a date of birth", exit: .usage)
    }
    do throws(PrescriptionError) {
      return try Patient(givenName: given, familyName: family, birthDate: born.date, reference: reference)
    } catch {
      throw Failure("patient", saying: "\(error)", exit: .badData)
    }
  }
}
