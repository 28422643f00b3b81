import CommonTesting
import Glibc
import Testing

@testable import Service

@Suite("Access of further groups")
struct GroupAccessTests {
  @Test(
    "the list has the form of linux/posix_acl_xattr.h: owner, group, named groups in order, mask, others")
  func form() {
    let list = GroupAccess(mode: 0o660, groups: [52, 51]).bytes
    #expect(
      list == [
        2, 0, 0, 0,
        0x01, 0, 6, 0, 0xFF, 0xFF, 0xFF, 0xFF,
        0x04, 0, 6, 0, 0xFF, 0xFF, 0xFF, 0xFF,
        0x08, 0, 6, 0, 51, 0, 0, 0,
        0x08, 0, 6, 0, 52, 0, 0, 0,
        0x10, 0, 6, 0, 0xFF, 0xFF, 0xFF, 0xFF,
        0x20, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF,
      ])
  }

  /// The list of a file, as the kernel has it. The module Glibc has no sys/xattr.h.
  private func list(of path: String) throws -> [UInt8] {
    typealias Read =
      @convention(c) (
        UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int
      ) -> Int
    let read = unsafeBitCast(try #require(dlsym(nil, "getxattr")), to: Read.self)
    var bytes = [UInt8](repeating: 0, count: 64)
    let length = read(path, "system.posix_acl_access", &bytes, bytes.count)
    return Array(bytes.prefix(max(0, length)))
  }

  @Test("the kernel takes it, keeps the mode, and gives nothing to others")
  func kept() throws {
    let folder = TemporaryFolder()
    let path = folder.file("socket")
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    guard GroupAccess(mode: 0o660, groups: [51]).grant(at: path) else {
      let code = errno
      // A file system may have no lists, and somebody who is not root a user namespace without the group.
      #expect(geteuid() != 0 || code == EOPNOTSUPP, "\(code)")
      return
    }
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o660)
    #expect(
      try list(of: path) == [
        2, 0, 0, 0,
        0x01, 0, 6, 0, 0xFF, 0xFF, 0xFF, 0xFF,
        0x04, 0, 6, 0, 0xFF, 0xFF, 0xFF, 0xFF,
        0x08, 0, 6, 0, 51, 0, 0, 0,
        0x10, 0, 6, 0, 0xFF, 0xFF, 0xFF, 0xFF,
        0x20, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF,
      ])
  }

  @Test("without further groups nothing is asked of the file system")
  func none() { #expect(GroupAccess(mode: 0o660, groups: []).grant(at: "/nowhere/at/all")) }
}
