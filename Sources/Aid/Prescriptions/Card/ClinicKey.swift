import Base
import Crypto
import CryptoExtras

/// A clinic's private key with the clinic's own card.
///
/// - Threads: any.
package struct ClinicKey: Sendable {
  package private(set) var identity: ClinicIdentity
  let key: P256.Signing.PrivateKey
}

extension ClinicKey {
  /// Signs a clinic's card with the clinic's key.
  ///
  /// - Parameters:
  ///   - name: As patients know the clinic.
  ///   - url: The clinic's page, `https://…`.
  ///   - telephone: The clinic's telephone number, as people write it.
  ///   - created: The card is valid from then.
  ///   - validUntil: Cards signed with the key are refused after it; nil: no end.
  ///   - key: By default a new one.
  /// - Throws: ``PrescriptionError`` naming what does not fit.
  package init(
    new name: String, url: String? = nil, telephone: String? = nil, created: Instant,
    validUntil: Instant? = nil,
    key: P256.Signing.PrivateKey = P256.Signing.PrivateKey()
  ) throws(PrescriptionError) {
    try created.check("creation")
    try validUntil?.check("end of the key", after: created)
    // Checked before it is signed; the card itself comes after.
    let draft = try ClinicIdentity(
      name: name, url: url, telephone: telephone, validUntil: validUntil, key: key.publicKey,
      card: CardText(jws: ""))
    self.init(identity: draft, key: key)
    identity.card = try sign(content(.clinic, draft.subject, from: created, until: validUntil))
  }

  /// Signs a prescription. Its card does not name the clinic: whoever reads it takes the name from the key.
  ///
  /// - Throws: ``PrescriptionError/foreignClinic(named:signing:)`` when the prescriber's clinic is not the
  ///   key's, ``PrescriptionError/expiredKey(name:at:)`` when it is issued after the key's end,
  ///   ``PrescriptionError/tooLarge(size:limit:)``, ``PrescriptionError/signingFailed(reason:)`` also when the card
  ///   would not be read as the prescription.
  package func sign(_ prescription: Prescription) throws(PrescriptionError) -> CardText {
    try sign(content(of: prescription), of: .prescription(prescription))
  }

  /// Signs a developer pass; throws as ``sign(_:)-(Prescription)``.
  package func sign(_ pass: DeveloperPass) throws(PrescriptionError) -> CardText {
    try sign(
      content(.developerPass, pass.subject, from: pass.issued, until: pass.expires),
      of: .developerPass(pass))
  }

  /// Signs a binding pass; throws as ``sign(_:)-(Prescription)``.
  package func sign(_ pass: BindingPass) throws(PrescriptionError) -> CardText {
    try sign(
      content(.bindingPass, pass.subject, from: pass.issued, until: pass.expires), of: .bindingPass(pass))
  }

  /// Signs a return pass; throws as ``sign(_:)-(Prescription)``.
  package func sign(_ pass: ReturnPass) throws(PrescriptionError) -> CardText {
    try sign(
      content(.returnPass, pass.subject, from: pass.issued, until: pass.expires), of: .returnPass(pass))
  }

  /// Signs a card and reads it again as a device does, but for the signature, so that nobody is handed one that no device takes.
  private func sign(
    _ content: JSONValue, of decision: CardContent
  ) throws(PrescriptionError) -> CardText {
    let card = try sign(content)
    let read: CardContent
    do throws(PrescriptionError) {
      let signed = try SignedContent(card)
      read = try CardContent(Envelope(try signed.content()), signed, card, clinic: identity.name)
    } catch { throw .signingFailed(reason: "no device would read the card: \(error)") }
    guard read == decision else {
      throw .signingFailed(
        reason: "a device would read something else than was given; write names and words in plainer"
          + " characters")
    }
    return card
  }

  private func sign(_ content: JSONValue) throws(PrescriptionError) -> CardText {
    let header: JSONValue = ["zip": "DEF", "alg": "ES256", "kid": .text(identity.fingerprint.base64URL)]
    let packed = try Deflate.packed(Array(content.minified.utf8))
    let jws = try jws(header: Array(header.minified.utf8), packed: packed)
    guard jws.utf8.count <= CardText.greatestSize else {
      throw .tooLarge(size: jws.utf8.count, limit: CardText.greatestSize)
    }
    return CardText(jws: jws)
  }

