import Glibc

/// A disk of memory, of a size, for tests of what happens when it is full; only root may have one.
///
/// - Threads: one at a time.
package final class SmallDisk {
  /// Whether this process may mount one.
  package static let isPossible: Bool = SmallDisk(size: "64k") != nil

  /// Where it is mounted.
  package let path: String

  /// - Parameter size: As mount(8) reads it for tmpfs: `256k`.
  package init?(size: String) {
    var template = [CChar]("/tmp/auricle-disk-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { return nil }
    path = String(cString: made)
    guard getuid() == 0, mount("tmpfs", path, "tmpfs", 0, "size=\(size)") == 0 else {
      rmdir(path)
      return nil
    }
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
    rmdir(path)
  }

  /// Names of what lies on it, sorted.
  package var names: [String] { TemporaryFolder.names(in: path) }

  /// Path of the file that ``fill(leaving:)`` makes.
  package var filling: String { path + "/filling" }

  /// Fills it by one file, but for some pages of 4 KiB.
  package func fill(leaving pages: Int) -> Bool {
    let descriptor = open(filling, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let page = [UInt8](repeating: 1, count: 4096)
    var size = 0
    while case let count = write(descriptor, page, page.count), count > 0 { size += count }
    return ftruncate(descriptor, off_t(size - pages * page.count)) == 0
  }

  /// From now on nothing can be written; open files are left as they are.
  package func makeReadOnly() -> Bool {
    mount("tmpfs", path, "tmpfs", UInt(MS_RDONLY | MS_REMOUNT), "") == 0
  }
}
