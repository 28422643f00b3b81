import Base
import SignedDocuments
import Studies

/// A site's key, which is a clinic's: it signs the hash of a study's manifest.
public struct SiteSigner: ManifestSigner {
  /// Word within what is signed, so that a card is no study and a study no card.
  static let kind = "auricle-study"

  private let folder: String
  private let signer: DocumentSigner
  private let moment: Int

  /// - Parameters:
  ///   - folder: The clinic's folder, as `auricle clinic init` makes it.
  ///   - moment: Present, s since 1970.
  /// - Throws: ``Failure`` where the key is not there, or the passphrase is another.
  public init(clinicFolder folder: String, passphrase: String, at moment: Int) throws(Failure) {
    signer = try DocumentSigner(clinicFolder: folder, passphrase: passphrase)
    (self.folder, self.moment) = (folder, moment)
  }

  /// The site as others know it.
  public var site: BundleSigner { BundleSigner(name: signer.author.name, key: signer.author.fingerprint) }

  public func signature(of manifest: [UInt8]) throws(BundleError) -> [UInt8] {
    do throws(DocumentError) {
      return Array(try signer.sign(Array(Hash.text(manifest).utf8), as: Self.kind, at: moment).utf8)
    } catch {
      let remedy =
        if case .expiredKey = error {
          "make the site a new key, auricle clinic init, and give its card to whoever takes its studies"
        } else { "its key's name and fingerprint: auricle clinic card - --clinic \(folder)" }
      throw BundleError(
        Manifest.signatureFile, found: "\(error)", expected: "a signature", remedy: remedy)
    }
  }
}
