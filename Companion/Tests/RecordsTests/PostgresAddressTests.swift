import Testing

@testable import PostgresRecords

/// Rules of PostgreSQL 15, 34.1.1.1.
@Suite("Addresses of a server") struct PostgresAddressTests {
  @Test(
    "a limit is added to an address that states none, and every other word stays what it is, whatever marks it has",
    arguments: [
      ("", "connect_timeout='5'"), ("host=h", "connect_timeout='5' host='h'"),
      ("connect_timeout=9 host=h", "connect_timeout='9' host='h'"),
      ("postgresql://h/x?connect_timeout=7", "connect_timeout='7' dbname='x' host='h'"),
      (#"password='it\'s \\ it'"#, #"connect_timeout='5' password='it\'s \\ it'"#),
      ("password=\\'\u{301}", "connect_timeout='5' password='\\'\u{301}'"),
    ])
  func limits(address: String, text: String) throws {
    let found = try #require(PostgresAddress(address))
    #expect(Array(found.text(with: ["connect_timeout": "5"]).utf8) == Array(text.utf8))
    // Read again, nothing has changed.
    let again = try #require(PostgresAddress(found.text(with: [:])))
    #expect(again == found)
  }
}
