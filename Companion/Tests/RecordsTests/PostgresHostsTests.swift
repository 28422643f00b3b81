import Dispatch
import Records
import Testing

@testable import PostgresRecords

@Suite("Look-up of a server's name") struct PostgresHostsTests {
  private static let known: [String: [String]] = [
    "one.example": ["192.0.2.1", "2001:db8::1"], "two.example": ["192.0.2.2"],
  ]

  private static func words(
    _ address: String, _ environment: [String: String] = [:]
  ) throws -> [String: String] {
    let parsed = try #require(PostgresAddress(address))
    return try PostgresHosts(parsed, environment: { environment[$0] }, within: 10) { name in
      known[name].map { PostgresHosts.Answer(addresses: $0) } ?? PostgresHosts.Answer(reason: "unknown")
    }.words
  }

  @Test(
    "each address of a name is a host of its own, with its name and its port; sockets are hosts as they are",
    arguments: [
      ("host=one.example", ["host": "one.example,one.example", "hostaddr": "192.0.2.1,2001:db8::1"]),
      ("host=two.example port=7", ["host": "two.example", "hostaddr": "192.0.2.2"]),
      (
        "postgresql://one.example:7,two.example:8/companion",
        [
          "host": "one.example,one.example,two.example", "hostaddr": "192.0.2.1,2001:db8::1,192.0.2.2",
          "port": "7,7,8",
        ]
      ),
      (
        "host=/run/postgresql,two.example",
        ["host": "/run/postgresql,two.example", "hostaddr": ",192.0.2.2"]
      ),
      // Another host is left, with the port that libpq takes where a list has none for it.
      (
        "postgresql://three.example,two.example/companion",
        ["host": "two.example", "hostaddr": "192.0.2.2", "port": "5432"]
      ),
      (
        "postgresql://three.example:7,two.example/companion",
        ["host": "two.example", "hostaddr": "192.0.2.2", "port": "5432"]
      ),
      ("host=three.example,two.example", ["host": "two.example", "hostaddr": "192.0.2.2"]),
    ] as [(String, [String: String])])
  func hosts(address: String, expected: [String: String]) throws {
    #expect(try Self.words(address) == expected)
  }

  @Test("a name of the environment is looked up where the address has none")
  func environment() throws {
    let variables = ["PGHOST": "two.example"]
    #expect(
      try Self.words("dbname=companion", variables) == ["host": "two.example", "hostaddr": "192.0.2.2"])
    #expect(try Self.words("host=/run/postgresql", variables).isEmpty)
  }

  @Test(
    "nothing is looked up of sockets, of stated addresses, of a service's hosts, and of lists that do not belong together",
    arguments: [
      ("host=/run/postgresql", [:]), ("dbname=companion", [:]), ("host=@socket", [:]),
      ("host=one.example hostaddr=192.0.2.9", [:]), ("host=one.example", ["PGHOSTADDR": "192.0.2.9"]),
      ("host=one.example service=own", [:]), ("host=one.example", ["PGSERVICE": "own"]),
      ("host=one.example,two.example port=7,8,9", [:]),
    ] as [(String, [String: String])])
  func left(address: String, environment: [String: String]) throws {
    #expect(try Self.words(address, environment).isEmpty)
  }

  @Test("a name without an address is told as libpq tells it")
  func unknown() throws {
    let words = "could not translate host name \"three.example\" to address: unknown"
    #expect(throws: StorageError.lost(words)) { try Self.words("host=three.example") }
  }

  @Test("a look-up that does not end is left behind in time, for another host where there is one")
  func hanging() throws {
    let end = DispatchSemaphore(value: 0)
    defer { for _ in 0..<2 { end.signal() } }
    func words(_ address: String) throws -> [String: String] {
      try PostgresHosts(
        try #require(PostgresAddress(address)), environment: { _ in nil }, within: 0.1
      ) { name in
        if name == "silent.example" { end.wait() }
        return PostgresHosts.Answer(addresses: ["192.0.2.2"])
      }.words
    }
    let reason = "the look-up of host name \"silent.example\" has taken 1 s"
    #expect(throws: StorageError.lost(reason)) { try words("host=silent.example") }
    #expect(
      try words("host=silent.example,/run/postgresql") == ["host": "/run/postgresql", "hostaddr": ""])
  }

  @Test("beside a host with an address another name is waited for no longer than a second")
  func further() throws {
    let end = DispatchSemaphore(value: 0)
    defer { end.signal() }
    let address = try #require(PostgresAddress("host=silent.example,two.example"))
    // The limit of an hour is not reached.
    let words = try PostgresHosts(address, environment: { _ in nil }, within: 3600) { name in
      if name == "silent.example" { end.wait() }
      return PostgresHosts.Answer(addresses: ["192.0.2.2"])
    }.words
    #expect(words == ["host": "two.example", "hostaddr": "192.0.2.2"])
  }

  @Test("the system's look-up gives a numeric address as it is")
  func numeric() {
    #expect(PostgresHosts.systemAnswer(to: "127.0.0.1").addresses == ["127.0.0.1"])
    #expect(PostgresHosts.systemAnswer(to: "::1").addresses == ["::1"])
  }
}
