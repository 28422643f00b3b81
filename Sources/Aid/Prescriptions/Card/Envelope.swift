import Base

/// What every card says before its own matter: who issues it, what it is, from when until when.
struct Envelope {
  let issuer: String
  let from: Instant
  let until: Instant?
  let kind: CardKind
  let subject: JSONValue

  /// The payload of the JWS.
  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init(key: "iss", value: .text(issuer)), .init(key: "nbf", value: .number(Double(from.seconds))),
    ]
    if let until { members.append(.init(key: "exp", value: .number(Double(until.seconds)))) }
    members.append(
      .init(key: "vc", value: ["type": [.text(kind.rawValue)], "credentialSubject": subject]))
    return .object(members)
  }
}

/// An envelope as read.
struct ReadEnvelope {
  let from: Instant
  let until: Instant?
  let kind: CardKind
  let subject: JSONPlace
}

extension ReadEnvelope {
  /// - Throws: ``CardError/invalidContent(place:reason:)``.
  init(_ content: JSONPlace) throws(CardError) {
    let members = try content.members("iss", "nbf", "exp", "vc")
    // Who signed is known by the key; the name of the issuer is for other readers of health cards.
    let issuer = try members("iss")
    guard 1...Self.greatestIssuerSize ~= (try issuer.text()).utf8.count else {
      throw issuer.failure("expected 1 to \(Self.greatestIssuerSize) bytes")
    }
    let seconds = Instant.writable.lowerBound.seconds...Instant.writable.upperBound.seconds
    from = Instant(seconds: try members("nbf").integer(seconds))
    if let end = members.optional("exp") {
      until = Instant(seconds: try end.integer(seconds))
    } else {
      until = nil
    }
    let credential = try members("vc").members("type", "credentialSubject")
    let type = try credential("type").elements(1...1)[0]
    guard let kind = CardKind(rawValue: try type.text()) else {
      throw type.failure("found \"\(PrintableText.short(try type.text()))\", not a type of card known here")
    }
    self.kind = kind
    subject = try credential("credentialSubject")
  }

  private static let greatestIssuerSize = 200

  /// - Throws: ``CardError/notYetValid(from:)``, ``CardError/expired(at:)``.
  func checkTime(_ now: Instant) throws(CardError) {
    if now.seconds < from.seconds - Card.clockLeeway { throw .notYetValid(from: from) }
    if let until, now >= until { throw .expired(at: until) }
  }
}
