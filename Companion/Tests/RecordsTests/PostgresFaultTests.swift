import Records
import Testing

@testable import PostgresRecords

/// PostgreSQL 15, appendix A.
@Suite("Faults of PostgreSQL by their SQLSTATE") struct PostgresFaultTests {
  @Test(
    "a state is told as what became of the request; a server that only reads is one that took nothing, and damage is damage",
    arguments: [
      // read_only_sql_transaction, and the rest of its class, which is a fault of the statements.
      ("25006", .lost("m")), ("25P02", .wrongStatement("m (25P02)")),
      // data_corrupted, index_corrupted, internal_error.
      ("XX001", .damaged("m")), ("XX002", .damaged("m")), ("XX000", .wrongStatement("m (XX000)")),
      // unique_violation, disk_full, admin_shutdown, deadlock_detected, insufficient_privilege, syntax_error.
      ("23505", .constraint("m")), ("53100", .full("m")), ("57P01", .lost("m")), ("40P01", .busy("m")),
      ("42501", .forbidden("m")), ("42601", .wrongStatement("m (42601)")),
    ] as [(String, StorageError)])
  func states(state: String, expected: StorageError) {
    #expect(PostgresFault.of(state, "m") == expected)
  }
}
