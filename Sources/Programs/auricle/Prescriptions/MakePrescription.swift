import Acoustics
import ArgumentParser
import Base
import Control
import Paper
import Prescriptions

/// `auricle rx make`: a prescription, looked at, signed, and on a card.
struct MakePrescription: Verb {
  static let configuration = CommandConfiguration(
    commandName: "make", abstract: "Make, show and sign a prescription.",
    discussion: """
      Shows the whole prescription with the audiogram as a plot, the speech that will be audible, and all \
      findings, and asks before it signs. \
      The audiogram comes from a file (this project's JSON, CSV, FHIR) or is typed: --left "250:20 500:25 \
      1000:30 2000:45 4000:>60" --right "...".
      """)

  @OptionGroup var ears: AudiogramInput
  @OptionGroup var fitting: FittingInput
  @OptionGroup var person: PatientInput

  @Option(help: .init("Person who prescribes.", valueName: "name")) var prescriber: String

  @Option(
    help: "Environment that it is for: quiet, conversation-in-noise, music, outdoors, or your own word.",
    completion: .list(ListeningEnvironment.known.map(\.word)))
  var environment = "quiet"

  @Option(help: .init("Last day on which it may be loaded, year-month-day.", valueName: "date"))
  var expires: CalendarDate?

  /// Trials that a clinic signs, s: those that a patient may begin, one minute to 14 days.
  private static let trials = 60...14 * 86_400

  @Option(help: .init("On trial for this long, 1m to 14d: 20m, 8h.", valueName: "time"))
  var trial: TimeSpan?

  @Flag(help: "The patient may make the trial final; otherwise only a new card does.")
  var patientMayAccept = false

  @Option(help: .init("Serial of the prescription that this one replaces.", valueName: "serial"))
  var supersedes: Int?

  @Option(name: .shortAndLong, help: .file("The card: .png, .svg, .pdf or .txt."), completion: .file())
  var output: String

  @Option(help: .file("Also printable pages for the patient, .pdf."), completion: .file())
  var sheet: String?

  @Option(help: .file("Draw audiogram and targets before asking: .png, .svg or .pdf."), completion: .file())
  var picture: String?

  @OptionGroup var overwriting: OverwriteOption

  @Flag(help: "Sign although the FHIR audiogram names another person.") var acceptOtherName = false

  @Flag(name: .shortAndLong, help: "Sign without asking.") var yes = false

  @OptionGroup var clinic: ClinicOption
  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup var form: AnswerOptions
  @OptionGroup var quiet: QuietOption

  func answer() throws -> ExitStatus {
    let (signed, card) = try sign()
    if isForPrograms { print(try JSON.text(signed.json.adding("card", card.map(JSONValue.text)))) }
    let page = sheet.map { "; page: \($0)" } ?? ""
    tell("Signed prescription \(signed.prescription.serial). Card: \(output)\(page)\n")
    return .done
  }

  /// Tells a person, on standard error where the card itself goes to standard output.
  private func tell(_ words: String) {
    guard !isForPrograms, !quiet.quiet else { return }
    if output == "-" { StandardError.write(words) } else { print(words, terminator: "") }
  }

