import Glibc

/// The accounts' database of this machine (nsswitch.conf(5)).
///
/// - Threads: any: each call has a place of its own for what it finds.
package enum Accounts {
  /// A user, by whom the system knows them.
  package struct User: Sendable, Equatable {
    package let name: String
    /// Number of the user's own group.
    package let groupID: UInt32
    /// Home folder.
    package let home: String
  }

  /// Room for one entry, bytes: a group with tens of thousands of members.
  private static let room = 1 << 20

  /// The corresponding C function is `getpwuid_r`.
  package static func user(_ number: UInt32) -> User? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withRoom { texts in
      guard getpwuid_r(number, &entry, texts, room, &found) == 0, found != nil else { return nil }
      return String(validatingCString: entry.pw_name).map {
        User(name: $0, groupID: entry.pw_gid, home: String(cString: entry.pw_dir))
      }
    }
  }

  /// Number of a group. The corresponding C function is `getgrnam_r`.
  package static func group(named name: String) -> UInt32? {
    var entry = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    return withRoom { texts in
      guard getgrnam_r(name, &entry, texts, room, &found) == 0, found != nil else { return nil }
      return entry.gr_gid
    }
  }

  /// Numbers of all groups of a user, as at a login now. The corresponding C function is `getgrouplist`.
  package static func groups(of user: User) -> [UInt32] {
    // NGROUPS_MAX: the most that a process has.
    var count: Int32 = 65_536
    var groups = [gid_t](repeating: 0, count: Int(count))
    guard getgrouplist(user.name, user.groupID, &groups, &count) >= 0 else { return [] }
    return Array(groups.prefix(Int(count)))
  }

  private static func withRoom<Result>(_ body: (UnsafeMutablePointer<CChar>) -> Result) -> Result {
    let texts = UnsafeMutablePointer<CChar>.allocate(capacity: room)
    defer { texts.deallocate() }
    return body(texts)
  }
}
