import Almanac
import Studies

/// A published version of a study: the bytes of its bundle, which are never changed.
public struct StudyVersion: Sendable, Hashable {
  /// SHA-256 of ``content``, hexadecimal.
  public let sha256: String
  /// The study's name among all studies of the world, a URL or URN.
  public let study: String
  public let version: String
  /// Fingerprint of the key that signed it, or the words for an own study.
  public let signer: String
  public let content: [UInt8]

  public init(study: String, version: String, signer: String, content: [UInt8]) {
    (self.study, self.version, self.signer, self.content) = (study, version, signer, content)
    sha256 = Hash.text(content)
  }
}

/// The versions that are kept.
///
/// - Threads: any.
public struct StudyVersions: Sendable {
  let database: any Database

  public init(_ database: any Database) { self.database = database }

  private static let insert = Statement(
    """
    INSERT INTO study_version (sha256, study, version, signer, content, added)
    VALUES (:sha256, :study, :version, :signer, :content, clock_now()) ON CONFLICT DO NOTHING
    """)
  private static let find = Statement(
    "SELECT sha256, study, version, signer, content FROM study_version WHERE sha256 = :sha256")
  private static let named = Statement(
    "SELECT sha256, study, version, signer, content FROM study_version WHERE study = :study AND version = :version"
  )
  private static let list = Statement(
    "SELECT sha256, study, version, signer, added FROM study_version ORDER BY study, added, version")

  /// Keeps a version; one that is there already stays as it is.
  ///
  /// - Throws: ``ParticipationError/otherContent(study:version:kept:)`` where the same version was published with other
  ///   content, ``ParticipationError/unreadable(_:)`` where the row with its hash is not of this content and signer.
  public func keep(_ version: StudyVersion, _ session: Session) throws(ParticipationError) {
    try database.participating(session) { transaction throws(ParticipationError) in
      try transaction.run(
        Self.insert,
        [
          "sha256": .text(version.sha256), "study": .text(version.study), "version": .text(version.version),
          "signer": .text(version.signer), "content": .bytes(version.content),
        ])
      let named = try transaction.rows(
        Self.named, ["study": .text(version.study), "version": .text(version.version)]
      ).first
      guard let row = named, row["sha256"]?.text == version.sha256 else {
        throw .otherContent(
          study: version.study, version: version.version, kept: named?["sha256"]?.text ?? "")
      }
      let kept = try StudyVersion(row)
      // Later editions are taken from the signer alone that is noted here.
      guard kept.signer == version.signer else {
        throw .unreadable(
          "version \(version.version) of \(version.study): found another signer, expected \(version.signer)"
        )
      }
    }
  }

  /// - Throws: ``ParticipationError/unknown(_:)``, and ``ParticipationError/unreadable(_:)`` for one whose content has
  ///   another hash.
  public func version(_ sha256: String, _ session: Session) throws(ParticipationError) -> StudyVersion {
    let rows = try ParticipationError.storing { () throws(StorageError) in
      try database.once(session, Self.find, ["sha256": .text(sha256)])
    }
    guard let row = rows.first else { throw .unknown("version \(sha256.prefix(12)) of a study") }
    return try StudyVersion(row)
  }

  /// A line of the list.
  public struct Entry: Sendable, Hashable {
    public let sha256, study, version, signer: String
    public let added: Instant
  }

  /// All of them, the oldest of each study first.
  public func all(_ session: Session) throws(ParticipationError) -> [Entry] {
    let rows = try ParticipationError.storing { () throws(StorageError) in
      try database.once(session, Self.list, [:])
    }
    return rows.compactMap { row in
      guard let sha256 = row["sha256"]?.text, let study = row["study"]?.text,
        let version = row["version"]?.text,
        let signer = row["signer"]?.text, let added = row["added"]?.integer
      else { return nil }
      return Entry(
        sha256: sha256, study: study, version: version, signer: signer, added: Instant(milliseconds: added))
    }
  }
}

extension StudyVersion {
  /// Reads a version as the database has it. People who speak SQL may add one, and a file can be edited by hand: content
  /// of another hash than the row's is somebody else's.
  fileprivate init(_ row: Row) throws(ParticipationError) {
    guard let name = row["sha256"]?.text, let study = row["study"]?.text,
      let version = row["version"]?.text,
      let signer = row["signer"]?.text, let content = row["content"]?.bytes
    else { throw .unreadable("a version of a study with an empty column") }
    self.init(study: study, version: version, signer: signer, content: content)
    guard sha256 == name else {
      throw .unreadable(
        "version \(name.prefix(12))… of a study: found content with the SHA-256 \(sha256.prefix(12))…, expected that of its name"
      )
    }
  }
}
