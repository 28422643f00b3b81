import Acoustics
import ArgumentParser
import Base
import Clinic
import Control
import Glibc
import Prescriptions
import Service

/// Patient of a card.
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

/// Both ears' thresholds: from a file, or typed.
struct AudiogramInput: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Audiogram of both ears: JSON of this project, CSV, or FHIR; or a standard one, N1 to N7, S1 to S3.",
      valueName: "file"), completion: .file())
  var audiogram: String?

  @Option(help: ArgumentHelp("Left ear, typed: \"250:20 500:25 4000:>60 b1000:15\".", valueName: "points"))
  var left: String?

  @Option(help: ArgumentHelp("Right ear, typed.", valueName: "points"))
  var right: String?

  func validate() throws {
    let isTyped = left != nil && right != nil
    guard audiogram != nil && left == nil && right == nil || audiogram == nil && isTyped else {
      throw ValidationError("Expected either --audiogram, or both --left and --right.")
    }
  }

  func audiograms() throws(Failure) -> Binaural<Audiogram> {
    if let left, let right {
      return Binaural(
        left: try ThresholdText.audiogram(left, at: "--left"),
        right: try ThresholdText.audiogram(right, at: "--right"))
    }
    let name = audiogram ?? ""
    if let standard = StandardAudiogram(rawValue: name.uppercased()) {
      return Binaural(both: standard.audiogram)
    }
    return try AudiogramReading.ears(at: name)
  }
}

/// Paths for another process, whose folder is another.
enum AbsolutePath {
  /// - Throws: ``Failure`` when this program's own folder is gone.
  static func of(_ path: String) throws(Failure) -> String {
    guard !path.hasPrefix("/") else { return path }
    guard let current = getcwd(nil, 0) else {
      throw Failure(path, found: "no folder that it could be in", exit: .noInput)
    }
    defer { free(current) }
    return String(cString: current) + "/" + path
  }
}
