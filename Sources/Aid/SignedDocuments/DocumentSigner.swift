import Base
import Prescriptions

/// A clinic's key, opened, which signs documents other than cards.
public struct DocumentSigner: Sendable {
  private let key: ClinicKey

  package init(_ key: ClinicKey) { self.key = key }

  /// Opens the key that `auricle clinic init` has made.
  ///
  /// - Parameter folder: Of the clinic, which holds `key.jwe`.
  /// - Throws: ``Failure``: ``ExitStatus/noPermission`` for another passphrase, and for a key that others could have put there;
  ///   ``ExitStatus/noInput`` where there is none; ``ExitStatus/badData`` for one that is not that of the folder's card.
  /// - Complexity: about 0.1 s, on purpose.
  public init(clinicFolder folder: String, passphrase: String) throws(Failure) {
    key = try ClinicFolder(path: folder).unlock(with: passphrase)
  }

  /// The clinic that signs; its card verifies what is signed.
  public var author: DocumentAuthor { DocumentAuthor(key.identity) }

  /// Signs a document.
  ///
  /// - Parameters:
  ///   - kind: Word for its purpose, with a version: `auricle.study.1`. It is signed along with the content, and no card has one: no
  ///     document can be taken for a card, nor for one of another kind.
  ///   - moment: Present, s since 1970.
  /// - Returns: A JWS in compact form (RFC 7515), by ES256, with `kid` and the kind as `typ`.
  /// - Throws: ``DocumentError/tooLarge(size:limit:)``, ``DocumentError/expiredKey(name:at:)``,
  ///   ``DocumentError/signingFailed(reason:)``.
  public func sign(_ content: [UInt8], as kind: String, at moment: Int) throws(DocumentError) -> String {
    guard content.count <= DocumentAuthor.greatestSize else {
      throw .tooLarge(size: content.count, limit: DocumentAuthor.greatestSize)
    }
    try author.checkKey(at: moment)
    let header = SignedDocument.header(kind: kind, key: key.identity.fingerprint)
    return try rethrowing(
      { (error: PrescriptionError) in DocumentError.signingFailed(reason: "\(error)") },
      try key.jws(header: header, packed: content))
  }
}