  /// - Returns: The prescription, and its card's text for an answer in JSON; nil: as ``SignedCardOutput/answered(_:)``.
  private func sign() throws(Failure) -> (PrescriptionReport, card: String?) {
    let folder = clinic.folder
    let cardFile = SignedCardOutput(path: output, overwriting: overwriting)
    try cardFile.check()
    if let trial, !Self.trials.contains(trial.seconds) {
      throw Failure("--trial", found: "\(trial)", expected: "1m to 14d", exit: .usage)
    }
    guard trial != nil || !patientMayAccept else {
      throw Failure(
        "--patient-may-accept", inWords: "There is no trial to make final", remedy: "Give --trial too.",
        exit: .usage)
    }
    // Devices take such a word for another environment, in which the card for the known one stays in force.
    if let meant = ListeningEnvironment.lookalike(of: environment) {
      throw Failure(
        "--environment", found: "\"\(environment)\"",
        expected: "\(meant.word), or a word that differs by more than case, spaces and signs",
        remedy: "Did you mean \(meant.word)?", exit: .usage)
    }
    let sheetFile = sheet.map { PageFile(path: $0, overwriting: overwriting) }
    let drawing = picture.map { PageFile(path: $0, overwriting: overwriting) }
    try sheetFile?.check()
    try drawing?.check()
    try RenderingFailures.checkDistinct(read: [], written: [output] + [sheet, picture].compactMap(\.self))
    let identity = try ClinicIdentity(reading: try folder.card(), from: folder.path)
    try folder.checkKey()
    try folder.checkEnd()
    // Everything that can be wrong is found before a serial is used up.
    let last = try folder.lastSerial()
    let prescription = try prescription(of: identity)
    let draft = PrescriptionReport(try prescription(last + 1), verdict: nil)
    try checkNames(draft.prescription)
    if let drawing { try draft.writePicture(to: drawing) }
    let text = draft.text(form.style)
    if sheet != nil {
      MissingLetters.caution(of: MissingLetters.names(draft.prescription), on: "the pages")
    }
    // A trial that is over is not loaded either.
    let ownEnd = [draft.prescription.expires, draft.prescription.trialEnds].compactMap(\.self).min()
    let cautions = [
      identity.caution(ofCardUntil: ownEnd), try folder.replacementCaution(of: draft.prescription),
    ]
    for caution in cautions.compactMap(\.self) { StandardError.write("Caution: \(caution)\n") }
    if yes {
      tell(text)
    } else {
      // Beside the question, whatever becomes of the answer.
      StandardError.write(text)
      try Confirmation.ask(
        "Sign it?", for: "signing", instead: "Read the prescription above, then give --yes.",
        refused: "Nothing was signed.")
    }
    let key = try folder.unlock(asking: passphrase)
    let signer = key.identity
    let issue = try folder.issue()
    let final = try prescription(issue.serial)
    let card: CardText
    do { card = try key.sign(final) } catch { throw Failure("card", inWords: "\(error)", exit: .badData) }
    // The serial is used up once both files are on the disk, and before either has its name.
    let cardDraft = try cardFile.draft(card.text, title: "Prescription \(final.serial)")
    if let sheetFile {
      let report = PrescriptionReport(final, verdict: nil)
      let sheetDraft = try sheetFile.draft(
        try PrescriptionSheet(report, text: card.text, key: signer.fingerprint, clinic: signer).pages())
      try issue.commit(IssuedCard(final, file: output))
      try sheetDraft.publish()
    } else {
      try issue.commit(IssuedCard(final, file: output))
    }
    try cardDraft.publish()
    let report = PrescriptionReport(
      final,
      verdict: .init(
        isVerified: true, words: "signed now by \(signer.name)", key: signer.fingerprint.grouped))
    return (report, cardFile.answered(card.text))
  }

  /// Refuses names that nobody can see as they are: no device takes such a card.
  private func checkNames(_ prescription: Prescription) throws(Failure) {
    let (patient, prescriber) = (prescription.patient, prescription.prescriber)
    guard
      let error = LookalikeName.refusal(of: patient, prescriber: prescriber)
        ?? LookalikeName.refusal(of: patient.words, field: "patient reference")
    else { return }
    throw Failure("prescription", inWords: "\(error)", exit: .badData)
  }

  /// Refuses an audiogram that names somebody other than the patient.
  private func check(_ subjects: Set<FHIRSubject>, are patient: Patient) throws(Failure) {
    guard let other = subjects.first(where: { !$0.isSame(as: patient) }) else { return }
    throw Failure(
      ears.audiogram ?? "--audiogram",
      inWords: "This is the audiogram of \(other.words), and the prescription is for \(patient.words)",
      remedy: "Choose the right file; if both are the same person, give --accept-other-name.",
      exit: .badData)
  }

  /// The prescription of each serial, issued at the time of the call. Files are read now and only now: what was
  /// shown is what is signed.
  private func prescription(
    of clinic: ClinicIdentity
  ) throws(Failure) -> (Int) throws(Failure) -> Prescription {
    let patient = try person.patient(of: clinic.name)
    let (audiograms, subjects) = try ears.audiograms()
    if !acceptOtherName { try check(subjects, are: patient) }
    // No rule makes gain of it, and a table's gain is heard by no ear.
    guard Ear.allCases.contains(where: { !audiograms[$0].airPoints.isEmpty }) else {
      throw Failure(
        "audiogram", found: "no air-conduction threshold of either ear",
        expected: "those of one ear at least",
        exit: .badData)
    }
    let plan = try fitting.plan()
    let adjustment = try fitting.adjustment()
    return { serial throws(Failure) in
      let issued = Instant.now
      return try Failure.saying("prescription", exit: .badData) {
        try Prescription(
          serial: serial, supersedes: supersedes, patient: patient,
          prescriber: try Prescriber(name: prescriber, clinic: clinic.name),
          environment: try ListeningEnvironment(word: environment), audiograms: audiograms, plan: plan,
          adjustment: adjustment, issued: issued, expires: expires.map(Instant.init(endOf:)),
          trialEnds: trial.map { issued + $0.seconds }, wearerMayAccept: patientMayAccept)
      }
    }
  }
}
