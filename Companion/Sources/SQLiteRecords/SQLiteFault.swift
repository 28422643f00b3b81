import GRDB
import Records

/// SQLite's result codes as what became of the request (sqlite.org/rescode.html).
enum SQLiteFault {
  /// Runs a body whose errors are GRDB's or already ours.
  static func caught<Result>(_ body: () throws -> Result) throws(StorageError) -> Result {
    do { return try body() } catch let error as StorageError { throw error } catch let error
      as DatabaseError
    {
      throw storageError(error)
    } catch { throw .wrongStatement("\(error)") }
  }

  /// True where the file of the shared index beside a database could not get its size, as on a full disk.
  static func isWithoutIndex(_ error: DatabaseError) -> Bool {
    error.extendedResultCode == .SQLITE_IOERR_SHMSIZE || error.extendedResultCode == .SQLITE_IOERR_SHMOPEN
  }

  private static func storageError(_ error: DatabaseError) -> StorageError {
    let words = error.message ?? "\(error.resultCode)"
    return switch error.extendedResultCode {
    case .SQLITE_CONSTRAINT: .constraint(words)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged(words)
    case .SQLITE_FULL, .SQLITE_IOERR_SHMSIZE: .full(words)
    case .SQLITE_BUSY, .SQLITE_LOCKED: .busy(words)
    case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
      .lost(words)
    default: .wrongStatement(words)
    }
  }
}
