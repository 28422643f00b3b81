import Base
import Prescriptions

/// A clinic whose signature a document is to have, known by the clinic's own card.
///
/// A card proves that whoever made it holds the key, not that the name is true: a person compares the fingerprint first, as
/// `auricle trust add` asks for.
public struct DocumentAuthor: Sendable, Hashable {
  /// Largest document, bytes: own choice, a study with its texts in many languages has a tenth.
  public static let greatestSize = 16 << 20

  private let identity: ClinicIdentity

  init(_ identity: ClinicIdentity) { self.identity = identity }

  /// Reads a clinic's card.
  ///
  /// - Parameter card: `shc:/…`, or the JWS that this stands for.
  /// - Throws: ``DocumentError/notAClinicsCard(reason:)``.
  public init(card: String) throws(DocumentError) {
    do throws(PrescriptionError) {
      identity = try ClinicIdentity(reading: try CardText(reading: card))
    } catch { throw .notAClinicsCard(reason: "\(error)") }
  }

  public var name: String { identity.name }
  /// For people to compare aloud.
  public var fingerprint: String { identity.fingerprint.grouped }
  /// As documents name the key (`kid`): its thumbprint (RFC 7638).
  public var keyID: String { identity.fingerprint.base64URL }
  /// Moment after which nothing that the key has signed is accepted, s since 1970; nil: no end.
  public var validUntil: Int? { identity.validUntil?.seconds }
  /// Text of the card that it was read from: `shc:/…`.
  public var card: String { identity.cardText }

  /// Content of a document that this clinic has signed for a purpose.
  ///
  /// - Parameters:
  ///   - document: A JWS in compact form (RFC 7515), as ``DocumentSigner/sign(_:as:at:)`` makes it.
  ///   - kind: Word for its purpose; a document that was signed for another one is refused.
  ///   - moment: Present, s since 1970.
  /// - Throws: ``DocumentError`` of all but ``DocumentError/signingFailed(reason:)``; nothing of the content is to be used then.
  public func content(
    of document: String, as kind: String, at moment: Int
  ) throws(DocumentError) -> [UInt8] {
    let document = try SignedDocument(document, expecting: kind)
    guard document.kind == kind else {
      throw .otherKind(found: PrintableText.short(document.kind), expected: kind)
    }
    guard document.key == identity.fingerprint else {
      throw .otherKey(found: document.key.grouped, expected: fingerprint)
    }
    try checkKey(at: moment)
    guard document.isSigned(by: identity.publicKey) else { throw .badSignature(name: name) }
    return document.content
  }

  func checkKey(at moment: Int) throws(DocumentError) {
    if let end = validUntil, moment >= end { throw .expiredKey(name: name, at: end) }
  }
}
