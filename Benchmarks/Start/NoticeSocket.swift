import Glibc

/// Takes what a daemon would tell systemd.
final class NoticeSocket {
  let path = "/tmp/auricle-start-\(getpid()).sock"
  private let descriptor: Int32

  init?() {
    unlink(path)
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard bound == 0 else { return nil }
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  /// Whether `READY=1` comes in time.
  func waitForReady(seconds: Int) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let end = time(nil) + seconds
    while time(nil) < end {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 1000) > 0 else { continue }
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else { continue }
      if String(decoding: bytes[0..<count], as: UTF8.self).contains("READY=1") { return true }
    }
    return false
  }
}
