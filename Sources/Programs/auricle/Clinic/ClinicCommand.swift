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
