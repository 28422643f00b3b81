import ArgumentParser
import Base
import Clinic
import Control
import Prescriptions
import Service

/// `auricle clinic pass`: what a clinic may allow on a patient's device.
struct ClinicPass: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pass", abstract: "Sign a pass for a device.",
    subcommands: [ClinicPassDeveloper.self, ClinicPassBind.self])
}

/// `auricle clinic pass developer`.
struct ClinicPassDeveloper: Verb {
  static let configuration = CommandConfiguration(
    commandName: "developer", abstract: "Open a device's debug mode for a stated time.")

  @Option(help: ArgumentHelp("Whom the pass is for.", valueName: "name"))
  var holder: String

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("How long debug mode stays open after scanning: 1m to 8h.", valueName: "time"))
  var time = TimeSpan(seconds: 3600)

  @Option(
    name: .customLong("within"),
    help: ArgumentHelp("How long the pass can be scanned, 30d at most.", valueName: "time"))
  var validity = TimeSpan(seconds: 7 * 86_400)

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The pass: .png, .svg, .pdf or .txt.", valueName: "file"),
    completion: .file())
  var output: String

  @OptionGroup var clinic: ClinicOption
  @OptionGroup var passphrase: PassphraseOption

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      let folder = clinic.folder
      try SignedCardOutput(path: output).check()
      let key = try folder.unlock(asking: passphrase)
      let (now, serial) = (Instant.now, try folder.nextSerial())
      let card = try PassSigning.card { () throws(PrescriptionError) in
        try DeveloperPass(
          serial: serial, holder: holder, issued: now, expires: now + validity.seconds,
          duration: time.seconds)
      } signedBy: { pass throws(CardError) in
        try key.sign(pass)
      }
      try SignedCardOutput(path: output).write(card.text, title: "Developer pass \(serial)")
      print("Signed a developer's pass for \(time). Load it with: auricle rx scan \(output)")
      return .done
    }
  }
}

/// `auricle clinic pass bind`.
struct ClinicPassBind: Verb {
  static let configuration = CommandConfiguration(
    commandName: "bind", abstract: "Let a device change over to this patient.",
    discussion: "Without it a device refuses cards of anybody but the patient of its first card.")

  @OptionGroup var person: PatientInput

  @Option(
    name: .customLong("within"),
    help: ArgumentHelp("How long the pass can be scanned, 30d at most.", valueName: "time"))
  var validity = TimeSpan(seconds: 7 * 86_400)

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The pass: .png, .svg, .pdf or .txt.", valueName: "file"),
    completion: .file())
  var output: String

  @OptionGroup var clinic: ClinicOption
  @OptionGroup var passphrase: PassphraseOption

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      let (patient, folder) = (try person.patient(), clinic.folder)
      try SignedCardOutput(path: output).check()
      let key = try folder.unlock(asking: passphrase)
      let (now, serial) = (Instant.now, try folder.nextSerial())
      let card = try PassSigning.card { () throws(PrescriptionError) in
        try BindingPass(serial: serial, patient: patient, issued: now, expires: now + validity.seconds)
      } signedBy: { pass throws(CardError) in
        try key.sign(pass)
      }
      try SignedCardOutput(path: output).write(card.text, title: "Binding pass \(serial)")
      print("Signed a binding pass. Load it with: auricle rx scan \(output)")
      return .done
    }
  }
}

/// Makes a pass and signs it, with failures that a person can read.
enum PassSigning {
  static func card<Pass>(
    _ make: () throws(PrescriptionError) -> Pass, signedBy sign: (Pass) throws(CardError) -> CardText
  ) throws(Failure) -> CardText {
    let pass: Pass
    do throws(PrescriptionError) {
      pass = try make()
    } catch {
      throw Failure("pass", saying: "\(error)", exit: .usage)
    }
    do throws(CardError) {
      return try sign(pass)
    } catch {
      throw Failure("pass", saying: "\(error)", exit: .badData)
    }
  }
}
