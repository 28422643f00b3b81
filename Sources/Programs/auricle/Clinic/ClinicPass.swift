import ArgumentParser
import Base
import Prescriptions

/// `auricle clinic pass`: permissions that a clinic signs for a patient's device.
struct ClinicPass: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pass", abstract: "Sign a pass for a device.",
    subcommands: [ClinicPassDeveloper.self, ClinicPassBind.self, ClinicPassReturn.self])
}

/// Validity, signature and file of a pass.
struct PassOptions: ParsableArguments {
  @Option(
    name: .customLong("within"),
    help: .init("Time within which the pass can be scanned, at most 30d.", valueName: "time"))
  var validity = TimeSpan(seconds: 7 * 86_400)

  @Option(name: .shortAndLong, help: .file("The pass: .png, .svg, .pdf or .txt."), completion: .file())
  var output: String

  @OptionGroup var overwriting: OverwriteOption
  @OptionGroup var clinic: ClinicOption
  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup var form: JSONOption

  func validate() throws {
    guard validity.seconds > DeveloperPass.longestValidity else { return }
    throw ValidationError(
      "--within: found \(validity), expected at most \(TimeSpan(seconds: DeveloperPass.longestValidity)).")
  }

  /// Makes, signs and writes a pass.
  ///
  /// - Parameters:
  ///   - title: Title of the picture, before the serial.
  ///   - message: First sentence of the answer.
  ///   - command: Command that takes it; `auricle rx scan` by default.
  ///   - make: Makes the pass of serial, issue and expiry, and returns its line in the clinic's list and how a key
  ///     signs it.
  func write(
    title: String, _ message: String,
    used command: String = "auricle rx scan",
    _ make: (Int, Instant, Instant) throws -> (IssuedCard, (ClinicKey) throws -> CardText)
  ) throws(Failure) -> DoneReport {
    let file = SignedCardOutput(path: output, overwriting: overwriting)
    try file.check()
    func made(_ serial: Int) throws(Failure) -> (IssuedCard, (ClinicKey) throws -> CardText) {
      let now = Instant.now
      return try Failure.saying("pass", exit: .usage) { try make(serial, now, now + validity.seconds) }
    }
    // Before a passphrase is asked for: all but the serial can be wrong.
    let (sample, _) = try made(Prescription.serials.lowerBound)
    try sample.checkPerson()
    let key = try clinic.folder.unlock(asking: passphrase)
    if let caution = key.identity.caution(ofCardUntil: Instant.now + validity.seconds) {
      StandardError.write("Caution: \(caution)\n")
    }
    let issue = try clinic.folder.issue()
    let serial = issue.serial
    let (line, sign) = try made(serial)
    let card = try Failure.saying("pass", exit: .badData) { try sign(key) }
    let draft = try file.draft(card.text, title: "\(title) \(serial)")
    try issue.commit(line)
    try draft.publish()
    let use =
      file.isReadable
      ? "Load it with: \(command) \(output.shellWord)"
      : "An .svg file is not read; load a photograph of it with: \(command)"
    return DoneReport(
      message: "\(message) \(use)", file: output,
      card: file.answered(card.text))
  }
}

/// `auricle clinic pass developer`.
struct ClinicPassDeveloper: Verb {
  static let configuration = CommandConfiguration(
    commandName: "developer", abstract: "Open a device's debug mode for a stated time.")

  @Option(help: .init("Person whom the pass is for.", valueName: "name")) var holder: String

  @Option(
    name: .customLong("for"),
    help: .init("Time for which debug mode stays open after scanning: 1m to 8h.", valueName: "time"))
  var time = TimeSpan(seconds: 3600)

  @OptionGroup var pass: PassOptions

  func answer() throws -> ExitStatus {
    let message = "Signed a developer's pass for \(time)."
    return try show(
      pass.write(title: "Developer pass", message) { serial, issued, expires in
        let made = try DeveloperPass(
          serial: serial, holder: holder, issued: issued, expires: expires, duration: time.seconds)
        return (IssuedCard(made, file: pass.output), { try $0.sign(made) })
      })
  }
}

/// `auricle clinic pass bind`.
struct ClinicPassBind: Verb {
  static let configuration = CommandConfiguration(
    commandName: "bind", abstract: "Let a device change over to this patient.",
    discussion: "Without it a device refuses cards of anybody but the patient of its first card.")

  @OptionGroup var person: PatientInput
  @OptionGroup var pass: PassOptions

  func answer() throws -> ExitStatus {
    let folder = pass.clinic.folder
    let clinic = try ClinicIdentity(reading: try folder.card(), from: folder.path)
    let patient = try person.patient(of: clinic.name)
    return try show(
      pass.write(title: "Binding pass", "Signed a binding pass.") { serial, issued, expires in
        let made = try BindingPass(serial: serial, patient: patient, issued: issued, expires: expires)
        return (IssuedCard(made, file: pass.output), { try $0.sign(made) })
      })
  }
}

/// `auricle clinic pass return`.
struct ClinicPassReturn: Verb {
  static let configuration = CommandConfiguration(
    commandName: "return", abstract: "Let a clinic's device belong to its owner again.",
    discussion: """
      The device was handed over to this clinic; auricle device shows its number. The pass is for that device and that \
      hand-over alone.
      """)

  @Option(help: .init("Number of the device, which auricle device shows there.", valueName: "number"))
  var device: DeviceNumber

  @OptionGroup var pass: PassOptions

  func answer() throws -> ExitStatus {
    try show(
      pass.write(
        title: "Return pass", "Signed a return pass for device \(device).", used: "auricle device return"
      ) { serial, issued, expires in
        let made = try ReturnPass(serial: serial, device: device, issued: issued, expires: expires)
        return (IssuedCard(made, file: pass.output), { try $0.sign(made) })
      })
  }
}

extension DeviceNumber: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
