import Crypto
import Sealing

/// One column of a row, as the chain hashes it.
public struct AuditField: Sendable {
  let bytes: [UInt8]

  /// A whole number, hashed as 8 bytes, most significant byte first.
  public static func number(_ number: Int) -> AuditField { AuditField(bytes: number.bytes) }

  /// A text, hashed as UTF-8.
  public static func text(_ text: String) -> AuditField { AuditField(bytes: Array(text.utf8)) }

  /// Bytes of any number, hashed as they are.
  public static func bytes(_ bytes: [UInt8]) -> AuditField { AuditField(bytes: bytes) }

  /// SHA-256, 32 bytes, of something that is kept elsewhere: the chain then holds that too.
  public static func digest(of bytes: [UInt8]) -> AuditField {
    AuditField(bytes: Array(SHA256.hash(data: bytes)))
  }
}

/// Place of a row in the chain.
public struct AuditLink: Sendable {
  /// From 1, without a gap.
  public let number: Int
  /// SHA-256, 32 bytes, over the hash of the row before (32 zero bytes before the first) and the row.
  public let hash: [UInt8]
  /// Proof that the holder of the book's key made the hash: HMAC-SHA256, 32 bytes.
  public let tag: [UInt8]

  /// A link as a row has kept it; see the properties for range and lengths.
  public init(number: Int, hash: [UInt8], tag: [UInt8]) {
    (self.number, self.hash, self.tag) = (number, hash, tag)
  }
}

/// The first row of a trail that is not as it was written.
public struct AuditTrailError: Error, Equatable, CustomStringConvertible {
  /// Number of the row, from 1.
  public let row: Int
  /// Fault as a clause without a full stop, such as "it is missing".
  public let reason: String

  /// An error of a row, from 1, and its fault as a clause.
  public init(row: Int, reason: String) { (self.row, self.reason) = (row, reason) }

  public var description: String { "Audit trail: row \(row) is the first bad one: \(reason)." }
}

/// The rows of a book as a chain: each hash covers the row, what the row names by its digest, and the hash before it; each tag
/// proves that the holder of the key made the hash.
///
/// A chain is followed from ``AuditHead/empty``, row by row.
public struct AuditChain: Sendable {
  private let domain: String
  private let vault: Vault

  /// - Parameter domain: Word that is hashed before each row, with the version of what a row says: `auricle.audit.1`.
  public init(_ domain: String, vault: Vault) { (self.domain, self.vault) = (domain, vault) }

  /// SHA-256 over the domain, the former hash, the book's number and everything the row says. Each field has its length before it,
  /// eight bytes, −1 for one that is absent: no two rows read the same.
  public func hash(of row: [AuditField?], after former: [UInt8]) -> [UInt8] {
    var hasher = SHA256()
    for field in [.text(domain), .bytes(former), .bytes(vault.bookID)] + row {
      let bytes = field?.bytes
      hasher.update(data: (bytes?.count ?? -1).bytes)
      if let bytes { hasher.update(data: bytes) }
    }
    return Array(hasher.finalize())
  }

  /// The link of a row that is to be appended.
  public func link(_ row: [AuditField?], after head: AuditHead) -> AuditLink {
    let hash = hash(of: row, after: head.hash)
    return AuditLink(number: head.count + 1, hash: hash, tag: vault.tag(hash))
  }

  /// Goes on from the head of all former rows to that with this one.
  ///
  /// - Throws: ``AuditTrailError`` when it is not the row that was written there.
  public func head(
    following head: AuditHead, by link: AuditLink, of row: [AuditField?]
  ) throws(AuditTrailError) -> AuditHead {
    func bad(_ reason: String) -> AuditTrailError { AuditTrailError(row: head.count + 1, reason: reason) }
    guard link.number == head.count + 1 else { throw bad("it is missing") }
    guard hash(of: row, after: head.hash) == link.hash else {
      throw bad("its content does not fit its hash")
    }
    guard vault.isTag(link.tag, of: link.hash) else { throw bad("its hash was not made by this book") }
    return AuditHead(count: link.number, hash: link.hash)
  }
}
