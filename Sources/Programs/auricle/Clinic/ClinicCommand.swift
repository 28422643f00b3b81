import ArgumentParser
import Base
import Paper
import Prescriptions
import Service

/// `auricle clinic`: the audiologist's own key.
struct ClinicCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clinic", abstract: "Manage the clinic's key, its public card and passes signed with it.",
    subcommands: [ClinicInit.self, ClinicCard.self, ClinicPass.self])
}

/// The clinic whose key is used.
struct ClinicOption: ParsableArguments {
  @Option(
    name: .customLong("clinic"),
    help: .init(
      "Folder of the clinic's key, instead of ~/.local/share/auricle/clinic.", valueName: "folder"),
    completion: .directory)
  var path: String?

  var folder: ClinicFolder {
    path.map(ClinicFolder.init(path:)) ?? ClinicFolder(environment: ProcessEnvironment.variables)
  }
}

/// `auricle clinic card`: the card that patients trust.
struct ClinicCard: Verb {
  static let configuration = CommandConfiguration(
    commandName: "card", abstract: "Write the clinic's public card, which patients' devices trust.",
    discussion: "A .pdf is a page to hand out; .png and .svg are the code alone; .txt is its text.")

  @Argument(
    help: .file("The card: .pdf, .png, .svg or .txt; - for text on standard output."), completion: .file())
  var output: String

  @OptionGroup var clinic: ClinicOption
  @OptionGroup var form: JSONOption

  func answer() throws -> ExitStatus {
    let text = try clinic.folder.card()
    let identity = try ClinicIdentity(reading: text, from: clinic.folder.path)
    if output.lowercased().hasSuffix(".pdf") {
      try PageFile(path: output).write(try ClinicCardSheet(identity).picture())
    } else {
      try SignedCardOutput(path: output).write(text, title: identity.name)
    }
    guard output != "-" else { return .done }
    let message = "Wrote \(output). Fingerprint  \(identity.fingerprint.grouped)"
    return try show(DoneReport(message: message, file: output))
  }
}

/// `auricle clinic init`: a key pair of the clinic's own.
struct ClinicInit: Verb {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make the clinic's key pair.",
    discussion: """
      The private key is sealed with a passphrase and never leaves its folder; without the passphrase nobody \
      can sign, and nobody can recover it. Keep a copy of the folder in a safe place. Hand out the public card: \
      auricle clinic card clinic.pdf
      """)

  @Option(help: "The clinic's name, as patients know it.") var name: String

  @Option(help: .init("The clinic's web address.", valueName: "url")) var url: String?

  @Option(
    help: .init("Last day on which the key signs, year-month-day. Default: no end.", valueName: "date"))
  var validUntil: CalendarDate?

  @OptionGroup var clinic: ClinicOption
  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup var form: AnswerOptions

  func answer() throws -> ExitStatus {
    let folder = clinic.folder
    guard !folder.exists else {
      // Before a passphrase is asked for.
      throw Failure(
        folder.path, inWords: "A clinic's key is here already", remedy: "Use another folder with --clinic.",
        exit: .cannotCreate)
    }
    let key = try Failure.saying("clinic", exit: .usage) {
      try ClinicKey(new: name, url: url, created: .now, validUntil: validUntil.map(Instant.init(endOf:)))
    }
    try folder.create(key, passphrase: try passphrase.new(for: "the clinic's key"))
    let (made, fingerprint) = (key.identity.name, key.identity.fingerprint.grouped)
    return try show(
      Versioned(report: ["name": made, "fingerprint": fingerprint, "folder": folder.path]),
      """
      Made the key of \(made) in \(folder.path).
      Fingerprint  \(fingerprint)
      Give patients this fingerprint separately from the card. Print the card: auricle clinic card clinic.pdf
      """)
  }
}

/// `auricle clinic pass`: permissions that a clinic signs for a patient's device.
struct ClinicPass: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pass", abstract: "Sign a pass for a device.",
    subcommands: [ClinicPassDeveloper.self, ClinicPassBind.self])
}

/// Validity, signature and file of a pass.
struct PassOptions: ParsableArguments {
  @Option(
    name: .customLong("within"),
    help: .init("Time within which the pass can be scanned, at most 30d.", valueName: "time"))
  var validity = TimeSpan(seconds: 7 * 86_400)

  @Option(name: .shortAndLong, help: .file("The pass: .png, .svg, .pdf or .txt."), completion: .file())
  var output: String

  @OptionGroup var clinic: ClinicOption
  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup var form: JSONOption

  /// Makes, signs and writes a pass.
  ///
  /// - Parameters:
  ///   - title: Title of the picture, before the serial.
  ///   - message: First sentence of the answer.
  ///   - make: Makes the pass of serial, issue and expiry, and returns how a key signs it.
  func write(
    title: String, _ message: String,
    _ make: (Int, Instant, Instant) throws -> (ClinicKey) throws -> CardText
  ) throws(Failure) -> DoneReport {
    let file = SignedCardOutput(path: output)
    try file.check()
    let key = try clinic.folder.unlock(asking: passphrase)
    let (now, serial) = (Instant.now, try clinic.folder.nextSerial())
    let sign = try Failure.saying("pass", exit: .usage) { try make(serial, now, now + validity.seconds) }
    let card = try Failure.saying("pass", exit: .badData) { try sign(key) }
    try file.write(card.text, title: "\(title) \(serial)")
    return DoneReport(message: "\(message) Load it with: auricle rx scan \(output)", file: output)
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
        return { try $0.sign(made) }
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
    let patient = try person.patient()
    return try show(
      pass.write(title: "Binding pass", "Signed a binding pass.") { serial, issued, expires in
        let made = try BindingPass(serial: serial, patient: patient, issued: issued, expires: expires)
        return { try $0.sign(made) }
      })
  }
}

/// Patient of a card.
struct PatientInput: ParsableArguments {
  @Option(help: .init("The patient's given names.", valueName: "names")) var given: String

  @Option(help: .init("The patient's family name.", valueName: "name")) var family: String

  @Option(help: .init("The patient's date of birth, year-month-day.", valueName: "date"))
  var born: CalendarDate

  @Option(help: .init("The clinic's own number for the patient.", valueName: "text"))
  var reference: String?

  func patient() throws(Failure) -> Patient {
    guard born.description <= Instant.now.text.prefix(10) else {
      throw Failure("--born", inWords: "\(born) is in the future", exit: .usage)
    }
    return try Failure.saying("patient", exit: .badData) {
      try Patient(givenName: given, familyName: family, birthDate: born, reference: reference)
    }
  }
}
