extension ClinicIdentity {
  /// What the clinic's card says.
  var subject: JSONValue {
    var members: [JSONValue.Member] = [.init(key: "name", value: .text(name))]
    if let url { members.append(.init(key: "url", value: .text(url))) }
    members.append(.init(key: "jwk", value: Self.jwk(point)))
    return .object(members)
  }

  /// Reads a clinic's card and checks that the key it carries signed it. Whether it is still valid is not
  /// looked at.
  ///
  /// - Throws: ``CardError``.
  public init(reading card: CardText) throws(CardError) {
    let signed = try SignedContent(card)
    let envelope = try ReadEnvelope(try signed.content())
    guard envelope.kind == .clinic else {
      throw .invalidContent(
        place: "vc.type", reason: "expected a clinic's card, found \(envelope.kind.name)")
    }
    self = try Self(envelope, signed, card)
  }

  init(_ envelope: ReadEnvelope, _ signed: SignedContent, _ card: CardText) throws(CardError) {
    let members = try envelope.subject.members("name", "url", "jwk")
    let key = try Self.key(try members("jwk").members("kty", "crv", "x", "y"))
    guard KeyFingerprint(key) == signed.key else {
      throw .invalidContent(place: "jwk", reason: "it is not the key that the card names as its signer")
    }
    let name = try members("name").text()
    let url = try members.optional("url")?.text()
    guard signed.isSigned(by: key) else { throw .badSignature(name: JSONPlace.shown(name)) }
    do {
      try self.init(name: name, url: url, validUntil: envelope.until, key: key, card: card)
    } catch { throw envelope.subject.failure("\(error)") }
  }
}
