/// The end of an audit trail. Who keeps it elsewhere can tell later whether rows were cut off or rewritten.
public struct AuditHead: Sendable, Hashable {
  /// Rows.
  public let count: Int
  /// Hash of the last row; 32 zero bytes when there is none.
  public let hash: [UInt8]

  public static let empty = AuditHead(count: 0, hash: [UInt8](repeating: 0, count: 32))

  public init(count: Int, hash: [UInt8]) {
    self.count = count
    self.hash = hash
  }
}