  /// Content of a prescription's card, before it is packed; throws as ``sign(_:)-(Prescription)``.
  package func content(of prescription: Prescription) throws(PrescriptionError) -> JSONValue {
    guard prescription.prescriber.clinic == identity.name else {
      throw .foreignClinic(named: prescription.prescriber.clinic, signing: identity.name)
    }
    return try content(
      .prescription, prescription.subject, from: prescription.issued, until: prescription.expires)
  }

  /// Content of a card, before it is packed.
  func content(
    _ kind: CardKind, _ subject: JSONValue, from: Instant, until: Instant?
  ) throws(PrescriptionError) -> JSONValue {
    if let end = identity.validUntil, from >= end { throw .expiredKey(name: identity.name, at: end) }
    return [
      "iss": .text(identity.issuer), "nbf": .number(Double(from.seconds)),
      "exp": until.map { .number(Double($0.seconds)) },
      "vc": ["type": [.text(kind.rawValue)], "credentialSubject": subject],
    ]
  }

  /// A JWS of any header and content, packed or not, for other documents than cards; cards that are bad behind a good signature,
  /// which only who has the key can make, are for trials.
  package func jws(header: [UInt8], packed: [UInt8]) throws(PrescriptionError) -> String {
    let signed = Base64URL.text(header) + "." + Base64URL.text(packed)
    do {
      let signature = try key.signature(for: Array(signed.utf8))
      return signed + "." + Base64URL.text(signature.rawRepresentation)
    } catch { throw .signingFailed(reason: "\(error)") }
  }
}

// For trials of hostile cards.

extension CardText {
  /// The three parts of a well-formed JWS as bytes, the second one packed.
  package var parts: [[UInt8]] {
    jws.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
      Base64URL.bytes($0) ?? []
    }
  }

  /// The content of a well-formed JWS, unpacked.
  package func content() throws(PrescriptionError) -> [UInt8] {
    try Deflate.unpacked(parts[1], limit: SignedContent.greatestSize)
  }
}

extension ClinicKey {
  /// Fewest characters of a passphrase. NIST SP 800-63B asks for eight where a person chooses.
  package static let shortestPassphrase = 8

  /// Largest key file read, bytes.
  package static let greatestFileSize = 16_384

  /// Iterations of PBKDF2 with HMAC-SHA-512: the figure of OWASP's Password Storage Cheat Sheet.
  static let iterations = 210_000

  /// Iterations accepted when opening: fewer are weak, and many more would let a file hold up its reader.
  static let iterationsAccepted = iterations...2_000_000

  private static let algorithm = "PBES2-HS512+A256KW"

  /// The key under a passphrase, as a JWE in compact form (RFC 7516; PBES2-HS512+A256KW and A256GCM, RFC
  /// 7518): any JOSE library opens it to a private JWK. Write it to a file of mode 0600.
  ///
  /// - Throws: ``PrescriptionError/passphraseTooShort(limit:)``.
  /// - Complexity: about 0.1 s, on purpose.
  package func sealed(with passphrase: String) throws(PrescriptionError) -> [UInt8] {
    guard passphrase.count >= Self.shortestPassphrase else {
      throw .passphraseTooShort(limit: Self.shortestPassphrase)
    }
    let raw = Array(key.rawRepresentation)
    let jwk = ClinicIdentity.jwk(
      identity.point, kid: identity.fingerprint.base64URL, d: Base64URL.text(raw), card: identity.card.jws)
    var generator = SystemRandomNumberGenerator()
    let salt = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let header: JSONValue = [
      "alg": .text(Self.algorithm), "enc": "A256GCM", "cty": "jwk+json", "p2s": .text(Base64URL.text(salt)),
      "p2c": .number(Double(Self.iterations)),
    ]
    let protected = Base64URL.text(header.minified.utf8)
    do {
      let wrapping = try Self.wrappingKey(passphrase, salt: salt, iterations: Self.iterations)
      let content = SymmetricKey(size: .bits256)
      let wrapped = try AES.KeyWrap.wrap(content, using: wrapping)
      let box = try AES.GCM.seal(
        Array(jwk.minified.utf8), using: content, authenticating: Array(protected.utf8))
      let parts = [
        protected, Base64URL.text(wrapped), Base64URL.text(Array(box.nonce)),
        Base64URL.text(box.ciphertext),
        Base64URL.text(box.tag),
      ]
      return Array(parts.joined(separator: ".").utf8)
    } catch { throw .unreadableKey(reason: "sealing failed: \(error)") }
  }

