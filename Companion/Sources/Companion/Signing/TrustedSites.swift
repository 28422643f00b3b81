import Base
import SignedDocuments
import Studies

/// Sites whose studies a person takes: one card for each, in a folder that only they can read.
///
/// - Threads: control.
public struct TrustedSites: ManifestTrust {
  /// A site with the card that it was trusted by.
  public struct Site: Sendable, Hashable {
    public let name: String
    /// For people to compare aloud.
    public let fingerprint: String
    let author: DocumentAuthor
  }

  /// Folder of the cards, `sites` beside the person's file.
  public let folder: String
  private let moment: Int

  /// - Parameter moment: Present, s since 1970: a key that has ended is trusted no longer.
  public init(folder: String, at moment: Int) { (self.folder, self.moment) = (folder, moment) }

  /// The same sites for studies that were taken before: a key that has ended signs no new one, and mail about those who
  /// take part in a former one goes on.
  public var ofKeptStudies: TrustedSites { TrustedSites(folder: folder, at: .min) }

  private static let ending = ".card"
  /// Largest card, bytes: one of a clinic has some hundred.
  private static let greatestCard = 1 << 16

  /// A site by its card, not trusted yet.
  ///
  /// - Parameter text: `shc:/…`, or the path of a file that holds it.
  /// - Throws: ``Failure``.
  public static func site(by text: String) throws(Failure) -> Site {
    let isCard = text.hasPrefix("shc:/")
    let bytes = isCard ? Array(text.utf8) : try FileContent.bytes(of: text, limit: greatestCard)
    let card = String(decoding: bytes, as: UTF8.self)
    do throws(DocumentError) {
      return Site(try DocumentAuthor(card: card.filter { !$0.isWhitespace }))
    } catch {
      throw Failure(
        isCard ? "card" : text, inWords: "\(error)",
        remedy: isPicture(bytes)
          ? "A card is taken as text, not as a picture. The site makes it so: auricle clinic card card.txt"
          : nil,
        exit: .badData)
    }
  }

  /// True for a PDF, and for bytes that are no text, as those of a PNG and a JPEG.
  private static func isPicture(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "%PDF".utf8) || String(validating: bytes, as: UTF8.self) == nil
  }

  /// Trusts a site from now on.
  ///
  /// - Throws: ``Failure``; nothing is changed then.
  public func trust(_ site: Site) throws(Failure) {
    do throws(SystemError) { try Folder.make(folder) } catch { throw Failure.writing(folder + "/", error) }
    try WholeFile.save(Array(site.author.card.utf8), to: folder + "/" + site.author.keyID + Self.ending)
  }

  /// All of them by name. A file that is no card is left out.
  public var all: [Site] {
    Folder.names(in: folder).filter { $0.hasSuffix(Self.ending) }
      .compactMap { try? Self.site(by: folder + "/" + $0) }.sorted {
        ($0.name, $0.fingerprint) < ($1.name, $1.fingerprint)
      }
  }

  public func signer(of manifest: [UInt8], signature: [UInt8]) throws(BundleError) -> BundleSigner {
    guard let text = String(validating: signature, as: UTF8.self) else { throw .wrongSignature }
    var unknown: String?
    for site in all {
      let signed: [UInt8]
      do throws(DocumentError) {
        signed = try site.author.content(of: text, as: SiteSigner.kind, at: moment)
      } catch {
        if case .otherKey(let found, _) = error {
          unknown = found
          continue
        }
        throw BundleError(
          Manifest.signatureFile, found: "\(error)", expected: "a signature of \(site.name)",
          remedy: "fetch the bundle again; if it is the same again, tell the site")
      }
      guard signed == Array(Hash.text(manifest).utf8) else { throw .wrongSignature }
      return BundleSigner(name: site.name, key: site.fingerprint)
    }
    throw .unknownSigner(unknown)
  }
}

extension TrustedSites.Site {
  fileprivate init(_ author: DocumentAuthor) {
    self.init(name: author.name, fingerprint: author.fingerprint, author: author)
  }
}
