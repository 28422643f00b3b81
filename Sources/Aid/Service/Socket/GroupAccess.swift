import CLinux

/// Rights of further groups to a file or folder, as an access control list (acl(5)).
///
/// Written to the extended attribute in the kernel's own form (linux/posix_acl_xattr.h: a version, then tag, rights and
/// number of each entry, little-endian). A socket honours it as it does the mode (unix(7)).
struct GroupAccess {
  private static let attribute = "system.posix_acl_access"
  private static let version: UInt32 = 2
  /// Of an entry that has no number.
  private static let nobody = UInt32.max

  /// Rights of the owner, the file's group and everybody else, as chmod(2) has them; further groups get the group's.
  let mode: UInt32
  let groups: [UInt32]

  /// The attribute's value: entries in the order that the kernel asks for.
  var bytes: [UInt8] {
    let group = mode >> 3 & 7
    let named = groups.sorted().map { (UInt32(0x08), group, $0) }
    let entries =
      [(UInt32(0x01), mode >> 6 & 7, Self.nobody), (0x04, group, Self.nobody)] + named
      + [(0x10, group, Self.nobody), (0x20, mode & 7, Self.nobody)]
    return entries.reduce(into: Self.bytes(Self.version, 4)) { bytes, entry in
      bytes += Self.bytes(entry.0, 2) + Self.bytes(entry.1, 2) + Self.bytes(entry.2, 4)
    }
  }

  private static func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }

  /// Grants the rights.
  ///
  /// - Returns: False where the file system has no such lists, or the file is another user's.
  func grant(at path: String) -> Bool {
    groups.isEmpty || clinux_set_attribute(path, Self.attribute, bytes, bytes.count) >= 0
  }
}
