import Base
import Control
import Engine
import Paper
import Prescriptions
import Service

/// A card as it is shown: its content, and the verdict on its signature.
struct ShownCard {
  let text: String
  let place: String
  private let inspection: CardInspection
  private let content: CardContent

  /// - Parameters:
  ///   - text: The card's text.
  ///   - clinics: Trusted clinics.
  ///   - known: A clinic whose name is known although it is not trusted: the one whose own key is kept
  ///     here.
  ///   - place: Name of its source, for messages.
  /// - Throws: ``Failure`` when nothing can be read from it.
  init(
    _ text: String, trusting clinics: [TrustedClinic], known: [TrustedClinic] = [], from place: String
  ) throws(Failure) {
    inspection = Card.inspect(text, trusting: clinics, naming: known, at: .now)
    guard let content = inspection.content else {
      let reason = inspection.refusal.map { "\($0)" } ?? "nothing that can be read"
      throw Failure(place, found: reason, expected: "a card", exit: .badData)
    }
    self.content = content
    self.text = text
    self.place = place
  }

  var isVerified: Bool { inspection.refusal == nil }

  /// The prescription, verified or not; nil when it is another kind of card.
  var prescription: Prescription? {
    if case .prescription(let prescription) = content { prescription } else { nil }
  }

  /// Fingerprint of the key that the card names.
  var key: KeyFingerprint? { inspection.key }

  /// Writes the page that a patient is handed.
  ///
  /// - Throws: ``Failure`` when it is no prescription, or the page cannot be written.
  func writePage(to path: String) throws(Failure) {
    guard let prescription else {
      throw Failure(
        place, inWords: "This card is not a prescription, of which a page can be made", exit: .badData)
    }
    try PageFile(path: path).write { () throws(PaperError) in
      let report = PrescriptionReport(prescription, verdict: nil)
      try PrescriptionSheet(report, text: text, key: key).picture().write(to: path, isPrivate: true)
    }
  }

  /// Draws audiogram and targets.
  ///
  /// - Throws: as ``writePage(to:)``.
  func writePicture(to path: String) throws(Failure) {
    guard let prescription else {
      throw Failure(place, inWords: "This card is not a prescription, which can be drawn", exit: .badData)
    }
    try PageFile(path: path).write { () throws(PaperError) in
      let report = PrescriptionReport(prescription, verdict: verdict)
      try PrescriptionDrawing(report, verdict: verdict).picture().write(to: path, isPrivate: true)
    }
  }

  private var verdict: PrescriptionReport.Verdict {
    let words =
      inspection.refusal.map { "\($0)." }
      ?? "signed by \(inspection.clinic?.name ?? "a clinic"), which is trusted here."
    return PrescriptionReport.Verdict(isVerified: isVerified, words: words, key: inspection.key?.grouped)
  }

  /// Several lines with their breaks.
  func text(_ style: Style) -> String {
    switch content {
    case .prescription(let prescription):
      return PrescriptionText(PrescriptionReport(prescription, verdict: verdict), style: style).text
    case .clinic(let clinic):
      let until = clinic.validUntil.map { "\nSigns until  \($0.localText)" } ?? ""
      let url = clinic.url.map { "\nAddress      \($0)" } ?? ""
      return """
        Clinic       \(clinic.name)\(url)\(until)
        Fingerprint  \(clinic.fingerprint.grouped)
        Trust it, after comparing the fingerprint, with: auricle trust add \(place)

        """
    case .developerPass(let pass):
      return """
        Developer pass \(pass.serial) for \(pass.holder), \(pass.duration / 60) min, to be scanned until \(pass.expires.localText)
        \(isVerified ? "Verified" : "NOT VERIFIED"): \(verdict.words)

        """
    case .bindingPass(let pass):
      return """
        Binding pass \(pass.serial) for \(pass.patient.name), to be scanned until \(pass.expires.localText)
        \(isVerified ? "Verified" : "NOT VERIFIED"): \(verdict.words)

        """
    }
  }
}

extension ShownCard {
  /// `auricle rx show --json`.
  var json: JSONValue {
    switch content {
    case .prescription(let prescription):
      [
        "schema": .number(100), "kind": "prescription",
        "prescription": PrescriptionReport(prescription, verdict: verdict).json,
      ]
    case .clinic(let clinic):
      [
        "schema": .number(100), "kind": "clinic", "name": .text(clinic.name),
        "url": clinic.url.map(JSONValue.text), "valid_until": clinic.validUntil.map { .text($0.text) },
        "fingerprint": .text(clinic.fingerprint.grouped),
      ]
    case .developerPass(let pass):
      [
        "schema": .number(100), "kind": "developer-pass", "verdict": verdict.json,
        "serial": .number(Double(pass.serial)), "holder": .text(pass.holder),
        "duration_seconds": .number(Double(pass.duration)), "expires": .text(pass.expires.text),
      ]
    case .bindingPass(let pass):
      [
        "schema": .number(100), "kind": "binding-pass", "verdict": verdict.json,
        "serial": .number(Double(pass.serial)), "expires": .text(pass.expires.text),
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
    let texts = try CardPlace(named: file).texts()
    guard texts.count == 1 else {
      throw Failure(file, found: "\(texts.count) cards", expected: "one", exit: .usage)
    }
    let card = try ShownCard(texts[0], trusting: clinics, from: file)
    guard let prescription = card.prescription, let key = card.key else {
      throw Failure(file, inWords: "This card is not a prescription", exit: .badData)
    }
    guard card.isVerified else {
      throw Failure(
        file, inWords: "The card is not verified", remedy: "The reason: auricle rx show \(file)",
        exit: .noPermission)
    }
    self = .heard(self, prescribed: .card(prescription, signedBy: key))
    return "the prescription on \(file) (serial \(prescription.serial))"
  }

  /// Puts what the prescription book has in force in place of the configuration's audiogram, as the daemon
  /// does.
  ///
  /// - Returns: Its name.
  mutating func followPrescription(by socket: SocketOption) throws(Failure) -> String {
    let door = try BookDoor(socket)
    let book = try door.ask(PrescriptionMethods.List())
    if book.prescriptions.isEmpty, !book.isBound {
      return audiograms == nil ? "no prescription" : "the configuration's audiogram"
    }
    guard let inForce = book.inForce else {
      self = .heard(self, prescribed: .nothing)
      return "no prescription in force"
    }
    let card = try ShownCard(
      try door.card(entry: nil), trusting: try door.trustedClinics(), from: "prescription book")
    guard let prescription = card.prescription, let key = card.key else {
      throw Failure("prescription book", found: "a card that is not a prescription", exit: .badData)
    }
    self = .heard(self, prescribed: .card(prescription, signedBy: key))
    return "the prescription in force, number \(inForce.number) (serial \(prescription.serial))"
  }
}
