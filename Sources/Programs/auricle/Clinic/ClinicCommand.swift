import ArgumentParser
import Base
import Paper
import Prescriptions

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
    try clinic.folder.checkKey()
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
    // Before a passphrase is asked for.
    try folder.checkUnused()
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
