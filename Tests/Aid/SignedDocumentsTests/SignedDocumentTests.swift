import Acoustics
import Base
import CommonTesting
import Crypto
import Fitting
import Prescriptions
import SignedDocuments
import Testing

@Suite("A document signed by a clinic") struct SignedDocumentTests {
  static let noon = 1_772_366_400
  static let kind = "auricle.study.1"
  static let key = P256.Signing.PrivateKey()
  static let clinic = clinic("Clinic North", key: key)
  static let other = clinic("Clinic South", key: P256.Signing.PrivateKey())

  /// What these tests stand on; without it none of them says anything.
  static func clinic(
    _ name: String, key: P256.Signing.PrivateKey, validUntil: Int? = nil
  ) -> ClinicKey {
    do {
      return try ClinicKey(
        new: name, created: Instant(seconds: noon - 86_400),
        validUntil: validUntil.map { Instant(seconds: $0) }, key: key)
    } catch { preconditionFailure("\(error)") }
  }

  let signer = DocumentSigner(clinic)
  let content = Array(#"{"title":"Schlaf, fünfzehn Tage"}"#.utf8)

  func author(_ clinic: ClinicKey = clinic) throws -> DocumentAuthor {
    try DocumentAuthor(card: clinic.identity.cardText)
  }

  func document() throws -> String { try signer.sign(content, as: Self.kind, at: Self.noon) }

  func prescription() throws -> CardText {
    let ada = try Patient(
      givenName: "Ada", familyName: "Example", birthDate: CalendarDate(year: 1950, month: 1, day: 2)!)
    return try Self.clinic.sign(
      Prescription(
        serial: 1, supersedes: nil, patient: ada,
        prescriber: Prescriber(name: "Dr. Vera Ohr", clinic: "Clinic North"), environment: .quiet,
        audiograms: Binaural(both: StandardAudiogram.n3.audiogram),
        plan: FittingPlan(target: .rule(.nalRP)),
        issued: Instant(seconds: Self.noon), expires: nil, trialEnds: nil, wearerMayAccept: false))
  }

  @Test("is read again with the clinic's card alone, whatever it holds", arguments: [0, 1, 2, 3, 100_000])
  func whole(count: Int) throws {
    let content = (0..<count).map { UInt8($0 % 251) }
    let document = try signer.sign(content, as: Self.kind, at: Self.noon)
    #expect(try author().content(of: document, as: Self.kind, at: Self.noon) == content)
    #expect(signer.author == (try author()))
  }

  @Test("is a JWS that any other program verifies: ES256 over header and content, named by kid and typ")
  func shape() throws {
    let parts = try document().split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3)
    let header = try JSONValue(#require(Base64URL.bytes(parts[0].utf8)))
    #expect(header["alg"] == "ES256" && header["typ"] == .text(Self.kind))
    #expect(try header["kid"] == .text(author().keyID))
    #expect(Base64URL.bytes(parts[1].utf8) == content)
    let signature = try P256.Signing.ECDSASignature(
      rawRepresentation: #require(Base64URL.bytes(parts[2].utf8)))
    #expect(Self.key.publicKey.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
  }

  @Test("a byte changed anywhere is refused, as is one too many or too few")
  func changed() throws {
    let (author, document) = (try author(), Array(try document().utf8))
    func refuses(_ bytes: [UInt8]) -> Bool {
      let text = String(decoding: bytes, as: UTF8.self)
      return (try? author.content(of: text, as: Self.kind, at: Self.noon)) == nil
    }
    #expect(!refuses(document))
    for index in document.indices {
      // Characters that a JWS may have, others, and one that is no text.
      for byte in [UInt8(ascii: "A"), UInt8(ascii: "B"), document[index] ^ 1, 0x20, 0xFF]
      where byte != document[index] {
        var bytes = document
        bytes[index] = byte
        #expect(refuses(bytes), "\(byte) at \(index)")
      }
      var bytes = document
      bytes.remove(at: index)
      #expect(refuses(bytes), "without \(index)")
    }
    for byte: UInt8 in [0x0A, 0x20, UInt8(ascii: "A"), UInt8(ascii: "."), UInt8(ascii: "=")] {
      #expect(refuses(document + [byte]) && refuses([byte] + document))
    }
  }

  @Test("parts of two documents make no third one")
  func mixed() throws {
    let first = try document().split(separator: ".")
    let second = try signer.sign([1, 2, 3], as: Self.kind, at: Self.noon).split(separator: ".")
    let third = try signer.sign(content, as: "auricle.study.2", at: Self.noon).split(separator: ".")
    let author = try author()
    for parts in [
      [first[0], second[1], first[2]], [first[0], first[1], second[2]], [first[0], third[1], third[2]],
    ] {
      #expect(throws: DocumentError.badSignature(name: "Clinic North")) {
        try author.content(of: parts.joined(separator: "."), as: Self.kind, at: Self.noon)
      }
    }
  }

  @Test("one of another kind or of another clinic is refused with both")
  func others() throws {
    let document = try document()
    #expect(throws: DocumentError.otherKind(found: Self.kind, expected: "auricle.consent.1")) {
      try author().content(of: document, as: "auricle.consent.1", at: Self.noon)
    }
    let other = try author(Self.other)
    #expect(
      throws: DocumentError.otherKey(found: signer.author.fingerprint, expected: other.fingerprint)
    ) { try other.content(of: document, as: Self.kind, at: Self.noon) }
  }

  @Test("a card is refused as a document, and a document as a card")
  func cards() throws {
    let author = try author()
    for card in [try prescription(), Self.clinic.identity.card] {
      #expect(throws: DocumentError.otherKind(found: nil, expected: Self.kind)) {
        try author.content(of: card.jws, as: Self.kind, at: Self.noon)
      }
      #expect(throws: DocumentError.self) {
        try author.content(of: card.text, as: Self.kind, at: Self.noon)
      }
    }
    // Also where its content is a card's, packed as a card's is.
    let card = try prescription()
    let trusted = TrustedClinic(identity: Self.clinic.identity, enrolled: Instant(seconds: Self.noon))
    let now = Instant(seconds: Self.noon)
    _ = try Card.read(card.jws, trusting: [trusted], at: now)
    for content in [content, card.parts[1], try card.content()] {
      let document = try signer.sign(content, as: Self.kind, at: Self.noon)
      #expect(throws: PrescriptionError.self) { try Card.read(document, trusting: [trusted], at: now) }
    }
    #expect(throws: DocumentError.self) { try DocumentAuthor(card: document()) }
    #expect(throws: DocumentError.self) { try DocumentAuthor(card: card.text) }
  }

  @Test("headers that say anything else are refused, though the clinic's own key signed them")
  func headers() throws {
    let (author, kid) = (try author(), try author().keyID)
    let headers: [(String, DocumentError)] = [
      (#"{"alg":"none","typ":"\#(Self.kind)","kid":"\#(kid)"}"#, .unsupportedAlgorithm("none")),
      (#"{"alg":"HS256","typ":"\#(Self.kind)","kid":"\#(kid)"}"#, .unsupportedAlgorithm("HS256")),
      (#"{"typ":"\#(Self.kind)","kid":"\#(kid)"}"#, .malformed(reason: "the header names no algorithm")),
      (#"{"alg":"ES256","kid":"\#(kid)"}"#, .otherKind(found: nil, expected: Self.kind)),
      (#"{"alg":"ES256","typ":1,"kid":"\#(kid)"}"#, .otherKind(found: nil, expected: Self.kind)),
      (
        #"{"alg":"ES256","typ":"\#(Self.kind)","kid":"\#(kid)","zip":"DEF"}"#,
        .malformed(reason: "the header has a member other than alg, typ and kid")
      ),
      (
        #"{"alg":"ES256","typ":"\#(Self.kind)","kid":"\#(kid)","jwk":{}}"#,
        .malformed(reason: "the header has a member other than alg, typ and kid")
      ),
      (
        #"{"alg":"ES256","typ":"\#(Self.kind)"}"#,
        .malformed(reason: "expected a key id of 43 base64url characters")
      ),
      ("[]", .malformed(reason: "the header is not a JSON object in base64url")),
      ("", .malformed(reason: "the header is not a JSON object in base64url")),
    ]
    for (header, error) in headers {
      let document = try Self.clinic.jws(header: Array(header.utf8), packed: content)
      #expect(throws: error, "\(header)") {
        try author.content(of: document, as: Self.kind, at: Self.noon)
      }
    }
    for text in ["", ".", "..", "...", "a.b", "shc:/56", String(repeating: "A", count: 100)] {
      #expect(throws: DocumentError.self, "\(text)") {
        try author.content(of: text, as: Self.kind, at: Self.noon)
      }
    }
  }

  @Test("a key's end ends signing and what it has signed")
  func expired() throws {
    let end = Self.noon + 10
    let clinic = Self.clinic("Clinic North", key: Self.key, validUntil: end)
    let signer = DocumentSigner(clinic)
    let author = try author(clinic)
    #expect(author.validUntil == end)
    let document = try signer.sign(content, as: Self.kind, at: end - 1)
    #expect(try author.content(of: document, as: Self.kind, at: end - 1) == content)
    for moment in [end, end + 1, .max] {
      #expect(throws: DocumentError.expiredKey(name: "Clinic North", at: end)) {
        try author.content(of: document, as: Self.kind, at: moment)
      }
      #expect(throws: DocumentError.expiredKey(name: "Clinic North", at: end)) {
        try signer.sign(content, as: Self.kind, at: moment)
      }
    }
  }

  @Test("more than 16 MiB are neither signed nor read")
  func large() throws {
    let limit = 16 << 20
    let content = [UInt8](repeating: 0, count: limit + 1)
    #expect(throws: DocumentError.tooLarge(size: limit + 1, limit: limit)) {
      try signer.sign(content, as: Self.kind, at: Self.noon)
    }
    // Four characters for each three bytes, and 4,096 for header and signature.
    let text = String(repeating: "A", count: limit / 3 * 4 + 4097)
    #expect(throws: DocumentError.tooLarge(size: text.utf8.count, limit: text.utf8.count - 1)) {
      try author().content(of: text, as: Self.kind, at: Self.noon)
    }
  }

  @Test("the key of a clinic's folder signs with its passphrase, and with no other")
  func folder() throws {
    let place = TemporaryFolder()
    let path = place.file("clinic")
    try ClinicFolder(path: path).create(Self.clinic, passphrase: "four words are enough")
    let signer = try DocumentSigner(clinicFolder: path, passphrase: "four words are enough")
    let document = try signer.sign(content, as: Self.kind, at: Self.noon)
    #expect(try author().content(of: document, as: Self.kind, at: Self.noon) == content)
    let wrong = try #require(throws: Failure.self) {
      try DocumentSigner(clinicFolder: path, passphrase: "five words are too many")
    }
    #expect(wrong.exitStatus == .noPermission)
    let none = try #require(throws: Failure.self) {
      try DocumentSigner(clinicFolder: place.file("none"), passphrase: "four words are enough")
    }
    #expect(none.exitStatus == .noInput)
  }

  @Test("refusals say what was found, what was expected and never the content")
  func words() {
    #expect(
      "\(DocumentError.otherKind(found: "a", expected: "b"))"
        == #"document of another kind: found "a", expected "b""#)
    #expect(
      "\(DocumentError.otherKind(found: nil, expected: "b"))"
        == #"document of another kind: found one that names no kind, as cards do, expected "b""#)
    #expect(
      "\(DocumentError.badSignature(name: "Clinic North"))"
        == "document that claims to be from Clinic North: its signature is wrong, so it was altered")
  }
}
