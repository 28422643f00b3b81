/// Somebody who signs bundles: a clinic or a site with its key.
public protocol ManifestSigner: Sendable {
  /// Signature of a manifest's bytes, as the trust of the other side reads it.
  ///
  /// - Throws: ``BundleError`` where the key cannot be used.
  func signature(of manifest: [UInt8]) throws(BundleError) -> [UInt8]
}

/// Signers that somebody has decided to trust.
public protocol ManifestTrust: Sendable {
  /// The signer of a manifest.
  ///
  /// - Throws: ``BundleError`` where the signature is not one of these bytes, or its signer is not known; ``BundleError/unknownSigner(_:)``
  ///   and ``BundleError/wrongSignature`` say so.
  func signer(of manifest: [UInt8], signature: [UInt8]) throws(BundleError) -> BundleSigner
}

/// A signer as people know it.
public struct BundleSigner: Sendable, Hashable {
  /// Such as the clinic's name.
  public let name: String
  /// Fingerprint of its key.
  public let key: String

  public init(name: String, key: String) { (self.name, self.key) = (name, key) }
}

extension BundleError {
  /// - Parameter key: Fingerprint; nil where nobody is trusted, so that nothing of the signature was read.
  public static func unknownSigner(_ key: String?) -> BundleError {
    BundleError(
      Manifest.signatureFile,
      found: key.map { "the signature of the unknown key \($0)" }
        ?? "a signature, and no site is trusted yet",
      expected: "that of a trusted site",
      remedy: "ask the site for its card and fingerprint, and trust it first: auricle study trust CARD")
  }

  public static let wrongSignature = BundleError(
    Manifest.signatureFile, found: "a signature that is not of this manifest", expected: "one that is",
    remedy: "fetch the bundle again; if it is the same again, tell the site")
}
