import Base
import Glibc

/// Address of a Unix socket: a path, or with a leading `@` a name in the abstract namespace (unix(7)).
package struct UnixAddress {
  /// Longest path, bytes: `sun_path` less its closing zero.
  package static let longestPath = 107

  private var address = sockaddr_un()
  private let size: socklen_t

  /// Nil when the path is empty, longer than ``longestPath``, or has a zero byte in it.
  package init?(_ path: String) {
    var bytes = [UInt8](path.utf8)
    guard !bytes.isEmpty, bytes.count <= Self.longestPath, !bytes.contains(0) else { return nil }
    let isAbstract = bytes[0] == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    // An abstract name's length is the address's; a path ends with its zero.
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    size = socklen_t(offset + bytes.count + (isAbstract ? 0 : 1))
  }

  package func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }
}

extension Failure {
  /// A call of the system about a socket or its files that failed.
  ///
  /// - Parameters:
  ///   - code: Of errno(3).
  ///   - action: What was tried, `connect to it`.
  package static func socket(_ code: Int32, _ subject: String, _ action: String) -> Failure {
    let isPermission = code == EACCES || code == EPERM || code == EROFS
    return Failure(
      subject, found: "that user \(geteuid()) cannot \(action): \(SystemError.words(for: code))",
      exit: isPermission ? .noPermission : .system)
  }
}
