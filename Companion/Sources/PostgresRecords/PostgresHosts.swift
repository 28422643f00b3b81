import Dispatch
import Glibc
import Records
import Synchronization

/// Hosts of an address with the numeric addresses of their names, looked up within a time.
///
/// libpq looks a name up by the system, which `connect_timeout` does not limit and nothing can end. Of a host whose `hostaddr` is stated it
/// looks up nothing, and takes the name for certificate and password alone (PostgreSQL 15, 34.1.2).
struct PostgresHosts: Sendable, Equatable {
  /// Words of libpq beside those of the address, which they override; empty where there is no name to look up, or libpq alone knows the
  /// hosts: those of a service file.
  let words: [String: String]

  /// Port of a host that states none in a list of them (PostgreSQL 15, 34.1.2).
  private static let usualPort = "5432"
  /// Time for which other names are waited for once a host can be tried, s. Own choice.
  private static let furtherTime = 1.0

  /// Outcome of a look-up.
  struct Answer: Sendable {
    /// Numeric, in the order of the system.
    var addresses: [String] = []
    /// Reason for which there are none, as the system words it.
    var reason = ""
  }

  /// - Parameters:
  ///   - environment: Value of a variable.
  ///   - limit: Longest time for all names together, s.
  ///   - lookUp: Look-up of a name; replaced in tests.
  /// - Throws: ``StorageError/lost(_:)`` where no host is left: its name has no address, or the look-up takes longer. It goes on then by
  ///   itself, to an end that nobody waits for.
  init(
    _ address: PostgresAddress, environment: (String) -> String? = Self.variable, within limit: Double,
    lookUp: @escaping @Sendable (String) -> Answer = Self.systemAnswer
  ) throws(StorageError) {
    func value(_ keyword: String, _ variable: String) -> String? {
      address.value(keyword) ?? environment(variable)
    }
    let hosts = value("host", "PGHOST").map(Self.list) ?? []
    let ports = value("port", "PGPORT").map(Self.list) ?? []
    let names = Set(hosts.filter(Self.isName))
    // Lists of other lengths are libpq's to refuse.
    guard value("service", "PGSERVICE") == nil, value("hostaddr", "PGHOSTADDR") == nil, !names.isEmpty,
      ports.count <= 1 || ports.count == hosts.count
    else {
      words = [:]
      return
    }
    let answers = Self.answers(
      of: names, within: hosts.allSatisfy(Self.isName) ? limit : min(limit, Self.furtherTime), lookUp)
    var tried: [(host: String, address: String, port: String)] = []
    for (host, port) in zip(hosts, ports.count > 1 ? ports : hosts.map { _ in "" }) {
      let found = Self.isName(host) ? answers[host]?.addresses ?? [] : [""]
      tried += found.map { (host, $0, port) }
    }
    guard !tried.isEmpty else { throw .lost(Self.reason(names, answers, limit)) }
    var words = [
      "host": tried.map(\.host).joined(separator: ","),
      "hostaddr": tried.map(\.address).joined(separator: ","),
    ]
    // libpq passes over a word that is empty, and would take the address's list for the one host that is left.
    if ports.count > 1 {
      words["port"] = tried.map { $0.port.isEmpty ? Self.usualPort : $0.port }.joined(separator: ",")
    }
    self.words = words
  }

  private static func list(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  /// False for the folder of a socket, an abstract socket, and libpq's default (PostgreSQL 15, 34.1.2).
  private static func isName(_ host: String) -> Bool {
    !host.isEmpty && !host.hasPrefix("/") && !host.hasPrefix("@")
  }

  private static func reason(_ names: Set<String>, _ answers: [String: Answer], _ limit: Double) -> String {
    names.sorted().map { name in
      answers[name].map { "could not translate host name \"\(name)\" to address: \($0.reason)" }
        ?? "the look-up of host name \"\(name)\" has taken \(Int(limit.rounded(.up))) s"
    }.joined(separator: "; ")
  }

  // MARK: - Look-up

  /// Answers that come in time: within a second once one has an address.
  private static func answers(
    of names: Set<String>, within limit: Double, _ lookUp: @escaping @Sendable (String) -> Answer
  ) -> [String: Answer] {
    let answers = Answers()
    for name in names { DispatchQueue.global().async { answers.take(lookUp(name), of: name) } }
    return answers.all(names.count, until: .now() + limit, further: furtherTime)
  }

  /// A variable of the environment.
  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The corresponding C function is `getaddrinfo`, asked as libpq asks it.
  @Sendable static func systemAnswer(to name: String) -> Answer {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(name, nil, &hints, &first)
    guard code == 0 else { return Answer(reason: String(cString: gai_strerror(code))) }
    defer { freeaddrinfo(first) }
    var addresses: [String] = []
    var next = first
    while let entry = next?.pointee {
      if let text = numeric(entry) { addresses.append(text) }
      next = entry.ai_next
    }
    return Answer(addresses: addresses, reason: "no address")
  }

  private static func numeric(_ entry: addrinfo) -> String? {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = getnameinfo(
      entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    guard code == 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Answers of look-ups that run beside each other.
///
/// - Threads: any.
private final class Answers: Sendable {
  private let found = Mutex<[String: PostgresHosts.Answer]>([:])
  private let arrived = DispatchSemaphore(value: 0)

  func take(_ answer: PostgresHosts.Answer, of name: String) {
    found.withLock { $0[name] = answer }
    arrived.signal()
  }

  /// Those that there are once so many have come, or it is time.
  ///
  /// - Parameter further: Time for the others once one has an address, s.
  func all(_ count: Int, until due: DispatchTime, further: Double) -> [String: PostgresHosts.Answer] {
    var (missing, due, isUsable) = (count, due, false)
    while missing > 0, arrived.wait(timeout: due) == .success {
      missing -= 1
      if !isUsable, found.withLock({ $0.values.contains { !$0.addresses.isEmpty } }) {
        isUsable = true
        due = min(due, .now() + further)
      }
    }
    return found.withLock { $0 }
  }
}
