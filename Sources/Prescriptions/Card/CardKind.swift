/// What a card is, said within what is signed, so that none can be taken for another.
enum CardKind: String, CaseIterable {
  /// The type that SMART Health Cards demand of every card of theirs.
  case prescription = "https://smarthealth.cards#health-card"
  case clinic = "urn:auricle:clinic"
  case developerPass = "urn:auricle:developer-pass"
  case bindingPass = "urn:auricle:binding-pass"

  var name: String {
    switch self {
    case .prescription: "a prescription"
    case .clinic: "a clinic's card"
    case .developerPass: "a developer pass"
    case .bindingPass: "a binding pass"
    }
  }
}
