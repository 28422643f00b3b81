import Base
import Crypto
import Prescriptions

/// A document's JWS taken apart, its signature not yet checked.
///
/// A card's header has `zip` and no `typ`, a document's `typ` and no `zip`; each reader refuses the other's.
struct SignedDocument {
  private let jws: CompactJWS

  var kind: String { jws.member }
  /// Fingerprint of the key that the header names.
  var key: KeyFingerprint { jws.key }
  var content: [UInt8] { jws.content }

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
    do throws(CompactJWS.Fault) {
      jws = try CompactJWS(characters, naming: "typ")
    } catch {
      switch error {
      case .malformed(let reason): throw .malformed(reason: reason)
      case .algorithm(let name): throw .unsupportedAlgorithm(name)
      case .lacksMember: throw .otherKind(found: nil, expected: expected)
      }
    }
  }

  func isSigned(by key: P256.Signing.PublicKey) -> Bool { jws.isSigned(by: key) }
}
