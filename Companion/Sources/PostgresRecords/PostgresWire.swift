import CPQ
import Glibc
import Records

/// A connection of libpq whose calls return though the server does not answer: requests are handed over and results
/// fetched without blocking, and a silence has its limit.
///
/// The corresponding C functions are those of PostgreSQL 15, 34.4. Opening is `PQconnectdbParams`, which `connect_timeout` limits for
/// each of the server's addresses; their look-up has a limit of its own (``PostgresHosts``).
///
/// - Threads: one at a time.
final class PostgresWire {
  let connection: OpaquePointer?
  /// Longest silence of the server, s; nil: it may last.
  private let silence: Double?
  /// Reason why nothing is asked of the server any more though the connection stands.
  private var refusal: String?
  /// True where the last request was handed to libpq, so that the server may have it.
  private(set) var wasSent = false

  /// Time after which a socket that shows nothing is read all the same, ms: TLS may hold bytes back that came before.
  private static let slice: Int32 = 250

  /// - Parameters:
  ///   - address: One that libpq can read.
  ///   - silence: Longest silence of the server, s, and of the look-up of its name; half of it is the limit for opening where neither the
  ///     address nor PGCONNECT_TIMEOUT states one; nil: no limit.
  init(_ address: String, silence: Double?) throws(StorageError) {
    self.silence = silence
    let isLimited = getenv("PGCONNECT_TIMEOUT") == nil
    let limit = isLimited ? silence.map { Int(($0 / 2).rounded(.up)) } : nil
    var hosts: [String: String] = [:]
    if let silence, let parsed = PostgresAddress(address) {
      hosts = try PostgresHosts(parsed, within: silence).words
    }
    connection = Self.opened(address, hosts, within: limit)
    guard isOpen, PQsetnonblocking(connection, 1) == 0 else { throw .lost(words) }
  }

  /// The address stands as it is behind the limit, which one of its own overrides (PostgreSQL 15, 34.1.1, `PQconnectdbParams`).
  ///
  /// - Parameters:
  ///   - hosts: Words behind the address, which override its own.
  ///   - limit: Longest time for each of the server's addresses, s; nil: libpq's own rules.
  private static func opened(
    _ address: String, _ hosts: [String: String], within limit: Int?
  ) -> OpaquePointer? {
    let hosts = hosts.sorted { $0.key < $1.key }
    // A null pointer ends both lists.
    let words = PostgresParameters(["connect_timeout", "dbname"] + hosts.map { .text($0.key) } + [nil])
    let values = PostgresParameters(
      [limit.map { .text("\($0)") } ?? .null, .text(address)] + hosts.map { .text($0.value) } + [nil])
    return words.withPointers { words in
      values.withPointers { values in PQconnectdbParams(words, values, 1) }
    }
  }

  // Its farewell to the server is not waited for either.
  deinit { PQfinish(connection) }

  /// False once the server is gone or was silent for too long.
  var isOpen: Bool { refusal == nil && PQstatus(connection) == CONNECTION_OK }

  /// Reason of the last failure.
  var words: String {
    if let refusal { return refusal }
    // libpq adds the last one where it is asked for the result of a connection that has ended.
    return String(cString: PQerrorMessage(connection)).split(whereSeparator: \.isNewline)
      .filter { $0 != "invalid socket" }.joined(separator: "; ")
  }

  /// Hands a request to libpq.
  ///
  /// - Parameter request: A call of libpq that sends, and gives 1.
  /// - Throws: ``StorageError/lost(_:)``; the server has nothing of it then.
  func send(_ request: (OpaquePointer?) -> Int32) throws(StorageError) {
    wasSent = false
    guard isOpen, request(connection) == 1 else { throw .lost(words) }
    wasSent = true
  }

  /// The next result of what was sent, which the caller frees; nil at the end of a statement's.
  ///
  /// - Throws: ``StorageError/lost(_:)`` where the server is silent for too long, or begins to copy. Of a connection that has
  ///   ended the result itself tells.
  func result() throws(StorageError) -> OpaquePointer? {
    guard refusal == nil else { throw .lost(words) }
    var quiet = 0.0
    while PQflush(connection) == 1 { try wait(for: POLLIN | POLLOUT, &quiet) }
    while PQisBusy(connection) == 1, PQstatus(connection) == CONNECTION_OK {
      try wait(for: POLLIN, &quiet)
    }
    guard let result = PQgetResult(connection) else { return nil }
    switch PQresultStatus(result) {
    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
      // The same result would come again and again, and nothing would be waited for.
      PQclear(result)
      throw refused("the server wants to copy rows, which nothing here asks for")
    default: return result
    }
  }

  /// Waits for the socket, and reads what there is.
  ///
  /// Time in which this program itself is stopped does not count.
  ///
  /// - Parameter quiet: Time since the server was last noticed, s.
  private func wait(for events: Int32, _ quiet: inout Double) throws(StorageError) {
    var socket = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
    let isNoticed = poll(&socket, 1, Self.slice) > 0
    quiet = isNoticed ? 0 : quiet + Double(Self.slice) / 1000
    if let silence, quiet >= silence {
      throw refused("the server has said nothing for \(Int(quiet.rounded(.up))) s")
    }
    guard PQconsumeInput(connection) == 1 || PQstatus(connection) != CONNECTION_OK else {
      throw refused(words)
    }
  }

  private func refused(_ reason: String) -> StorageError {
    refusal = reason
    return .lost(reason)
  }
}
