import Base
import Engine
import Paper
import Prescriptions
import Service

/// A card as it is shown: its content, and the verdict on its signature.
struct ShownCard {
  /// Place of a card in the prescription book, for messages.
  static let book = "prescription book"

  private let text: String
  private let place: String
  /// Its place as an argument of a command that a person copies.
  private let argument: String
  private let inspection: CardInspection
  private let known: [TrustedClinic]
  private let content: CardContent
  /// Trust in it where a clinic's own cards count as signed.
  let standing: CardStanding

  /// - Parameters:
  ///   - text: The card's text.
  ///   - clinics: Trusted clinics.
  ///   - known: A clinic whose name is known although it is not trusted: the one whose own key is kept
  ///     here.
  ///   - place: Name of its source, for messages.
  ///   - argument: The same as an argument of a command; nil: its name.
  /// - Throws: ``Failure`` when nothing can be read from it.
  init(
    _ text: String, trusting clinics: [TrustedClinic], known: [TrustedClinic] = [], from place: String,
    named argument: String? = nil
  ) throws(Failure) {
    inspection = Card.inspect(text, trusting: clinics, naming: known, at: .now)
    if inspection.clinic == nil, !known.isEmpty {
      standing = Card.inspect(text, trusting: known, at: .now).standing
    } else {
      standing = inspection.standing
    }
    guard let content = inspection.content else {
      let reason = inspection.refusal.map { "\($0)" } ?? "nothing that can be read"
      throw Failure(place, found: reason, expected: "a card", exit: .badData)
    }
    (self.content, self.text, self.known) = (content, text, known)
    (self.place, self.argument) = (place, argument ?? place)
  }

  /// A card as the clinics trusted here vouch for it, and the one whose own key is kept here names it.
  ///
  /// - Parameters:
  ///   - clinic: Folder of that key; nil: the usual one.
  ///   - place: Name of its source, for messages.
  ///   - argument: The same as an argument of a command; nil: its name.
  init(
    _ text: String, _ socket: SocketOption, clinic: ClinicFolder? = nil, from place: String = Self.book,
    named argument: String? = nil
  ) throws(Failure) {
    let folder = clinic ?? ClinicFolder(environment: ProcessEnvironment.variables)
    try self.init(
      text, trusting: BookAccess.trustedClinics(socket), known: BookAccess.ownClinic(in: folder),
      from: place, named: argument)
  }

  var isVerified: Bool { inspection.refusal == nil }

  /// The prescription, verified or not; nil when it is another kind of card.
  var prescription: Prescription? {
    if case .prescription(let prescription) = content { prescription } else { nil }
  }

  /// The prescription, verified or not.
  ///
  /// - Parameter use: Its use, a clause for the message.
  /// - Throws: ``Failure`` when it is another kind of card.
  func prescribed(_ use: String = "") throws(Failure) -> Prescription {
    if let prescription { return prescription }
    throw Failure(place, inWords: "This card is not a prescription\(use)", exit: .badData)
  }

  /// Fingerprint of the key that the card names.
  var key: KeyFingerprint? { inspection.key }

  /// Tells on standard error why nobody should rely on what is made of the card: pages, a file for other programs.
  ///
  /// - Returns: Exit status of the command: where nobody known has signed the card that of `auricle rx show`.
  func caution() -> ExitStatus {
    switch standing {
    case .good: return .done
    case .lapsed(let refusal):
      StandardError.write("Caution: \(refusal).\n")
      return .done
    case .unsigned(let refusal):
      StandardError.write("NOT VERIFIED: \(refusal).\n")
      return .no
    }
  }

  /// Writes the pages that a patient is handed.
  ///
  /// - Throws: ``Failure`` when it is no prescription, or the page cannot be written.
  func writePage(to file: PageFile) throws(Failure) {
    let report = PrescriptionReport(try prescribed(", of which a page can be made"), verdict: nil)
    MissingLetters.caution(of: MissingLetters.names(report.prescription), on: "the pages")
    let named = inspection.clinic ?? known.map(\.identity).first { isSigner($0, of: report.prescription) }
    try file.write(
      try PrescriptionSheet(report, text: text, key: key, clinic: named, standing: standing).pages())
  }

  /// True for the clinic of the key that a card names, if its signature gave it the clinic's name.
  private func isSigner(_ clinic: ClinicIdentity, of prescription: Prescription) -> Bool {
    clinic.fingerprint == key && clinic.name == prescription.prescriber.clinic
  }

  /// Draws audiogram and targets.
  ///
  /// - Throws: as ``writePage(to:)``.
  func writePicture(to file: PageFile) throws(Failure) {
    try PrescriptionReport(try prescribed(", which can be drawn"), verdict: verdict).writePicture(to: file)
  }

  private var verdict: PrescriptionReport.Verdict {
    let trusted = "signed by \(inspection.clinic?.name ?? "a clinic"), which is trusted here."
    let words = inspection.refusal.map { "\($0).\(ownSignature)" } ?? trusted
    return PrescriptionReport.Verdict(isVerified: isVerified, words: words, key: inspection.key?.grouped)
  }

  /// A sentence, behind a space, on a card of the clinic whose own key is kept here: that does not make it a trusted one.
  private var ownSignature: String {
    guard case .unknownKey(let key)? = inspection.refusal,
      let own = known.map(\.identity).first(where: { $0.fingerprint == key })
    else { return "" }
    if case .unsigned = standing { return "" }
    return " It is signed with the key of \(own.name) that is kept here; the hearing aid does not trust"
      + " that clinic yet."
  }

