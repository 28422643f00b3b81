extension Migrations {
  /// Tables of the companion, from nothing to their newest form. A released one is never edited; another follows it.
  /// Each engine has a number of its own: on a full disk a file has no room for a version that changes nothing in it.
  ///
  /// Their texts are the files `0001.sqlite.sql`, `0001.postgres.sql` …, which are compiled in: no program is without its tables. (The package manager
  /// puts an underscore in the place of a name's first digit.)
  public static func tables(for engine: Engine) -> Migrations {
    let texts =
      switch engine {
      case .sqlite:
        [
          PackageResources._001_sqlite_sql, PackageResources._002_sqlite_sql,
          PackageResources._003_sqlite_sql,
          PackageResources._004_sqlite_sql, PackageResources._005_sqlite_sql,
          PackageResources._006_sqlite_sql, PackageResources._007_sqlite_sql,
        ]
      case .postgres:
        [
          PackageResources._001_postgres_sql, PackageResources._002_postgres_sql,
          PackageResources._003_postgres_sql,
          PackageResources._004_postgres_sql, PackageResources._005_postgres_sql,
          PackageResources._006_postgres_sql, PackageResources._007_postgres_sql,
          PackageResources._008_postgres_sql,
        ]
      }
    return Migrations(
      texts.enumerated().map { Migration(number: $0 + 1, text: String(decoding: $1, as: UTF8.self)) })
  }
}
