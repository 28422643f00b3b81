import Base

/// Fields common to every card: issuer, kind, validity.
struct Envelope {
  let issuer: String
  let from: Instant
  let until: Instant?
  let kind: CardKind
  let subject: JSONValue

  /// The payload of the JWS.
  var json: JSONValue {
    [
      "iss": .text(issuer), "nbf": .number(Double(from.seconds)),
      "exp": until.map { .number(Double($0.seconds)) },
      "vc": ["type": [.text(kind.rawValue)], "credentialSubject": subject],
    ]
  }
}

/// Fields common to every card, as read; the subject is not interpreted yet.
struct ReadEnvelope {
  let from: Instant
  let until: Instant?
  let kind: CardKind
  let subject: JSONPlace
}

extension ReadEnvelope {
  /// - Throws: ``PrescriptionError/invalidContent(place:reason:)``.
  init(_ content: JSONPlace) throws(PrescriptionError) {
    let members = try content.members("iss", "nbf", "exp", "vc")
    // Who signed is known by the key; the name of the issuer is for other readers of health cards.
    let issuer = try members("iss")
    guard 1...Self.greatestIssuerSize ~= (try issuer.text()).utf8.count else {
      throw issuer.failure("expected 1 to \(Self.greatestIssuerSize) bytes")
    }
    let seconds = Instant.writable.lowerBound.seconds...Instant.writable.upperBound.seconds
    from = try members("nbf").integer(seconds).instant
    until = try members.optional("exp")?.integer(seconds).instant
    let credential = try members("vc").members("type", "credentialSubject")
    let type = try credential("type").elements(1...1)[0]
    guard let kind = CardKind(rawValue: try type.text()) else {
      throw type.failure("found \"\(PrintableText.short(try type.text()))\", not a type of card known here")
    }
    self.kind = kind
    subject = try credential("credentialSubject")
  }

  private static let greatestIssuerSize = 200

  /// Lead of a clinic's clock over the device's that is accepted, s. RFC 7519 allows "a few minutes".
  private static let clockLeeway = 120

  /// - Throws: ``PrescriptionError/notYetValid(from:)``, ``PrescriptionError/expired(at:)``.
  func checkTime(_ now: Instant) throws(PrescriptionError) {
    if now.seconds < from.seconds - Self.clockLeeway { throw .notYetValid(from: from) }
    if let until, now >= until { throw .expired(at: until) }
  }
}

extension Int {
  fileprivate var instant: Instant { Instant(seconds: self) }
}

/// Kind of a card, within what is signed, so that no card can be taken for another.
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
