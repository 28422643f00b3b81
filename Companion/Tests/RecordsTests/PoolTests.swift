import Dispatch
import Foundation
import Records
import RecordsTesting
import Synchronization
import Testing

@testable import PostgresRecords

@Suite("A pool of connections of one login", .enabled(if: TestDatabase.engines.contains(.postgres)))
struct PoolTests {
  private static let process = Statement("SELECT pg_backend_pid() AS id")

  private static let begin = Statement(
    "INSERT INTO subject (id, since) VALUES (subject_id(), clock_now())")
  private static let subjects = Statement("SELECT id FROM subject")

  private static func pool(
    _ store: TestDatabase, _ connections: Int, patience: Double = 5
  ) throws -> PostgresDatabase {
    try PostgresDatabase(store.place, connections: connections, patience: patience)
  }

  private static func processID(_ database: PostgresDatabase) throws -> Int {
    try database.once(.at(0), process, [:]).first?["id"]?.integer ?? 0
  }

  @Test(
    "one connection serves one after another; as many as it may have run at a time, each its own transaction"
  )
  func bounded() throws {
    try TestDatabase.with(.postgres) { store in
      let database = try Self.pool(store, 3)
      #expect(try Set((0..<5).map { _ in try Self.processID(database) }).count == 1)
      let found = try database.transaction(.at(0, "ada")) { first throws(StorageError) in
        try database.transaction(.at(1, "bob")) { second throws(StorageError) in
          try [first, second].map { transaction throws(StorageError) in
            let row = try transaction.rows(
              Statement("SELECT subject_id() AS who, clock_now() AS moment, pg_backend_pid() AS id"), [:]
            ).first
            return [row?["who"] ?? .null, row?["moment"] ?? .null, row?["id"] ?? .null]
          }
        }
      }
      #expect(found[0].prefix(2) == ["ada", 0] && found[1].prefix(2) == ["bob", 1])
      #expect(found[0][2] != found[1][2])
    }
  }