  /// Opens what ``sealed(with:)`` made.
  ///
  /// - Throws: ``PrescriptionError/wrongPassphrase``, ``PrescriptionError/unreadableKey(reason:)``.
  package init(opening file: [UInt8], with passphrase: String) throws(PrescriptionError) {
    try self.init(opening: file) { salt, iterations in
      try Self.wrappingKey(passphrase, salt: salt, iterations: iterations)
    }
  }

  /// - Parameter derive: Makes the passphrase's key of salt and iterations.
  package init(
    opening file: [UInt8], deriving derive: (_ salt: [UInt8], _ iterations: Int) throws -> SymmetricKey
  ) throws(PrescriptionError) {
    guard file.count <= Self.greatestFileSize else {
      throw .unreadableKey(reason: "found \(file.count) bytes, expected at most \(Self.greatestFileSize)")
    }
    var characters = file[...]
    while let last = characters.last, last == 0x0A || last == 0x0D { characters.removeLast() }
    let parts = characters.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let decoded = parts.map { Base64URL.bytes($0) }
    guard parts.count == 5, let header = decoded[0], let wrapped = decoded[1], let nonce = decoded[2],
      let ciphertext = decoded[3], let tag = decoded[4]
    else { throw .unreadableKey(reason: "expected five parts in base64url, joined by full stops") }
    let (salt, iterations) = try Self.parameters(header)
    let opened: [UInt8]
    do {
      let content = try AES.KeyWrap.unwrap(wrapped, using: try derive(salt, iterations))
      let box = try AES.GCM.SealedBox(
        nonce: try AES.GCM.Nonce(data: nonce), ciphertext: ciphertext, tag: tag)
      opened = Array(try AES.GCM.open(box, using: content, authenticating: Array(parts[0])))
    } catch { throw .wrongPassphrase }
    self = try Self.key(jwk: opened)
  }

  /// RFC 7518 section 4.8.1.1: the salt is the algorithm's name, a zero and `p2s`.
  static func wrappingKey(_ passphrase: String, salt: [UInt8], iterations: Int) throws -> SymmetricKey {
    try KDF.Insecure.PBKDF2.deriveKey(
      from: Array(passphrase.utf8), salt: Array(algorithm.utf8) + [0] + salt, using: .sha512,
      outputByteCount: 32, rounds: iterations)
  }

  private static func parameters(
    _ header: [UInt8]
  ) throws(PrescriptionError) -> (salt: [UInt8], iterations: Int) {
    try reading("header: ") { () throws(PrescriptionError) in
      let members = try JSONPlace(reading: header).members("alg", "enc", "cty", "p2s", "p2c", "kid")
      try members("alg").fixed(algorithm)
      try members("enc").fixed("A256GCM")
      guard let salt = Base64URL.bytes(try members("p2s").text().utf8), 8...64 ~= salt.count else {
        throw .unreadableKey(reason: "expected a salt of 8 to 64 bytes")
      }
      return (salt, try members("p2c").integer(iterationsAccepted))
    }
  }

  private static func key(jwk bytes: [UInt8]) throws(PrescriptionError) -> ClinicKey {
    try reading { () throws(PrescriptionError) in
      let members = try JSONPlace(reading: bytes).members(
        "kty", "crv", "x", "y", "d", "kid", "auricle_card", "use", "alg")
      let publicKey = try ClinicIdentity.key(members)
      guard let raw = Base64URL.bytes(try members("d").text().utf8),
        let key = try? P256.Signing.PrivateKey(rawRepresentation: raw),
        key.publicKey.rawRepresentation == publicKey.rawRepresentation
      else { throw .unreadableKey(reason: "private and public key do not belong together") }
      let identity = try ClinicIdentity(reading: try CardText(reading: try members("auricle_card").text()))
      guard identity.fingerprint == KeyFingerprint(publicKey) else {
        throw .unreadableKey(reason: "the clinic's card is of another key")
      }
      return ClinicKey(identity: identity, key: key)
    }
  }

  /// Reads a part of a key file; whatever is wrong with it is the file's fault.
  private static func reading<Value>(
    _ part: String = "", _ read: () throws(PrescriptionError) -> Value
  ) throws(PrescriptionError) -> Value {
    do { return try read() } catch .unreadableKey(let reason) {
      throw .unreadableKey(reason: reason)
    } catch { throw .unreadableKey(reason: "\(part)\(error)") }
  }
}
