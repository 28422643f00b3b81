import AuricleClient
import Base
import Glibc

@testable import ProofOfRole

/// Both ends of a client's connection, within one process.
final class Client {
  let connection: ProofConnection
  private var descriptor: Int32

  init() {
    var ends: [Int32] = [0, 0]
    precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    (connection, descriptor) = (ProofConnection(ends[0]), ends[1])
  }

  deinit {
    leave()
    close(connection.descriptor)
  }

  func send(_ text: String) {
    _ = text.withCString { Glibc.send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
  }

  func leave() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Everything that was sent to it so far, line by line.
  var messages: [ProofMessage?] {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return bytes.prefix(max(count, 0)).split(separator: .newline).map { ProofMessage(line: Array($0)) }
  }
}
