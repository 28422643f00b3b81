import ArgumentParser
import Base
import Clinic
import Control
import Prescriptions

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
      let key: ClinicKey
      do throws(ClinicKeyError) {
        key = try ClinicKey(new: name, url: url, created: .now, validUntil: validUntil?.end)
      } catch {
        throw Failure("clinic", saying: "\(error)", exit: .usage)
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
