import ArgumentParser
import Base
import Prescriptions
import Service

/// `auricle trust`: clinics whose cards are accepted.
struct Trust: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust", abstract: "Manage the clinics whose cards are accepted.",
    subcommands: [TrustAdd.self, TrustList.self, TrustRevoke.self])
}

/// `auricle trust list`.
struct TrustList: BookReportVerb {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List trusted clinics.")

  @OptionGroup var options: ClientOptions

  func call() -> TrustMethods.List { TrustMethods.List() }
  func text(_ report: ClinicsReport, _ style: Style) -> String {
    ClinicsText(report: report, style: style).text
  }
}

/// `auricle trust revoke`.
struct TrustRevoke: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Stop trusting a clinic.",
    discussion:
      "What was loaded from it stays in force until another is scanned; a trial, until its time is over.")

  @Argument(
    help: .init(
      "The key's fingerprint, or enough of its beginning to tell it from others.", valueName: "fingerprint")
  )
  var fingerprint: String

  @OptionGroup var options: ClientOptions

  func call() -> TrustMethods.Revoke { TrustMethods.Revoke(fingerprint: fingerprint) }
}

/// `auricle trust add`: a clinic, trusted after its fingerprint was compared.
struct TrustAdd: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Trust a clinic, whose cards are accepted from then on.",
    discussion: """
      Shows the clinic's name and its key's fingerprint and asks. Compare the fingerprint with the one \
      that the clinic gives you separately: on paper or by telephone. In a script, give it with --fingerprint.
      """)

  @OptionGroup var source: CardSource

  @Option(
    help: .init(
      "The fingerprint that the clinic gave you; then nothing is asked.", valueName: "fingerprint"))
  var fingerprint: String?

  @OptionGroup var options: ClientOptions

  func call() throws(Failure) -> TrustMethods.Add { try call(with: source.text()) }

  /// The request for a card that was read from the source.
  func call(with card: String) throws(Failure) -> TrustMethods.Add {
    let clinic = try ClinicIdentity(reading: card, from: source.place.name)
    if let error = LookalikeName.refusal(of: clinic.name, field: "clinic's name") {
      throw Failure(source.place.name, inWords: "\(error)", remedy: "Do not trust it.", exit: .badData)
    }
    if let fingerprint {
      guard FingerprintText(fingerprint) == FingerprintText(clinic.fingerprint) else {
        throw Failure(
          source.place.name, found: "the key \(clinic.fingerprint.grouped) of \(clinic.name)",
          expected: "the key \(fingerprint)",
          remedy: "This is another clinic, or the card was exchanged. Do not trust it.",
          exit: .noPermission)
      }
    } else {
      let cautions = clinic.cautions(beside: try BookAccess(options.socket).trustedClinics(), at: .now)
      StandardError.write(
        TextColumns.broken(
          "Clinic       \(clinic.name)\nFingerprint  \(clinic.fingerprint.grouped)\n"
            + cautions.map { "Caution: \($0)\n" }.joined()))
      try Confirmation.ask(
        "Did the clinic give you exactly this fingerprint?", for: "trust",
        instead:
          "Compare the fingerprint with the one that the clinic gave you, then give it with --fingerprint.",
        refused: "Nothing was changed.")
    }
    return TrustMethods.Add(card: card, fingerprint: clinic.fingerprint.grouped)
  }
}
