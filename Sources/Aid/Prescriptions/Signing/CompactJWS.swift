import Base
import Crypto

/// A JWS in compact form (RFC 7515, section 7.1) with a signature by ES256 (RFC 7518, section 3.4), taken apart. Its signature is not
/// checked yet.
///
/// - Threads: `any`.
package struct CompactJWS {
  /// Reason for which a text is not taken.
  package enum Fault: Error {
    /// It has another form, in words.
    case malformed(reason: String)
    /// Its header names another algorithm than ES256, or none that is a text.
    case algorithm(String)
    /// Its header lacks the member that says what the content is.
    case lacksMember
  }

  /// The header's member, besides `alg` and `kid`, that says what the content is.
  package let member: String
  /// Fingerprint of the key that the header names.
  package let key: KeyFingerprint
  /// Content as it was signed; nothing in it counts before its signature is checked.
  package let content: [UInt8]
  private let signed: [UInt8]
  private let signature: P256.Signing.ECDSASignature

  /// - Parameters:
  ///   - characters: The text.
  ///   - name: Name of the header's member that says what the content is; with `alg` and `kid` it is the whole header.
  package init(_ characters: [UInt8], naming name: String) throws(Fault) {
    let parts = characters.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .malformed(reason: "found \(parts.count) parts, expected 3") }
    (member, key) = try Self.header(parts[0], naming: name)
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
    _ characters: ArraySlice<UInt8>, naming name: String
  ) throws(Fault) -> (member: String, key: KeyFingerprint) {
    guard let bytes = Base64URL.bytes(characters), let json = try? JSONValue(bytes),
      case .object(let members) = json.content
    else { throw .malformed(reason: "the header is not a JSON object in base64url") }
    func text(_ key: String) -> String? {
      if case .text(let text) = json[key]?.content { text } else { nil }
    }
    guard let algorithm = text("alg") else { throw .malformed(reason: "the header names no algorithm") }
    guard algorithm == "ES256" else { throw .algorithm(PrintableText.short(algorithm)) }
    guard let member = text(name) else { throw .lacksMember }
    guard members.allSatisfy({ ["alg", name, "kid"].contains($0.key) }) else {
      throw .malformed(reason: "the header has a member other than alg, \(name) and kid")
    }
    guard let key = text("kid").flatMap({ KeyFingerprint(base64URL: $0) }) else {
      throw .malformed(reason: "expected a key id of 43 base64url characters")
    }
    return (member, key)
  }

  package func isSigned(by key: P256.Signing.PublicKey) -> Bool {
    key.isValidSignature(signature, for: signed)
  }
}
