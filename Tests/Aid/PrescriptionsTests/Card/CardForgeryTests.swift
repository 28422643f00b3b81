import Crypto
import PrescriptionsTesting
import Testing

@testable import Prescriptions

@Suite("Card forgery") struct CardForgeryTests {
  let forge: Forge
  init() throws { forge = try Forge() }

  /// Refusals by the name of their case.
  func refusals(_ texts: some Sequence<String>) -> [String: Int] {
    var counts: [String: Int] = [:]
    for text in texts {
      counts[forge.refusal(text).map(Self.name) ?? "read", default: 0] += 1
    }
    return counts
  }

  static func name(_ error: PrescriptionError) -> String {
    Mirror(reflecting: error).children.first?.label ?? "notACard"
  }

  /// The text with each bit of each byte flipped, one at a time.
  static func flips(_ text: String) -> some Sequence<String> {
    let bytes = Array(text.utf8)
    return (0..<bytes.count * 8).lazy.map { position in
      var flipped = bytes
      flipped[position / 8] ^= 1 << UInt8(position % 8)
      return String(decoding: flipped, as: UTF8.self)
    }
  }

  @Test("of a JWS with any one bit flipped none is read, whichever of all its bits it is")
  func bitFlips() throws {
    let card = try forge.clinic.quickCard(forge.prescription())
    #expect(forge.refusal(card.jws) == nil)
    let counts = refusals(Self.flips(card.jws))
    #expect(counts["read"] == nil)
    #expect(counts.values.reduce(0, +) == card.jws.utf8.count * 8)
    // The signature is what refuses where the form is still right: it covers header and payload.
    #expect(counts["badSignature", default: 0] > card.jws.utf8.count)
    #expect(
      Set(counts.keys).isSubset(of: [
        "badSignature", "malformed", "notACard", "unsupportedAlgorithm", "unknownKey",
      ]))
  }

  @Test("of a QR code's text with any one bit flipped none is read")
  func digitFlips() throws {
    let card = try forge.clinic.quickCard(forge.prescription())
    #expect(refusals(Self.flips(card.text))["read"] == nil)
  }

  @Test(
    "a bit flipped in the bytes of content or signature, and written again as base64url, is a bad signature"
  )
  func byteFlips() throws {
    let parts = try forge.clinic.quickCard(forge.prescription()).jws.split(separator: ".").map(String.init)
    for part in 1...2 {
      let bytes = try #require(Base64URL.bytes(parts[part].utf8))
      for position in 0..<bytes.count * 8 {
        var flipped = bytes
        flipped[position / 8] ^= 1 << UInt8(position % 8)
        var forged = parts
        forged[part] = Base64URL.text(flipped)
        #expect(
          forge.refusal(forged.joined(separator: ".")) == .badSignature(name: "Clinic North"),
          "part \(part), bit \(position)")
      }
    }
  }

  @Test("every shorter beginning of a card is refused")
  func truncation() throws {
    let card = try forge.clinic.quickCard(forge.prescription())
    for text in [card.jws, card.text] {
      for count in 0..<text.utf8.count { #expect(forge.refusal(String(text.prefix(count))) != nil) }
    }
  }

  @Test(
    "a card that names another algorithm is refused by its name, though the signature is right",
    arguments: [
      "none", "None", "NONE", "nOnE", "HS256", "HS384", "HS512", "es256", "Es256", "ES256 ", "ES256K",
      "ES384",
      "ES512", "RS256", "PS256", "EdDSA", "",
    ])
  func algorithms(_ name: String) throws {
    let payload = try Forge.packed(forge.payload())
    let jws = try forge.jws(header: forge.header("\"\(name)\""), packed: payload)
    #expect(forge.refusal(jws) == .unsupportedAlgorithm(name))
  }

  @Test("no signature under \"none\", and a MAC with the public key as its secret under HS256, are refused")
  func confusion() throws {
    let payload = try Base64URL.text(Forge.packed(forge.payload()))
    let unsigned = Base64URL.text(forge.header("\"none\"").utf8) + "." + payload + "."
    #expect(forge.refusal(unsigned) == .unsupportedAlgorithm("none"))
    let signed = Base64URL.text(forge.header("\"HS256\"").utf8) + "." + payload
    for secret in [
      Array(forge.clinic.identity.publicKey.x963Representation),
      Array(forge.clinic.identity.publicKey.pemRepresentation.utf8), Array(forge.clinic.identity.jwk.utf8),
    ] {
      let code = HMAC<SHA256>.authenticationCode(
        for: Array(signed.utf8), using: SymmetricKey(data: secret))
      #expect(forge.refusal(signed + "." + Base64URL.text(code)) == .unsupportedAlgorithm("HS256"))
    }
  }

  @Test(
    "a header of another form is refused before anything is verified",
    arguments: [
      (",\"jwk\":{}", "a member other than"), (",\"crit\":[\"b64\"],\"b64\":false", "a member other than"),
      (",\"jku\":\"https://evil.example\"", "a member other than"),
      (",\"alg\":\"ES256\"", "not a JSON object"),
    ])
  func headers(_ more: String, _ reason: String) throws {
    let payload = try Forge.packed(forge.payload())
    let refusal = forge.refusal(try forge.jws(header: forge.header(more: more), packed: payload))
    guard case .malformed(let found) = refusal else {
      Issue.record("expected a malformed card, found \(String(describing: refusal))")
      return
    }
    #expect(found.contains(reason))
  }

  @Test("a header without algorithm, with one that is no text, and without DEF are refused")
  func incompleteHeaders() throws {
    let payload = try Forge.packed(forge.payload())
    let key = forge.clinic.identity.fingerprint.base64URL
    for (header, reason) in [
      ("{\"zip\":\"DEF\",\"kid\":\"\(key)\"}", "the header names no algorithm"),
      ("{\"zip\":\"DEF\",\"alg\":256,\"kid\":\"\(key)\"}", "the header names no algorithm"),
      ("{\"alg\":\"ES256\",\"kid\":\"\(key)\"}", "expected content packed with DEF"),
      ("{\"zip\":\"DEF\",\"alg\":\"ES256\"}", "expected a key id of 43 base64url characters"),
      (
        "{\"zip\":\"DEF\",\"alg\":\"ES256\",\"kid\":\"\(key)A\"}",
        "expected a key id of 43 base64url characters"
      ),
      ("[]", "the header is not a JSON object in base64url"),
    ] {
      let jws = try forge.jws(header: header, packed: payload)
      // What does not begin with {" in base64 is not even a card.
      #expect(forge.refusal(jws) == (header == "[]" ? .notACard : .malformed(reason: reason)))
    }
  }

  @Test("a card signed with a key that is not the one it names is a bad signature of the clinic it names")
  func wrongKey() throws {
    let payload = try Forge.packed(forge.payload())
    let forged = try forge.jws(packed: payload, key: forge.stranger)
    #expect(forge.refusal(forged) == .badSignature(name: "Clinic North"))
  }

  @Test("a good card whose key id is changed to another trusted clinic's is a bad signature of that one")
  func swappedKeyID() throws {
    let parts = try forge.clinic.quickCard(forge.prescription()).jws.split(separator: ".").map(String.init)
    let header = Base64URL.text(forge.header(kid: forge.stranger).utf8)
    let both = forge.trusted + [TrustedClinic(identity: forge.stranger.identity, enrolled: Forge.issued)]
    let text = [header, parts[1], parts[2]].joined(separator: ".")
    #expect(forge.refusal(text, trusting: both) == .badSignature(name: "Clinic South"))
  }

  @Test("header, content and signature of two good cards do not make a third")
  func splicing() throws {
    let one = try forge.clinic.quickCard(forge.prescription()).jws.split(separator: ".")
    let two = try forge.clinic.quickCard(forge.prescription(expires: Forge.issued + 1000)).jws.split(
      separator: ".")
    let spliced = [one[0], two[1], one[2]].joined(separator: ".")
    #expect(forge.refusal(spliced) == .badSignature(name: "Clinic North"))
  }

  @Test("an unknown key is refused by its fingerprint, also when nobody is trusted")
  func unknownKey() throws {
    let text = try forge.clinic.quickCard(forge.prescription()).text
    let key = forge.clinic.identity.fingerprint
    #expect(forge.refusal(text, trusting: []) == .unknownKey(key))
    let other = TrustedClinic(identity: forge.stranger.identity, enrolled: Forge.issued)
    #expect(forge.refusal(text, trusting: [other]) == .unknownKey(key))
  }

  @Test("a revoked key is refused by name and date; enrolled again later it is read")
  func revokedKey() throws {
    let text = try forge.clinic.quickCard(forge.prescription()).text
    let end = Forge.issued + 5
    let revoked = TrustedClinic(identity: forge.clinic.identity, enrolled: Forge.issued, revoked: end)
    #expect(forge.refusal(text, trusting: [revoked]) == .revokedKey(name: "Clinic North", at: end))
    let again = TrustedClinic(identity: forge.clinic.identity, enrolled: Forge.issued + 10)
    #expect(forge.refusal(text, trusting: [revoked, again]) == nil)
    #expect(forge.refusal(text, trusting: [again, revoked]) == nil)
  }

  @Test("a key is refused from the second at which its validity ends, and signs nothing issued after it")
  func expiredKey() throws {
    let end = Forge.issued + 1000
    let key = try ClinicKey(
      new: "Clinic North", created: Forge.issued, validUntil: end, key: forge.clinic.key)
    let text = try key.sign(forge.prescription()).text
    let clinics = [TrustedClinic(identity: key.identity, enrolled: Forge.issued)]
    #expect(forge.refusal(text, trusting: clinics, at: end + -1) == nil)
    #expect(
      forge.refusal(text, trusting: clinics, at: end) == .expiredKey(name: "Clinic North", at: end))
    let expired = try ClinicKey(
      new: "Clinic North", created: Forge.issued + -2000, validUntil: Forge.issued, key: forge.clinic.key)
    #expect(throws: PrescriptionError.expiredKey(name: "Clinic North", at: Forge.issued)) {
      try expired.sign(forge.prescription())
    }
  }

  @Test("a card is read from two minutes before its issue until the second before it expires")
  func dates() throws {
    let end = Forge.issued + 1000
    let text = try forge.clinic.quickCard(forge.prescription(expires: end)).text
    #expect(forge.refusal(text, at: Forge.issued + -121) == .notYetValid(from: Forge.issued))
    #expect(forge.refusal(text, at: Forge.issued + -120) == nil)
    #expect(forge.refusal(text, at: end + -1) == nil)
    #expect(forge.refusal(text, at: end) == .expired(at: end))
  }

  @Test("a trial's card is refused from the second at which the trial ends")
  func trial() throws {
    let end = Forge.issued + 1000
    let text = try forge.clinic.quickCard(forge.prescription(trialEnds: end)).text
    #expect(forge.refusal(text, at: end + -1) == nil)
    #expect(forge.refusal(text, at: end) == .trialOver(at: end))
  }

  @Test("a key signs no prescription of another clinic")
  func foreignClinic() throws {
    #expect(throws: PrescriptionError.foreignClinic(named: "Clinic North", signing: "Clinic South")) {
      try forge.stranger.sign(forge.prescription())
    }
  }

  @Test("the card names no clinic: a reader takes the name from the enrolled key, and from nowhere else")
  func clinicName() throws {
    let text = try forge.clinic.quickCard(forge.prescription()).text
    #expect(!(try forge.payload()).contains("Clinic North"))
    let renamed = try ClinicKey(new: "Clinic West", created: Forge.issued, key: forge.clinic.key)
    let clinics = [TrustedClinic(identity: renamed.identity, enrolled: Forge.issued)]
    guard case .prescription(let signed) = try Card.read(text, trusting: clinics, at: Forge.issued) else {
      Issue.record("not a prescription")
      return
    }
    #expect(signed.content.prescriber.clinic == "Clinic West")
    guard case .prescription(let shown) = Card.inspect(text, trusting: [], at: Forge.issued).content else {
      Issue.record("not a prescription")
      return
    }
    let fingerprint = forge.clinic.identity.fingerprint.grouped
    #expect(shown.prescriber.clinic == "clinic of key \(fingerprint.prefix(19)) …")
  }

  @Test("a card of one kind is not read as another: the kind is within what is signed")
  func kinds() throws {
    let payload = try forge.payload()
    for kind in CardKind.allCases where kind != .prescription {
      let forged = payload.replacing(CardKind.prescription.rawValue, with: kind.rawValue)
      let refusal = try #require(forge.refusal(forge.jws(forged)))
      #expect(Self.name(refusal) == "invalidContent")
    }
  }
}
