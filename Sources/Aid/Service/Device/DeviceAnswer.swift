/// Owner of this device, as the daemon goes by it.
package struct DeviceAnswer: Sendable, Codable, Hashable {
  static let words =
    "'clinic' whose device this is, the 'key' of that clinic and the number of the 'device', which are absent on an owner's;"
    + " 'followed' and 'returned': the prescription book has the hand-over that the machine's mark tells of, or a pass that"
    + " ended it; 'wearer_is_operator'; 'configuration_file' in force and 'pid' of the daemon"

  /// Nil: it is its owner's.
  package let clinic: String?
  /// Fingerprint in groups.
  package let key: String?
  /// Number of the hand-over.
  package let device: String?
  /// True when the book has the hand-over that the machine's mark tells of.
  package let isFollowed: Bool
  /// True when a pass has ended that hand-over, and the mark still stands.
  package let isReturned: Bool
  package let wearerIsOperator: Bool
  package let configurationFile: String?
  package let pid: Int32
}