  /// Several lines with their breaks.
  func text(_ style: Style) -> String {
    switch content {
    case .prescription(let prescription):
      return PrescriptionReport(prescription, verdict: verdict).text(style)
    case .clinic(let clinic):
      let until = clinic.validUntil.map { "\nSigns until  \($0.localText)" } ?? ""
      let url =
        (clinic.telephone.map { "\nTelephone    \($0)" } ?? "")
        + (clinic.url.map { "\nAddress      \($0)" } ?? "")
      return """
        Clinic       \(clinic.name)\(url)\(until)
        Fingerprint  \(clinic.fingerprint.grouped)
        Trust it, after comparing the fingerprint, with: auricle trust add \(argument)

        """
    case .developerPass(let pass):
      let head = "Developer pass \(pass.serial) for \(pass.holder), \(pass.durationWords)"
      return passText(head, until: pass.expires)
    case .bindingPass(let pass):
      return passText("Binding pass \(pass.serial) for \(pass.patient.name)", until: pass.expires)
    case .returnPass(let pass):
      return passText("Return pass \(pass.serial) for device \(pass.device)", until: pass.expires)
    }
  }

  private func passText(_ head: String, until expiry: Instant) -> String {
    let verdict = "\(isVerified ? "Verified" : "NOT VERIFIED"): \(verdict.words)"
    return "\(head), to be scanned until \(expiry.localText)\n\(verdict)\n"
  }
}

extension PrescriptionReport {
  /// The prescription in words, with its audiogram.
  func text(_ style: Style) -> String {
    PrescriptionText(self, style: style, plot: AudiogramText(prescription.audiograms, style: style).text)
      .text
  }

  /// Draws audiogram and targets; one without a verdict is called not signed.
  ///
  /// - Throws: ``Failure`` when the picture cannot be written.
  func writePicture(to file: PageFile) throws(Failure) {
    let verdict = verdict ?? .init(isVerified: false, words: "not signed yet.", key: nil)
    MissingLetters.caution(of: MissingLetters.names(prescription), on: "the picture", whole: "card")
    try file.write([PrescriptionDrawing(self, verdict: verdict).picture()])
  }
}

extension ShownCard {
  /// `auricle rx show --json`.
  var json: JSONValue {
    switch content {
    case .prescription(let prescription):
      let report = PrescriptionReport(prescription, verdict: verdict)
      return ["schema": 100, "kind": "prescription", "prescription": report.json]
    case .clinic(let clinic):
      return [
        "schema": 100, "kind": "clinic", "name": .text(clinic.name),
        "url": clinic.url.map(JSONValue.text), "telephone": clinic.telephone.map(JSONValue.text),
        "valid_until": clinic.validUntil.map { .text($0.text) },
        "fingerprint": .text(clinic.fingerprint.grouped),
      ]
    case .developerPass(let pass):
      return [
        "schema": 100, "kind": "developer-pass", "verdict": verdict.json,
        "serial": .number(Double(pass.serial)), "holder": .text(pass.holder),
        "duration_seconds": .number(Double(pass.duration)), "expires": .text(pass.expires.text),
      ]
    case .bindingPass(let pass):
      return [
        "schema": 100, "kind": "binding-pass", "verdict": verdict.json,
        "serial": .number(Double(pass.serial)), "expires": .text(pass.expires.text),
      ]
    case .returnPass(let pass):
      return [
        "schema": 100, "kind": "return-pass", "verdict": verdict.json,
        "serial": .number(Double(pass.serial)), "device": .text(pass.device.text),
        "expires": .text(pass.expires.text),
      ]
    }
  }
}

extension HearingSettings {
  /// Puts a card's prescription in place of the audiogram.
  ///
  /// - Returns: Its name.
  /// - Throws: ``Failure`` when it is no prescription, or not signed by one of `clinics`.
  mutating func follow(card file: String, trusting clinics: [TrustedClinic]) throws(Failure) -> String {
    let card = try ShownCard(try CardPlace(named: file).text(), trusting: clinics, from: file)
    let prescription = try card.prescribed()
    guard card.isVerified, let key = card.key else {
      throw Failure(
        file, inWords: "The card is not verified",
        remedy: "The reason: auricle rx show \(CardPlace(named: file).argument)",
        exit: .noPermission)
    }
    self = .heard(self, prescribed: .card(prescription, signedBy: key))
    return "the prescription on \(file) (serial \(prescription.serial))"
  }

  /// Puts what the prescription book has in force in place of the configuration's audiogram, as the daemon
  /// does.
  ///
  /// - Returns: Its name, and the prescription where there is one.
  mutating func followPrescription(
    by socket: SocketOption
  ) throws(Failure) -> (name: String, prescription: Prescription?) {
    try followPrescription(by: try BookAccess(socket))
  }

  /// The same by a book that is open already.
  mutating func followPrescription(
    by access: BookAccess
  ) throws(Failure) -> (name: String, prescription: Prescription?) {
    let book = try access.ask(PrescriptionMethods.List())
    // On a clinic's device the configuration prescribes nothing, as for the aid.
    if book.prescriptions.isEmpty, !book.isBound, DeviceStanding.current.clinicName == nil {
      return (audiograms == nil ? "no prescription" : "the configuration's audiogram", nil)
    }
    guard let inForce = book.inForce else {
      self = .heard(self, prescribed: .nothing)
      return ("no prescription in force", nil)
    }
    let text = try access.card(entry: nil)
    let card = try ShownCard(text, trusting: try access.trustedClinics(), from: ShownCard.book)
    guard let prescription = card.prescription, let key = card.key else {
      throw Failure(ShownCard.book, found: "a card that is not a prescription", exit: .badData)
    }
    self = .heard(self, prescribed: .card(prescription, signedBy: key))
    return (
      "the prescription in force, number \(inForce.number) (serial \(prescription.serial))", prescription
    )
  }
}
