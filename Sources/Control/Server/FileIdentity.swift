import Glibc

/// Which file it is, however it is called: to notice that another lies in its place.
struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// Nil when it cannot be looked at.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Of what lies at `path`, a link itself; nil when it cannot be looked at.
  init?(at path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether it lies at `path`. What cannot be looked at is not known to be gone.
  func isStill(at path: String) -> Bool {
    if let found = FileIdentity(at: path) { return found == self }
    return errno != ENOENT && errno != ENOTDIR
  }
}
