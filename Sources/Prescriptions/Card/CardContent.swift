/// What a card says, whether or not anybody vouches for it.
public enum CardContent: Sendable, Hashable {
  case prescription(Prescription)
  case clinic(ClinicIdentity)
  case developerPass(DeveloperPass)
  case bindingPass(BindingPass)

  /// - Parameter clinic: Name that the clinic goes by whose key the card names.
  init(
    _ envelope: ReadEnvelope, _ signed: SignedContent, _ card: CardText, clinic: String
  ) throws(CardError) {
    self =
      switch envelope.kind {
      case .prescription: .prescription(try PrescriptionBundle.prescription(envelope, clinic: clinic))
      case .clinic: .clinic(try ClinicIdentity(envelope, signed, card))
      case .developerPass: .developerPass(try DeveloperPass(envelope))
      case .bindingPass: .bindingPass(try BindingPass(envelope))
      }
  }
}
