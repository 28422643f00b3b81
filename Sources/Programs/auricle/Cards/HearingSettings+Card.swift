import Base
import Control
import Engine
import Prescriptions
import Service

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
