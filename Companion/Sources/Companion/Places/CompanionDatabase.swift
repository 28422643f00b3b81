import Almanac
import Base
import Glibc
import PostgresRecords
import Records
import SQLiteRecords

/// Place in which studies and answers are kept.
public enum CompanionDatabase: Sendable, Hashable {
  /// A person's file, of SQLite.
  case file(String)
  /// A site's server, as libpq takes its address.
  case server(String)

  /// Words with which an address of libpq may begin: those of the libpq that runs here, and those that came
  /// after PostgreSQL 15 (16 to 18, "Parameter Key Words"). libpq refuses an address with a word that it does not
  /// know; as a file it would have the password in its name.
  private static let keywords: Set<String> = PostgresAddress.keywords.union([
    "gssdelegation", "load_balance_hosts", "require_auth", "sslcertmode", "sslnegotiation",
    "max_protocol_version", "min_protocol_version", "oauth_client_id", "oauth_client_secret",
    "oauth_issuer", "oauth_scope", "scram_client_key", "scram_server_key", "servicefile", "sslkeylogfile",
  ])

  /// - Parameter text: A path, or an address such as `host=/run/postgresql dbname=companion` or `postgresql://…`.
  /// - Throws: ``Failure`` for nothing, and for SQLite's own names of databases that are not kept.
  public init(_ text: String) throws(Failure) {
    guard !text.isEmpty, text != ":memory:", !text.hasPrefix("file:") else {
      throw Failure(
        "--database", found: "\"\(text)\"",
        expected: "a file, or an address such as host=/run/postgresql dbname=companion",
        exit: .usage)
    }
    let lead = text.lowercased()
    let isURL = lead.hasPrefix("postgresql://") || lead.hasPrefix("postgres://")
    let word = lead.firstIndex(of: "=").map { String(lead[..<$0]).trimmingSpaces }
    self = isURL || word.map(Self.keywords.contains) ?? false ? .server(text) : .file(text)
  }

  /// The file of a person who has not named one: in the folder for data that the XDG Base Directory Specification gives (0.8).
  public static func standard(_ variables: [String: String]) -> CompanionDatabase {
    .file(standardPath(variables))
  }

  public static func standardPath(_ variables: [String: String]) -> String {
    let home = variables["HOME"] ?? ""
    let data = variables["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.local/share"
    return data + "/auricle/companion.db"
  }

  /// Its words for people; of a server host, port, database and user alone, so that no password is among them.
  public var words: String {
    switch self {
    case .file(let path): path
    case .server(let address):
      PostgresAddress(address).flatMap { $0.words.isEmpty ? nil : $0.words } ?? "the server"
    }
  }

  /// Opens it. A file is made where it is not there, and its tables brought to their newest form; a server was prepared before
  /// (``prepare(at:)``), and is opened as a login that cannot see others' rows alone.
  ///
  /// - Throws: ``Failure``.
  public func open(at now: Instant) throws(Failure) -> any Database {
    do throws(StorageError) {
      let session = Session(subject: nil, at: now)
      switch self {
      case .file(let path): return try Self.prepared(path, session).database
      case .server(let address):
        return try PostgresDatabase.serving(address, knowing: .tables(for: .postgres), at: session)
      }
    } catch { throw Failure(words, inWords: "\(error)", exit: error.exitStatus) }
  }

  /// Makes tables, and a server's roles and rights, as whoever administers it.
  ///
  /// - Returns: A sentence for each thing that was done.
  /// - Throws: ``Failure``.
  public func prepare(at now: Instant) throws(Failure) -> [String] {
    do throws(StorageError) {
      let session = Session(subject: nil, at: now)
      let done: [PostgresDatabase.Preparation]
      switch self {
      case .file(let path):
        let (before, newest) = (try Self.prepared(path, session).before, Migrations.tables(for: .sqlite))
        done = before < newest.all.count ? [.migrated(from: before, to: newest.all.count)] : []
      case .server(let address):
        done = try PostgresDatabase.prepare(address, to: .tables(for: .postgres), at: session)
      }
      return done.map(\.description)
    } catch {
      // A step that was done by then is not done twice.
      let remedy: String? =
        if case .unanswered = error { "Repeat it: auricle study database prepare" } else { nil }
      throw Failure(words, inWords: "\(error)", remedy: remedy, exit: error.exitStatus)
    }
  }

  /// Sentence of a preparation that had nothing to do.
  public var preparedWords: String {
    switch self {
    case .file: "the tables are of the newest version; nothing was changed"
    case .server: "roles are there and the tables are of the newest version; nothing was changed"
    }
  }

  /// Opens a file, which is made where it is not there, and brings its tables to their newest form.
  ///
  /// - Returns: Beside it the version that its tables had before; 0 where it had none.
  private static func prepared(
    _ path: String, _ session: Session
  ) throws(StorageError) -> (database: SQLiteDatabase, before: Int) {
    try makeFolder(of: path)
    let database = try openedPrivately(path)
    return (database, try database.migrate(to: .tables(for: .sqlite), at: session))
  }

  /// Opens a file that its owner alone may read from then on; one that is no database keeps its mode.
  ///
  /// The mode is set before: SQLite gives it to the files beside it, which hold answers too, also after kill -9.
  private static func openedPrivately(_ path: String) throws(StorageError) -> SQLiteDatabase {
    let files = ["", "-wal", "-shm"].compactMap { end -> (path: String, mode: mode_t)? in
      mode(of: path + end).map { (path + end, $0) }
    }
    for file in files { _ = chmod(file.path, 0o600) }
    do throws(StorageError) { return try SQLiteDatabase(path: path) } catch {
      if case .damaged = error {
        for file in files { _ = chmod(file.path, file.mode) }
      }
      throw error
    }
  }

  /// Nil for what is no file, such as a folder.
  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return status.st_mode & 0o7777
  }

  private static func makeFolder(of path: String) throws(StorageError) {
    do throws(SystemError) { try Folder.make(FilePath.folder(of: path)) } catch {
      throw .lost("the folder \(FilePath.folder(of: path)) cannot be made: \(error)")
    }
  }
}

extension StorageError {
  /// Status with which a command ends that met it.
  public var exitStatus: ExitStatus {
    switch self {
    case .constraint: .badData
    case .full: .inputOutput
    case .lost, .unanswered: .unavailable
    case .damaged: .badData
    case .busy: .temporary
    case .forbidden: .noPermission
    case .editedMigration, .laterSchema, .olderSchema: .configuration
    case .wrongStatement: .software
    }
  }
}
