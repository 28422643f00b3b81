import ArgumentParser
import Base
import Clinic
import Control
import Prescriptions
import Service

/// `auricle clinic pass`: permissions that a clinic signs for a patient's device.
struct ClinicPass: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pass", abstract: "Sign a pass for a device.",
    subcommands: [ClinicPassDeveloper.self, ClinicPassBind.self])
}

/// `auricle clinic pass developer`.
struct ClinicPassDeveloper: Verb {
  static let configuration = CommandConfiguration(
    commandName: "developer", abstract: "Open a device's debug mode for a stated time.")

  @Option(help: ArgumentHelp("Person whom the pass is for.", valueName: "name"))
  var holder: String

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Time for which debug mode stays open after scanning: 1m to 8h.", valueName: "time"))
  var time = TimeSpan(seconds: 3600)

  @OptionGroup var pass: PassOptions

  var isForPrograms: Bool { pass.form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      try pass.sign("Developer pass") { serial, now throws(PrescriptionError) in
        try DeveloperPass(
          serial: serial, holder: holder, issued: now, expires: now + pass.validity.seconds,
          duration: time.seconds)
      } with: { key, pass throws(CardError) in
        try key.sign(pass)
      }
    }
    try report(pass.done("Signed a developer's pass for \(time)."))
    return .done
  }
}

/// `auricle clinic pass bind`.
struct ClinicPassBind: Verb {
  static let configuration = CommandConfiguration(
    commandName: "bind", abstract: "Let a device change over to this patient.",
    discussion: "Without it a device refuses cards of anybody but the patient of its first card.")

  @OptionGroup var person: PatientInput
  @OptionGroup var pass: PassOptions

  var isForPrograms: Bool { pass.form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      let patient = try person.patient()
      try pass.sign("Binding pass") { serial, now throws(PrescriptionError) in
        try BindingPass(serial: serial, patient: patient, issued: now, expires: now + pass.validity.seconds)
      } with: { key, pass throws(CardError) in
        try key.sign(pass)
      }
    }
    try report(pass.done("Signed a binding pass."))
    return .done
  }
}

/// Validity, signature and file of a pass.
struct PassOptions: ParsableArguments {
  @Option(
    name: .customLong("within"),
    help: ArgumentHelp("Time within which the pass can be scanned, at most 30d.", valueName: "time"))
  var validity = TimeSpan(seconds: 7 * 86_400)

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The pass: .png, .svg, .pdf or .txt.", valueName: "file"),
    completion: .file())
  var output: String

  @OptionGroup var clinic: ClinicOption
  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup var form: JSONOption

  /// Makes a pass, signs it and writes it to the output.
  ///
  /// - Parameters:
  ///   - kind: Title of the picture, without the serial.
  ///   - make: Makes the pass of a serial, issued at a time.
  ///   - sign: Signs it with the clinic's key.
  func sign<Pass>(
    _ kind: String, _ make: (Int, Instant) throws(PrescriptionError) -> Pass,
    with sign: (ClinicKey, Pass) throws(CardError) -> CardText
  ) throws(Failure) {
    let file = SignedCardOutput(path: output)
    try file.check()
    let key = try clinic.folder.unlock(asking: passphrase)
    let serial = try clinic.folder.nextSerial()
    let pass: Pass
    do throws(PrescriptionError) {
      pass = try make(serial, .now)
    } catch {
      throw Failure("pass", saying: "\(error)", exit: .usage)
    }
    let card: CardText
    do throws(CardError) {
      card = try sign(key, pass)
    } catch {
      throw Failure("pass", saying: "\(error)", exit: .badData)
    }
    try file.write(card.text, title: "\(kind) \(serial)")
  }

  func done(_ message: String) -> DoneReport {
    DoneReport(message: "\(message) Load it with: auricle rx scan \(output)", file: output)
  }
}

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
        "--born", inWords: "\(born.date) is in the future", exit: .usage)
    }
    do throws(PrescriptionError) {
      return try Patient(givenName: given, familyName: family, birthDate: born.date, reference: reference)
    } catch {
      throw Failure("patient", saying: "\(error)", exit: .badData)
    }
  }
}
