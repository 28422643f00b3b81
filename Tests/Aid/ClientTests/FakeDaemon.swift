import AuricleClient
import CommonTesting
import Glibc
import Testing

/// A socket that a client connects to, whose answers a test writes: before they are asked for, as they wait in the socket.
///
/// One thread writes while another one's client reads; nothing of it changes then.
final class FakeDaemon: @unchecked Sendable {
  private let folder = TemporaryFolder()
  let path: String
  private let listener: Int32
  private var connection: Int32 = -1

  /// - Parameters:
  ///   - kind: Of the socket.
  ///   - queue: Connections that wait to be accepted; nil: nobody listens.
  init(_ kind: __socket_type = SOCK_STREAM, queue: Int32? = 8) throws {
    path = folder.path + "/control.sock"
    listener = socket(AF_UNIX, Int32(kind.rawValue), 0)
    let (listener, address) = (listener, try #require(UnixAddress(path)))
    try #require(address.withPointer { bind(listener, $0, $1) } == 0)
    if let queue { try #require(listen(listener, queue) == 0) }
  }

  deinit {
    hangUp()
    close(listener)
  }

  /// A client that is connected, and what it is answered.
  func client(timeout: Double = 20, answering lines: [String] = []) throws -> ControlClient {
    let client = try ControlClient(path: path, timeout: timeout)
    connection = accept(listener, nil, nil)
    for line in lines { send(line + "\n") }
    return client
  }

  /// - Returns: False where nobody takes it any longer.
  @discardableResult func send(_ text: String) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  /// Ends what another thread sends; the descriptor stays until that is over.
  func endSending() { shutdown(connection, Int32(SHUT_RDWR)) }

  func hangUp() {
    if connection >= 0 { close(connection) }
    connection = -1
  }
}

/// The failure of a connection that a body throws; nil: it throws none.
func connectionFailure(_ body: () throws -> some Any) -> Failure? {
  do {
    _ = try body()
    return nil
  } catch let CallFailure.connection(failure) {
    return failure
  } catch {
    return error as? Failure
  }
}
