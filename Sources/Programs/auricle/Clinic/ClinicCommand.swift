import ArgumentParser
import Base
import Control
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
    help: ArgumentHelp(
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
    help: ArgumentHelp(
      "The card: .pdf, .png, .svg or .txt; - for text on standard output.", valueName: "file"),
    completion: .file())
  var output: String

  @OptionGroup var clinic: ClinicOption
  @OptionGroup var form: JSONOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let identity = try one { () throws(Failure) in
      let text = try clinic.folder.card()
      let identity = try ClinicIdentity(reading: text, from: clinic.folder.path)
      if output.lowercased().hasSuffix(".pdf") {
        try PageFile(path: output).write { () throws(PaperError) in
          try ClinicCardSheet(identity).picture().write(to: output, isPrivate: true)
        }
      } else {
        try SignedCardOutput(path: output).write(text, title: identity.name)
      }
      return identity
    }
    guard output != "-" else { return .done }
    try report(
      DoneReport(message: "Wrote \(output). Fingerprint  \(identity.fingerprint.grouped)", file: output))
    return .done
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

  @Option(help: "The clinic's name, as patients know it.")
  var name: String

  @Option(help: ArgumentHelp("The clinic's web address.", valueName: "url"))
  var url: String?

  @Option(
    help: ArgumentHelp(
      "Last day on which the key signs, year-month-day. Default: no end.", valueName: "date"))
  var validUntil: DayOption?

  @OptionGroup var clinic: ClinicOption
  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup var form: AnswerOptions

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let identity = try one { () throws(Failure) in
      let folder = clinic.folder
      guard !folder.exists else {
        // Before a passphrase is asked for.
        throw Failure(
          folder.path, inWords: "A clinic's key is here already",
          remedy: "Use another folder with --clinic.", exit: .cannotCreate)
      }
      let key = try Failure.saying("clinic", exit: .usage) {
        try ClinicKey(new: name, url: url, created: .now, validUntil: validUntil?.end)
      }
      try folder.create(key, passphrase: try passphrase.new(for: "the clinic's key"))
      return key.identity
    }
    if form.json {
      print(
        try json(
          Versioned(report: [
            "name": identity.name, "fingerprint": identity.fingerprint.grouped,
            "folder": clinic.folder.path,
          ])))
    } else {
      print(
        """
        Made the key of \(identity.name) in \(clinic.folder.path).
        Fingerprint  \(identity.fingerprint.grouped)
        Give patients this fingerprint separately from the card. Print the card: auricle clinic card clinic.pdf
        """)
    }
    return .done
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
    help: ArgumentHelp("Time within which the pass can be scanned, at most 30d.", valueName: "time"))
  var validity = TimeSpan(seconds: 7 * 86_400)

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The pass: .png, .svg, .pdf or .txt.", valueName: "file"),
    completion: .file())
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

  @Option(help: ArgumentHelp("Person whom the pass is for.", valueName: "name"))
  var holder: String

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Time for which debug mode stays open after scanning: 1m to 8h.", valueName: "time"))
  var time = TimeSpan(seconds: 3600)

  @OptionGroup var pass: PassOptions

  var isForPrograms: Bool { pass.form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let done = try one { () throws(Failure) in
      try pass.write(title: "Developer pass", "Signed a developer's pass for \(time).") {
        serial, issued, expires in
        let made = try DeveloperPass(
          serial: serial, holder: holder, issued: issued, expires: expires, duration: time.seconds)
        return { try $0.sign(made) }
      }
    }
    try report(done)
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
    let done = try one { () throws(Failure) in
      let patient = try person.patient()
      return try pass.write(title: "Binding pass", "Signed a binding pass.") { serial, issued, expires in
        let made = try BindingPass(serial: serial, patient: patient, issued: issued, expires: expires)
        return { try $0.sign(made) }
      }
    }
    try report(done)
    return .done
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
      throw Failure("--born", inWords: "\(born.date) is in the future", exit: .usage)
    }
    return try Failure.saying("patient", exit: .badData) {
      try Patient(givenName: given, familyName: family, birthDate: born.date, reference: reference)
    }
  }
}
