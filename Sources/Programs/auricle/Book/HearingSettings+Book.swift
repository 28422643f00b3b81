import Base
import Control
import Engine
import Prescriptions
import Service

extension HearingSettings {
  /// Puts what the prescription book has in force in place of the configuration's audiogram, as the daemon does.
  ///
  /// - Returns: Its name.
  mutating func followPrescription(by socket: SocketOption) throws(Failure) -> String {
    let door = try BookDoor(socket)
    let book = try door.ask(PrescriptionMethods.List())
    if book.prescriptions.isEmpty, !book.isBound {
      return audiograms == nil ? "no prescription" : "the configuration's audiogram"
    }
    guard let inForce = book.inForce else {
      audiograms = nil
      return "no prescription in force"
    }
    let card = try ShownCard(
      try door.ask(PrescriptionMethods.Card(number: nil)).card, trusting: try door.trustedClinics(),
      from: "prescription book")
    guard let prescription = card.prescription else {
      throw Failure("prescription book", found: "a card that is no prescription", exit: .badData)
    }
    audiograms = prescription.audiograms
    plan = prescription.plan
    return "the prescription in force, number \(inForce.number) (serial \(prescription.serial))"
  }
}
