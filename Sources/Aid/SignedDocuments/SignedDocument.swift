import Base
import Crypto
import Prescriptions

/// A document's JWS taken apart, its signature not yet checked.
///
/// A card's header has `zip` and no `typ`, a document's `typ` and no `zip`; each reader refuses the other's.
struct SignedDocument {
  let kind: String
  /// Fingerprint of the key that the header names.
  let key: KeyFingerprint
  let content: [UInt8]
  private let signed: [UInt8]
  private let signature: P256.Signing.ECDSASignature

  static func header(kind: String, key: KeyFingerprint) -> [UInt8] {
    let header: JSONValue = ["alg": "ES256", "typ": .text(kind), "kid": .text(key.base64URL)]
    return Array(header.minified.utf8)
  }

  /// - Throws: ``DocumentError/malformed(reason:)``, ``DocumentError/tooLarge(size:limit:)``,
  ///   ``DocumentError/unsupportedAlgorithm(_:)``, ``DocumentError/otherKind(found:expected:)`` of one without a kind.
  init(_ text: String, expecting expected: String) throws(DocumentError) {
    // Four characters for three bytes, and room for a header and a signature.
    let limit = DocumentAuthor.greatestSize / 3 * 4 + 4096
    let characters = Array(text.utf8)
    guard characters.count <= limit else { throw .tooLarge(size: characters.count, limit: limit) }
    let parts = characters.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .malformed(reason: "found \(parts.count) parts, expected 3") }
    (kind, key) = try Self.header(parts[0], expecting: expected)
    guard let content = Base64URL.bytes(parts[1]), let signature = Base64URL.bytes(parts[2]) else {
      throw .malformed(reason: "content or signature is not base64url in its canonical form")
    }
    guard signature.count == 64, let form = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
    else { throw .malformed(reason: "found a signature of \(signature.count) bytes, expected 64") }
    signed = Array(characters[..<parts[1].endIndex])
    self.content = content
    self.signature = form
  }

  private static func header(
    _ characters: ArraySlice<UInt8>, expecting expected: String
  ) throws(DocumentError) -> (kind: String, key: KeyFingerprint) {
    guard let bytes = Base64URL.bytes(characters), let json = try? JSONValue(bytes),
      case .object(let members) = json.content
    else { throw .malformed(reason: "the header is not a JSON object in base64url") }
    func text(_ key: String) -> String? {
      if case .text(let text) = json[key]?.content { text } else { nil }
    }
    guard let algorithm = text("alg") else { throw .malformed(reason: "the header names no algorithm") }
    guard algorithm == "ES256" else { throw .unsupportedAlgorithm(PrintableText.short(algorithm)) }
    guard let kind = text("typ") else { throw .otherKind(found: nil, expected: expected) }
    guard members.allSatisfy({ ["alg", "typ", "kid"].contains($0.key) }) else {
      throw .malformed(reason: "the header has a member other than alg, typ and kid")
    }
    guard let key = text("kid").flatMap({ KeyFingerprint(base64URL: $0) }) else {
      throw .malformed(reason: "expected a key id of 43 base64url characters")
    }
    return (kind, key)
  }

  func isSigned(by key: P256.Signing.PublicKey) -> Bool { key.isValidSignature(signature, for: signed) }
}
