import Almanac
import Base
import Foundation
import Records
import SQLiteRecords
import Testing

@testable import Companion

@Suite("Places of a database") struct CompanionDatabaseTests {
  @Test(
    "an address of libpq is a server in whatever order and case; anything besides is a file, and what is not kept is refused",
    arguments: [
      ("host=/run dbname=x", true), ("dbname=companion", true), ("user=owner host=x", true),
      ("service=foo", true),
      ("port=5 host=x", true), ("POSTGRESQL://host/x", true), ("postgres://x", true), ("a=b.db", false),
      ("/home/ada/companion.db", false), ("companion.db", false),
    ])
  func places(text: String, isServer: Bool) throws {
    let place = try CompanionDatabase(text)
    #expect(place == (isServer ? .server(text) : .file(text)))
  }

  @Test(
    "every word of libpq may begin an address, also one of a later version: no password becomes a file's name",
    arguments: [
      "sslrootcert=/etc/ca.pem", "gssencmode=disable", "keepalives=1", "sslcert=c.pem",
      "channel_binding=require", "ssl_min_protocol_version=TLSv1.3", "tcp_user_timeout=9", "krbsrvname=x",
      "require_auth=scram-sha-256", "sslnegotiation=direct", "min_protocol_version=3.2",
    ])
  func everyWord(word: String) throws {
    let address = "\(word) host=db dbname=x password=secret"
    let place = try CompanionDatabase(address)
    #expect(place == .server(address) && !place.words.contains("secret"))
  }

  @Test(
    "nothing, and SQLite's names of databases in memory, are no place",
    arguments: ["", ":memory:", "file:x?mode=memory"])
  func noPlace(text: String) { #expect(throws: Failure.self) { try CompanionDatabase(text) } }

  @Test(
    "the words of a server are host, port, database and user alone, by libpq's rules, and no password in whatever form",
    arguments: [
      ("dbname=x password=secret", "dbname=x"), ("dbname = x password = secret", "dbname=x"),
      ("password='my secret' host=/run user=ada", "host=/run user=ada"),
      (#"dbname='a b' password='it\'s secret' port=5433"#, "port=5433 dbname='a b'"),
      ("host=h sslpassword=secret sslkey=secret.pem passfile=secret", "host=h"),
      ("postgresql://ada:secret@host:5433/x?sslpassword=secret", "host=host port=5433 dbname=x user=ada"),
      ("postgres://host/x?password=secret", "host=host dbname=x"), ("password=secret", "the server"),
      ("dbname=postgresql://ada:secret@host/x", "the server"),
      ("dbname=x password=my secret", "the server"),
    ])
  func password(address: String, words: String) throws {
    #expect(try CompanionDatabase(address).words == words)
  }

  @Test("an address that libpq cannot read is refused without any part of its password")
  func unreadableAddress() throws {
    // libpq's own words: missing "=" after "secret" in connection info string.
    let place = try CompanionDatabase("dbname=x password=my secret")
    #expect { try place.open(at: Instant(seconds: 0)) } throws: {
      "\($0)".contains("expected words such as host=/run/postgresql") && !"\($0)".contains("secret")
    }
  }

  @Test("a file that is prepared tells the versions before and after, and again that nothing was changed")
  func prepared() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = CompanionDatabase.file(folder.appendingPathComponent("new.db").path)
    let newest = Migrations.tables(for: .sqlite).all.count
    let sentence = "brought the tables from version 0 to \(newest)"
    #expect(try place.prepare(at: Instant(seconds: 0)) == [sentence])
    #expect(try place.prepare(at: Instant(seconds: 1)) == [])
    #expect(!place.preparedWords.contains("roles"))
    // Of an earlier version of the program.
    let former = folder.appendingPathComponent("former.db").path
    let tables = Migrations(Array(Migrations.tables(for: .sqlite).all.prefix(2)))
    try SQLiteDatabase(path: former).migrate(to: tables, at: Session(subject: nil, at: Instant(seconds: 2)))
    let done = try CompanionDatabase.file(former).prepare(at: Instant(seconds: 3))
    #expect(done == ["brought the tables from version 2 to \(newest)"])
  }

  /// The eighth of a server's is one of its logins. On a full disk there is no room for a row about it.
  @Test("a file of the seventh version of its tables is of the newest: nothing is written to open it")
  func seventh() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("seventh.db").path
    let tables = Migrations(Array(Migrations.tables(for: .sqlite).all.prefix(7)))
    let session = Session(subject: nil, at: Instant(seconds: 0))
    try SQLiteDatabase(path: path).migrate(to: tables, at: session)
    #expect(try CompanionDatabase.file(path).prepare(at: Instant(seconds: 1)) == [])
    #expect(Migrations.tables(for: .postgres).all.count == 8)
  }

  @Test(
    "a database that others could read is its owner's alone once it is opened, and so are the files beside it; what is no database keeps its mode"
  )
  func modes() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    func mode(_ name: String) -> mode_t? {
      var status = stat()
      return stat(path(name), &status) == 0 ? status.st_mode & 0o777 : nil
    }
    let ends = ["", "-wal", "-shm"]
    // As kill -9 leaves them, put back by cp.
    let first = try CompanionDatabase.file(path("first.db")).open(at: Instant(seconds: 0))
    defer { withExtendedLifetime(first) {} }
    for end in ends {
      try FileManager.default.copyItem(atPath: path("first.db" + end), toPath: path("back.db" + end))
      _ = chmod(path("back.db" + end), 0o644)
      #expect(mode("back.db" + end) == 0o644, "\(end)")
    }
    let back = try CompanionDatabase.file(path("back.db")).open(at: Instant(seconds: 1))
    defer { withExtendedLifetime(back) {} }
    for end in ends { #expect(mode("back.db" + end) == 0o600, "\(end)") }
    try Data(repeating: 120, count: 9000).write(to: folder.appendingPathComponent("notes.txt"))
    _ = chmod(path("notes.txt"), 0o644)
    #expect(throws: Failure.self) {
      try CompanionDatabase.file(path("notes.txt")).open(at: Instant(seconds: 2))
    }
    #expect(mode("notes.txt") == 0o644)
  }
}
