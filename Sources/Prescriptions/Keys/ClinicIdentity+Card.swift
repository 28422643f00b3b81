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
    guard let content = try signed.contentOfItsOwnKey() else {
      throw .invalidContent(
        place: "the content", reason: "expected a clinic's card, which carries the key that signs it")
    }
    let envelope = try ReadEnvelope(content)
    guard envelope.kind == .clinic else {
      throw .invalidContent(
        place: "vc.type", reason: "expected a clinic's card, found \(envelope.kind.name)")
    }
    self = try Self(envelope, signed, card)
  }

  init(_ envelope: ReadEnvelope, _ signed: SignedContent, _ card: CardText) throws(CardError) {
    let members = try envelope.subject.members("name", "url", "jwk")
    let key = try signed.check(ownKey: try members("jwk"))
    let name = try members("name").text()
    let url = try members.optional("url")?.text()
    do {
      try self.init(name: name, url: url, validUntil: envelope.until, key: key, card: card)
    } catch { throw envelope.subject.failure("\(error)") }
  }
}
