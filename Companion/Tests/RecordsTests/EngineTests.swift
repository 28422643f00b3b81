import Almanac
import Records
import RecordsTesting
import Testing

@Suite("Both engines") struct EngineTests {
  static let make = Migration(
    number: 0, text: "CREATE TABLE kinds (id INTEGER PRIMARY KEY, t TEXT, n BIGINT, r DOUBLE PRECISION)")

  @Test(
    "numbers at their extremes, texts of every script and nothing come back as they were kept",
    arguments: TestDatabase.engines)
  func values(engine: Engine) throws {
    try TestDatabase.with(engine, migrated: false) { store in
      try store.database.apply(Self.make)
      let values: [(Value, Value, Value)] = [
        (nil, nil, nil), ("", 0, 0.5),
        ("it's :not $1 a parameter", .integer(.max), .real(.greatestFiniteMagnitude)),
        ("Ωμέγα 耳 👂🏽 \u{1}\n", .integer(.min), .real(.leastNonzeroMagnitude)), ("'';--", -1, .real(-0.1)),
      ]
      let insert = Statement("INSERT INTO kinds (id, t, n, r) VALUES (:id, :t, :n, :r)")
      let select = Statement("SELECT t, n, r FROM kinds WHERE id = :id")
      for (id, value) in values.enumerated() {
        let changed = try store.database.transaction(.at(0)) { transaction throws(StorageError) in
          try transaction.run(insert, ["id": .integer(id), "t": value.0, "n": value.1, "r": value.2])
        }
        #expect(changed == 1)
        let row = try #require(try store.database.once(.at(0), select, ["id": .integer(id)]).first)
        #expect(row["t"] == value.0 && row["n"] == value.1 && row["r"]?.real == value.2.real)
      }
    }
  }

  @Test(
    "identity and time are those of the transaction, and nobody's outside of it",
    arguments: TestDatabase.engines)
  func identity(engine: Engine) throws {
    try TestDatabase.with(engine) { store in
      let who = Statement("SELECT subject_id() AS who, clock_now() AS moment")
      let row = try #require(try store.database.once(.at(1_234, "ada"), who, [:]).first)
      #expect(row["who"] == "ada" && row["moment"] == 1_234)
      let nobody = try #require(try store.database.once(.at(-5, nil), who, [:]).first)
      #expect(nobody["who"] == .null && nobody["moment"] == -5)
    }
  }

  @Test(
    "what a transaction has done before it throws is taken back, and the connection goes on",
    arguments: TestDatabase.engines)
  func takenBack(engine: Engine) throws {
    try TestDatabase.with(engine, migrated: false) { store in
      try store.database.apply(Self.make)
      let insert = Statement("INSERT INTO kinds (id) VALUES (:id)")
      let count = Statement("SELECT count(*) AS n FROM kinds")
      #expect(throws: StorageError.busy("a test")) {
        try store.database.transaction(.at(0)) { transaction throws(StorageError) in
          try transaction.run(insert, ["id": 1])
          throw .busy("a test")
        }
      }
      #expect(try store.database.once(.at(0), count, [:]).first?["n"] == 0)
      // A key twice is the database's own refusal, within a transaction and by itself.
      _ = try store.database.once(.at(0), insert, ["id": 1])
      #expect(throws: StorageError.self) { try store.database.once(.at(0), insert, ["id": 1]) }
      #expect(throws: StorageError.self) {
        try store.database.transaction(.at(0)) { transaction throws(StorageError) in
          try transaction.run(insert, ["id": 2])
          try transaction.run(insert, ["id": 1])
        }
      }
      #expect(try store.database.once(.at(0), count, [:]).first?["n"] == 1)
    }
  }

  @Test(
    "faults have their kinds: a rule of the tables, a statement that is wrong, a parameter that is missing",
    arguments: TestDatabase.engines)
  func kinds(engine: Engine) throws {
    try TestDatabase.with(engine, migrated: false) { store in
      try store.database.apply(Self.make)
      func error(_ text: String, _ parameters: [String: Value] = [:]) -> StorageError? {
        do throws(StorageError) {
          _ = try store.database.once(.at(0), Statement(text), parameters)
          return nil
        } catch { return error }
      }
      #expect(error("INSERT INTO kinds (id) VALUES (7)") == nil)
      if case .constraint? = error("INSERT INTO kinds (id) VALUES (7)") {
      } else {
        Issue.record("no constraint")
      }
      for (text, parameters) in [
        ("SELEKT 1", [:]), ("SELECT * FROM nowhere", [:]), ("SELECT :x", ["y": 1]),
      ]
        as [(String, [String: Value])]
      {
        if case .wrongStatement? = error(text, parameters) {
        } else {
          Issue.record("\(text) is no wrong statement")
        }
      }
    }
  }

  @Test("a database that is not there is lost, and says so")
  func lost() throws {
    #expect(throws: StorageError.self) { try TestDatabase.nowhere() }
  }
}

@Suite("Statements") struct StatementTests {
  @Test(
    "parameters by name become numbers in the order of their first use; texts, casts and quotes stay",
    arguments: [
      ("a = :x AND b = :y OR c = :x", "a = $1 AND b = $2 OR c = $1", ["x", "y"]),
      ("':x' || :x::text", "':x' || $1::text", ["x"]),
      ("'it''s :no' = :yes", "'it''s :no' = $1", ["yes"]),
      ("no parameter", "no parameter", []),
    ] as [(String, String, [String])])
  func numbered(text: String, expected: String, names: [String]) {
    let found = Statement(text).numbered
    #expect(found.text == expected && found.names == names)
  }
}
