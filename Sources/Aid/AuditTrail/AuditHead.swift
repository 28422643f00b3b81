import Base

/// The end of an audit trail. A copy of it kept elsewhere shows later whether rows were cut off or
/// rewritten.
public struct AuditHead: Sendable, Hashable {
  /// Number of rows, 0 or more.
  public let count: Int
  /// Hash of the last row, 32 bytes; 32 zero bytes when there is none.
  public let hash: [UInt8]

  /// A head of so many rows, 0 or more, and the hash of the last one, 32 bytes.
  public init(count: Int, hash: [UInt8]) { (self.count, self.hash) = (count, hash) }

  /// The head before the first row: no rows, a hash of 32 zero bytes.
  public static let empty = AuditHead(count: 0, hash: [UInt8](repeating: 0, count: 32))
}

extension AuditHead {
  /// `12:` and 64 hexadecimal digits, to be kept elsewhere.
  public var text: String { "\(count):\(Hexadecimal.text(hash))" }

  /// Nil for what is not such a text.
  public init?(text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(parts[0]), count >= 0,
      let hash = Hexadecimal.bytes(String(parts[1])), hash.count == 32
    else { return nil }
    self.init(count: count, hash: hash)
  }
}