  @Test(
    "whoever asks for more connections than there are waits, is told after the pool's patience, and nothing is lost by it"
  )
  func exhausted() throws {
    try TestDatabase.with(.postgres) { store in
      let database = try Self.pool(store, 1, patience: 0.1)
      _ = try database.transaction(.at(0)) { _ throws(StorageError) in
        #expect(throws: StorageError.busy("each of 1 connections was in use for 0.1 s")) {
          try database.once(.at(0), Self.process, [:])
        }
      }
      #expect(try Self.processID(database) > 0)
    }
  }

  @Test("many people at once on few connections: each answer is kept, each under its own name")
  func concurrent() throws {
    try TestDatabase.with(.postgres) { store in
      let database = try Self.pool(store, 4, patience: 60)
      let failures = Mutex<[String]>([])
      let all = DispatchGroup()
      for person in 0..<12 {
        all.enter()
        Thread.detachNewThread {
          defer { all.leave() }
          for round in 0..<10 {
            do {
              let session = Session.at(round, "person-\(person)")
              if round == 0 { _ = try database.once(session, Self.begin, [:]) }
              let seen = try database.once(session, Self.subjects, [:]).map { $0["id"] }
              if seen != [.text("person-\(person)")] { failures.withLock { $0.append("\(seen)") } }
            } catch { failures.withLock { $0.append("\(error)") } }
          }
        }
      }
      all.wait()
      #expect(failures.withLock { $0 } == [])
      let count = try store.administrator().once(
        .at(0), Statement("SELECT count(*) AS n FROM subject"), [:])
      #expect(count.first?["n"] == 12)
    }
  }

  @Test(
    "a connection that was given back carries neither an identity nor an open transaction over, whatever was done with it",
    arguments: [
      "SELECT set_config('app.subject', 'bob', false)", "SELECT set_config('app.now', '7', false)",
      "COMMIT",
      "COMMIT; BEGIN", "ROLLBACK", "SELEKT 1", "SELECT pg_advisory_xact_lock(1)",
    ], [true, false])
  func nothingCarriedOver(text: String, throwing: Bool) throws {
    try TestDatabase.with(.postgres) { store in
      let database = try Self.pool(store, 1)
      _ = try database.once(.at(0, "bob"), Statement("INSERT INTO subject VALUES ('bob', 1)"), [:])
      struct Stop: Error {}
      _ = try? database.transaction(.at(0, "ada")) { transaction throws(any Error) in
        try transaction.run(Statement("INSERT INTO subject VALUES ('ada', 1)"), [:])
        for part in text.components(separatedBy: "; ") { _ = try? transaction.run(Statement(part), [:]) }
        if throwing { throw Stop() }
      } failing: {
        $0
      }
      let row = try #require(
        try database.once(
          .at(3, nil),
          Statement(
            "SELECT subject_id() AS who, clock_now() AS moment, (SELECT count(*) FROM subject) AS seen, statement_timestamp() = transaction_timestamp() AS fresh"
          ), [:]
        ).first)
      #expect(row["who"] == .null && row["moment"] == 3 && row["seen"] == 0)
      let open = try store.administrator().once(
        .at(0),
        Statement(
          "SELECT count(*) AS n FROM pg_stat_activity WHERE usename = 'auricle_participant' AND state LIKE 'idle in%' AND pid = \(try Self.processID(database))"
        ), [:])
      #expect(open.first?["n"] == 0)
    }
  }

  @Test(
    "a connection that the server has ended is replaced: idle, nobody notices; in the middle of a transaction it is said"
  )
  func replaced() throws {
    try TestDatabase.with(.postgres) { store in
      let administrator = try store.administrator()
      let database = try Self.pool(store, 2)
      func end(_ id: Int) throws {
        _ = try administrator.once(.at(0), Statement("SELECT pg_terminate_backend(\(id), 5000)"), [:])
      }
      let first = try Self.processID(database)
      try end(first)
      let second = try Self.processID(database)
      #expect(second != first)
      var failure: StorageError?
      do throws(StorageError) {
        _ = try database.transaction(.at(0, "ada")) { transaction throws(StorageError) in
          do { try end(second) } catch { throw .busy("\(error)") }
          _ = try transaction.run(Statement("INSERT INTO subject VALUES ('ada', 1)"), [:])
        }
      } catch { failure = error }
      if case .lost? = failure {
      } else {
        Issue.record("\(String(describing: failure)): expected that it is lost")
      }
      #expect(try Self.processID(database) != second)
      #expect(try database.once(.at(0, "ada"), Statement("SELECT id FROM subject"), [:]) == [])
    }
  }

  @Test(
    "a server that says nothing is lost after its time; of a change that it was sent nobody knows; the next connection is another one"
  )
  func silent() throws {
    try TestDatabase.with(.postgres) { store in
      // Longer than a machine that runs other tests keeps a server that is there from its turn.
      let database = try PostgresDatabase(store.place, connections: 1, silence: 6)
      /// The error of a step during which the connection's process is stopped.
      func failure(
        stoppedBefore: Bool = true, of step: (pid_t) throws(StorageError) -> Void
      ) throws -> StorageError? {
        let id = pid_t(try Self.processID(database))
        // 0 would be this program and its tests.
        try #require(id > 0)
        if stoppedBefore { kill(id, SIGSTOP) }
        defer { kill(id, SIGCONT) }
        do throws(StorageError) { try step(id) } catch { return error }
        return nil
      }
      let words = "the server has said nothing for 6 s"
      let read = try failure { _ throws(StorageError) in
        _ = try database.once(.at(0, "ada"), Self.subjects, [:])
      }
      let begun = try failure { _ throws(StorageError) in
        try database.transaction(.at(0, "ada")) { transaction throws(StorageError) in
          _ = try transaction.run(Self.begin, [:])
        }
      }
      #expect(read == .lost(words) && begun == .lost(words))
      // The next connection plans it at its second time: of one that is to be planned nothing was sent when the server falls silent.
      for name in ["zoe", "yan"] { _ = try database.once(.at(0, name), Self.begin, [:]) }
      let once = try failure { _ throws(StorageError) in
        _ = try database.once(.at(0, "bob"), Self.begin, [:])
      }
      let committed = try failure(stoppedBefore: false) { id throws(StorageError) in
        try database.transaction(.at(0, "eve")) { transaction throws(StorageError) in
          _ = try transaction.run(Self.begin, [:])
          kill(id, SIGSTOP)
        }
      }
      #expect(once == .unanswered(words) && committed == .unanswered(words))
      let looked = try failure(stoppedBefore: false) { id throws(StorageError) in
        try database.transaction(.at(0, "eve")) { transaction throws(StorageError) in
          _ = try transaction.rows(Self.subjects, [:])
          kill(id, SIGSTOP)
        }
      }
      #expect(looked == .lost(words))
      #expect(try database.once(.at(0, "ada"), Self.subjects, [:]) == [])
    }
  }

  @Test("whoever waits for a row that another program holds is told so, before the server counts as silent")
  func locked() throws {
    try TestDatabase.with(.postgres) { store in
      // Ten seconds for the row, and as many up to the silence.
      let database = try PostgresDatabase(store.place, silence: 20)
      let other = try PostgresDatabase(store.place)
      try other.transaction(.at(0, "ada")) { transaction throws(StorageError) in
        _ = try transaction.run(Self.begin, [:])
        var failure: StorageError?
        do throws(StorageError) { _ = try database.once(.at(0, "ada"), Self.begin, [:]) } catch {
          failure = error
        }
        if case .busy? = failure {
        } else {
          Issue.record("\(String(describing: failure)): expected that another program holds the row")
        }
      }
    }
  }

  /// A statement that copies has the same result for as long as it is asked.
  @Test(
    "a server that begins to copy, for which nothing here asks, is not waited for: the next connection is another one",
    arguments: ["COPY (SELECT 1) TO STDOUT", "COPY copied FROM STDIN"])
  func copying(text: String) throws {
    try TestDatabase.with(.postgres) { store in
      let database = try Self.pool(store, 1)
      let former = try Self.processID(database)
      let words = "the server wants to copy rows, which nothing here asks for"
      #expect(throws: StorageError.lost(words)) {
        try database.transaction(.at(0)) { transaction throws(StorageError) in
          _ = try transaction.run(Statement("CREATE TEMPORARY TABLE copied (x INTEGER)"), [:])
          return try transaction.rows(Statement(text), [:])
        }
      }
      let next = try Self.processID(database)
      #expect(next > 0 && next != former)
      // Several statements at once have a loop of their own.
      #expect(throws: StorageError.self) {
        try database.once(.at(0), Statement("COPY (SELECT 1) TO STDOUT"), [:])
      }
      #expect(try Self.processID(database) > 0)
    }
  }

  /// A program that takes connections and never says anything. libpq counts whole seconds, of which the first may be short.
  @Test(
    "opening a connection takes as long as the address states, by words or as a URL, and half of the silence where it states nothing",
    arguments: [
      ("host=127.0.0.1 port=", "", 2), ("host=127.0.0.1 port=", " connect_timeout=6", 6),
      ("postgresql://127.0.0.1:", "/x?connect_timeout=6", 6),
    ])
  func opening(lead: String, rest: String, seconds: Int) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try #require(listener >= 0)
    defer { close(listener) }
    // Without a port of its own it gets one.
    try #require(listen(listener, 8) == 0)
    var place = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
    }
    try #require(status == 0)
    let address = "\(lead)\(UInt16(bigEndian: place.sin_port))\(rest)"
    // An opening without a limit would keep the suite from its end, so the program ends. It does so by a descriptor of
    // its own: the other one's number may be in use again by then.
    let longest = 30
    let last = dup(listener)
    try #require(last >= 0)
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(longest)) {
      shutdown(last, Int32(SHUT_RDWR))
      close(last)
    }
    let began = ContinuousClock.now
    #expect(throws: StorageError.self) { try PostgresDatabase(address, silence: 4) }
    let time = ContinuousClock.now - began
    #expect(time >= .seconds(seconds - 1) && time < .seconds(longest))
  }

  private static let kept = Statement(
    "SELECT count(*) AS n FROM pg_prepared_statements WHERE statement LIKE '%subject_id%'")

  @Test(
    "a statement is the same whether the server has kept its plan, has lost it, or another kind of value comes"
  )
  func plans() throws {
    try TestDatabase.with(.postgres) { store in
      let database = try Self.pool(store, 1)
      let statement = Statement("SELECT :x AS x, subject_id() AS who")
      func row(_ value: Value) throws -> [Value?] {
        let row = try database.once(.at(0, "ada"), statement, ["x": value]).first
        return [row?["x"], row?["who"]]
      }
      for number in 1...3 { #expect(try row(.integer(number)) == [.integer(number), "ada"]) }
      #expect(try database.once(.at(0), Self.kept, [:]).first?["n"] == 1)
      for text in ["a", "b"] { #expect(try row(.text(text)) == [.text(text), "ada"]) }
      #expect(try database.once(.at(0), Statement("DEALLOCATE ALL"), [:]) == [])
      for number in 4...5 { #expect(try row(.integer(number)) == [.integer(number), "ada"]) }
      #expect(try database.once(.at(0), Self.kept, [:]).first?["n"] == 0)
    }
  }

  @Test(
    "texts of a database in UTF-8 are UTF-8, whatever encoding the address names",
    arguments: ["latin1", "SQL_ASCII", "auto"])
  func encoding(name: String) throws {
    try TestDatabase.with(.postgres) { store in
      let other = try PostgresDatabase(store.place + " client_encoding=\(name)")
      let (who, session) = ("Jürgen Łuk 耳", Session.at(0, "Jürgen Łuk 耳"))
      _ = try other.once(session, Self.begin, [:])
      for database in [other, try Self.pool(store, 1)] {
        #expect(try database.once(session, Self.subjects, [:]).map { $0["id"] } == [.text(who)])
      }
    }
  }

  /// Runs a body with the address of a new database in LATIN1, without tables.
  private static func withLatin(_ body: (String) throws -> Void) throws {
    let cluster = try #require(ProcessInfo.processInfo.environment["COMPANION_POSTGRES"])
    let name = "latin" + UUID().uuidString.lowercased().filter { $0 != "-" }
    let server = try PostgresConnection(cluster, role: nil)
    try server.simple("CREATE DATABASE \(name) ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    defer { try? server.simple("DROP DATABASE \(name) WITH (FORCE)") }
    try body("\(cluster) dbname=\(name)")
  }

  @Test("a new database in another encoding than UTF-8 is not prepared, and it is said how one is made")
  func otherEncoding() throws {
    try Self.withLatin { place in
      #expect {
        try PostgresDatabase.prepare(place, to: .tables(for: .postgres), at: .at(0))
      } throws: {
        "\($0)".contains(
          "keeps its texts in LATIN1, expected UTF8; make another one: createdb --encoding UTF8")
      }
    }
  }

  @Test(
    "a database in another encoding that has tables is prepared; its texts are read as they were written before, and new ones keep their bytes"
  )
  func formerEncoding() throws {
    // Another database of the server has made its roles.
    try TestDatabase.with(.postgres) { _ in
      try Self.withLatin { place in
        let administrator = try PostgresDatabase(place)
        let tables = Migrations.tables(for: .postgres)
        try administrator.migrate(to: Migrations(Array(tables.all.prefix(1))), at: .at(0))
        let who = "Jürgen Łuk 耳"
        let bytes = who.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        // As programs wrote before: each byte of UTF-8 as a letter of LATIN1.
        let former = Statement("INSERT INTO subject VALUES (convert_from('\\x\(bytes)', 'LATIN1'), 1)")
        _ = try administrator.once(.at(0), former, [:])
        let done = try PostgresDatabase.prepare(place, to: tables, at: .at(0))
        #expect(done.contains(.migrated(from: 1, to: tables.all.count)))
        let database = try PostgresDatabase("\(place) user=auricle_participant")
        #expect(try database.once(.at(0, who), Self.subjects, [:]).map { $0["id"] } == [.text(who)])
        let other = "Zoë"
        _ = try database.once(.at(0, other), Self.begin, [:])
        let kept = try database.once(
          .at(0, other), Statement("SELECT id, octet_length(id) AS bytes FROM subject"), [:])
        #expect(kept.map { $0["id"] } == [.text(other)])
        #expect(kept.map { $0["bytes"] } == [.integer(other.utf8.count)])
      }
    }
  }

  @Test(
    "a server that is not there is told at the opening")
  func absent() throws {
    #expect(throws: StorageError.self) { try PostgresDatabase("host=/nonexistent dbname=x") }
  }
}
