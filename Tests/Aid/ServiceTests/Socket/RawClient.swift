import Control
import Glibc
import Testing

/// A client that can send anything.
final class RawClient {
  let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let address = try #require(UnixAddress(path))
    try #require(address.withPointer { connect(descriptor, $0, $1) } == 0)
    // No test waits longer than this for an answer.
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func send(_ text: String) { send([UInt8](text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      sent += count
    }
  }

  /// Ends this side, as `socat` does after its last line.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Waits, ten seconds at most, for the server to hang up, without reading.
  func isHungUp() -> Bool {
    var polled = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&polled, 1, 10_000) == 1 && polled.revents & Int16(POLLHUP) != 0
  }

  private var buffer: [UInt8] = []

  /// The next line; nil when the server hung up (or ten seconds passed).
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count <= 0 { return nil }
      buffer += chunk[..<count]
    }
  }

  /// Lines until the server hangs up.
  func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }
}
