import Acoustics
import ArgumentParser
import Base
import Control
import Fitting
import Glibc
import Paper
import Prescriptions
import Service

/// `auricle rx make`: a prescription, looked at, signed, and on a card.
struct MakePrescription: Verb {
  static let configuration = CommandConfiguration(
    commandName: "make", abstract: "Make, show and sign a prescription.",
    discussion: """
      Shows the whole prescription with all findings about the audiogram, and asks before it signs. \
      The audiogram comes from a file (this project's JSON, CSV, FHIR) or is typed: --left "250:20 500:25 \
      1000:30 2000:45 4000:>60" --right "...".
      """)

  @OptionGroup var ears: AudiogramInput
  @OptionGroup var fitting: FittingInput
  @OptionGroup var person: PatientInput

  @Option(help: ArgumentHelp("Person who prescribes.", valueName: "name"))
  var prescriber: String

  @Option(
    help: "Environment that it is for: quiet, conversation-in-noise, music, outdoors, or your own word.",
    completion: .list(ListeningEnvironment.known.map(\.word)))
  var environment = "quiet"

  @Option(help: ArgumentHelp("Last day on which it may be loaded, year-month-day.", valueName: "date"))
  var expires: DayOption?

  /// Trials that a clinic signs, s: those that a patient may begin, one minute to 14 days.
  private static let trials = 60...14 * 86_400

  @Option(help: ArgumentHelp("On trial for this long, 1m to 14d: 20m, 8h.", valueName: "time"))
  var trial: TimeSpan?

  @Option(help: ArgumentHelp("Serial of the prescription that this one replaces.", valueName: "serial"))
  var supersedes: Int?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The card: .png, .svg, .pdf or .txt.", valueName: "file"),
    completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp("Also a printable page for the patient, .pdf.", valueName: "file"),
    completion: .file())
  var sheet: String?

  @Flag(name: .shortAndLong, help: "Sign without asking.")
  var yes = false

  @OptionGroup var clinic: ClinicOption
  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup var form: AnswerOptions
  @OptionGroup var quiet: QuietOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let signed = try one { () throws(Failure) in try sign() }
    if form.json {
      print(try json(signed.json))
    } else if !quiet.quiet {
      let words =
        "Signed prescription \(signed.prescription.serial). Card: \(output)\(sheet.map { "; page: \($0)" } ?? "")"
      if output == "-" { StandardError.write(words + "\n") } else { print(words) }
    }
    return .done
  }

  private func sign() throws(Failure) -> PrescriptionReport {
    let folder = clinic.folder
    try SignedCardOutput(path: output).check()
    if let trial, !Self.trials.contains(trial.seconds) {
      throw Failure("--trial", found: "\(trial)", expected: "1m to 14d", exit: .usage)
    }
    if let sheet { try PageFile(path: sheet).check() }
    let identity = try ClinicIdentity(reading: try folder.card(), from: folder.path)
    // Everything that can be wrong is found before a serial is used up.
    let draft = try prescription(serial: try folder.lastSerial() + 1, clinic: identity)
    let summary = PrescriptionReport(draft, verdict: nil)
    let text = PrescriptionText(summary, style: form.style).text
    if !yes {
      // Beside the question, whatever becomes of the answer.
      StandardError.write(text)
      try confirm()
    } else if !form.json, !quiet.quiet {
      if output == "-" { StandardError.write(text) } else { print(text, terminator: "") }
    }
    let key = try folder.unlock(asking: passphrase)
    // What was shown is what is signed: nothing is read again.
    let final = try numbered(draft, try folder.nextSerial())
    let card: CardText
    do throws(PrescriptionError) {
      card = try key.sign(final)
    } catch {
      throw Failure("card", inWords: "\(error)", exit: .badData)
    }
    try SignedCardOutput(path: output).write(card.text, title: "Prescription \(final.serial)")
    if let sheet {
      try PageFile(path: sheet).write { () throws(PaperError) in
        let report = PrescriptionReport(final, verdict: nil)
        let page = try PrescriptionSheet(report, text: card.text, key: key.identity.fingerprint)
        try page.picture().write(to: sheet, isPrivate: true)
      }
    }
    return PrescriptionReport(
      final,
      verdict: .init(
        isVerified: true, words: "signed now by \(key.identity.name)", key: key.identity.fingerprint.grouped
      ))
  }

  private func prescription(serial: Int, clinic: ClinicIdentity) throws(Failure) -> Prescription {
    let issued = Instant.now
    let patient = try person.patient()
    let (audiograms, plan) = (try ears.audiograms(), try fitting.plan())
    let adjustment = try fitting.adjustment()
    return try Failure.saying("prescription", exit: .badData) {
      try Prescription(
        serial: serial, supersedes: supersedes, patient: patient,
        prescriber: try Prescriber(name: prescriber, clinic: clinic.name),
        environment: try ListeningEnvironment(word: environment), audiograms: audiograms, plan: plan,
        adjustment: adjustment, issued: issued, expires: expires?.end,
        trialEnds: trial.map { issued + $0.seconds })
    }
  }

  private func numbered(_ draft: Prescription, _ serial: Int) throws(Failure) -> Prescription {
    let issued = Instant.now
    return try Failure.saying("prescription", exit: .badData) {
      try Prescription(
        serial: serial, supersedes: draft.supersedes, patient: draft.patient, prescriber: draft.prescriber,
        environment: draft.environment, audiograms: draft.audiograms, plan: draft.plan,
        adjustment: draft.adjustment, issued: issued, expires: draft.expires,
        trialEnds: trial.map { issued + $0.seconds })
    }
  }

  private func confirm() throws(Failure) {
    guard isatty(STDIN_FILENO) == 1 else {
      throw Failure(
        "signing", inWords: "There is no terminal to ask on",
        remedy: "Read the prescription above, then give --yes.", exit: .usage)
    }
    StandardError.write("Sign it? [y/N] ")
    guard let reply = readLine(), ["y", "yes"].contains(reply.lowercased()) else {
      throw Failure("signing", inWords: "The answer was not yes", remedy: "Nothing was signed.", exit: .no)
    }
  }
}
