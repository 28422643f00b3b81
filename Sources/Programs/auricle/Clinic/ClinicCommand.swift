import ArgumentParser
import Base
import Paper
import Prescriptions
import Service

/// `auricle clinic`: the audiologist's own key.
struct ClinicCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clinic", abstract: "Manage the clinic's key, its public card and passes signed with it.",
    subcommands: [ClinicInit.self, ClinicCard.self, ClinicList.self, ClinicPass.self])
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

  /// The folder from which a clinic's name is read: one that is asked for must have it, the usual one need not.
  ///
  /// - Throws: ``Failure`` where the one that is asked for has no clinic's card.
  func naming() throws(Failure) -> ClinicFolder {
    if path != nil { _ = try ClinicIdentity(reading: try folder.card(), from: folder.path) }
    return folder
  }
}

/// `auricle clinic card`: the card that patients trust.
struct ClinicCard: Verb {
  static let configuration = CommandConfiguration(
    commandName: "card", abstract: "Write the clinic's public card, which patients' devices trust.",
    discussion: """
      A .pdf is a page to hand out; .png and .svg are the code alone; .txt is its text. A .json is the key for other \
      readers of health cards, to be published as /.well-known/jwks.json below the clinic's --url.
      """)

  @Argument(
    help: .file("The card: .pdf, .png, .svg, .txt or .json; - for text on standard output."),
    completion: .file())
  var output: String

  @OptionGroup var overwriting: OverwriteOption
  @OptionGroup var clinic: ClinicOption
  @OptionGroup var form: JSONOption

  func answer() throws -> ExitStatus {
    let text = try clinic.folder.card()
    let identity = try ClinicIdentity(reading: text, from: clinic.folder.path)
    let file = SignedCardOutput(path: output, overwriting: overwriting)
    if output.lowercased().hasSuffix(".pdf") {
      MissingLetters.caution(of: [identity.name], on: "the page")
      try PageFile(path: output, overwriting: overwriting).write([try ClinicCardSheet(identity).picture()])
    } else if output.lowercased().hasSuffix(".json") {
      try overwriting.check(output)
      let bytes = Array((identity.keySet + "\n").utf8)
      try rethrowing(
        { Failure.writing(output, $0) },
        try OutputDraft(bytes, to: output, mode: 0o644, replacing: overwriting.overwrite).publish())
    } else {
      try file.check()
      try file.draft(text, title: identity.name).publish()
    }
    let written = output == "-" ? "The card of \(identity.name)" : "Wrote \(output)"
    let message = "\(written). Fingerprint  \(identity.fingerprint.grouped)"
    return try show(DoneReport(message: message, file: output, card: file.answered(text)))
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
    help: .init(
      "The clinic's telephone number, printed on its card and on patients' pages.", valueName: "number"))
  var telephone: String?

  @Option(
    help: .init("Last day on which the key signs, year-month-day. Default: no end.", valueName: "date"))
  var validUntil: CalendarDate?

  @OptionGroup var clinic: ClinicOption
  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup var form: AnswerOptions

  func answer() throws -> ExitStatus {
    let folder = clinic.folder
    guard try !folder.exists else {
      // Before a passphrase is asked for.
      throw Failure(
        folder.path, inWords: "A clinic's key is here already", remedy: "Use another folder with --clinic.",
        exit: .cannotCreate)
    }
    let key = try Failure.saying("clinic", exit: .usage) {
      try ClinicKey(
        new: name, url: url, telephone: telephone, created: .now,
        validUntil: validUntil.map(Instant.init(endOf:)))
    }
    try ClinicFolder.checkName(of: key.identity)
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

/// `auricle clinic list`: the cards that were signed.
struct ClinicList: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the prescriptions and passes that the clinic has signed.",
    discussion: "The list lies in the clinic's folder and names patients.")

  @OptionGroup var clinic: ClinicOption
  @OptionGroup var form: AnswerOptions

  func answer() throws -> ExitStatus {
    let cards = try clinic.folder.issuedCards()
    var table = TextTable([.trailing] + Array(repeating: .leading, count: 5))
    table.append(["Serial", "Issued", "For", "Person", "Replaces", "File"].map(form.style.bold))
    for card in cards {
      table.append([
        "\(card.serial)", card.issued.localText, card.environment ?? card.kind, card.person,
        card.supersedes.map { "\($0)" } ?? "", card.file,
      ])
    }
    return try show(
      ["schema": 100, "issued": .array(cards.map(\.json))] as JSONValue,
      cards.isEmpty ? "No card was signed with this key since lists are kept." : table.text)
  }
}

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
    let issue = try clinic.folder.issue()
    let serial = issue.serial
    let (line, sign) = try made(serial)
    let card = try Failure.saying("pass", exit: .badData) { try sign(key) }
    let draft = try file.draft(card.text, title: "\(title) \(serial)")
    try issue.commit(line)
    try draft.publish()
    return DoneReport(
      message: "\(message) Load it with: \(command) \(output)", file: output,
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
