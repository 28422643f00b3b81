import AuditTrail
import Sealing

extension SealingKey {
  /// Name of the credential: `LoadCredentialEncrypted=book-key` in the unit.
  package static let credentialName = "book-key"

  /// Key file of a book when nothing else is said: beside its folder, not in it, so that a copy of the
  /// folder does not carry its key, and a restored folder does not take it away.
  package static func standardFile(for bookFolder: String) -> String {
    BookFolder(bookFolder).path + ".key"
  }

  /// The key of the book in `bookFolder`.
  ///
  /// - Parameters:
  ///   - credentialsFolder: `$CREDENTIALS_DIRECTORY`; its file `book-key` comes first.
  ///   - file: Key file to use otherwise, made when there is neither a key nor a book.
  /// - Throws: ``SealingError/keyLost(file:book:)`` when there is a book and no key;
  ///   ``SealingError/unsafeFile(path:found:expected:)`` when others can read it;
  ///   ``SealingError/keySize(file:found:)``.
  package init(credentialsFolder: String?, file: String, bookFolder: String) throws(BookError) {
    let book = BookFolder(bookFolder)
    do {
      try self.init(
        credential: credentialsFolder.map { $0 + "/" + Self.credentialName }, file: file,
        outside: book.path, of: { book.isUnbegun ? nil : book.database })
    } catch { throw .sealing(error) }
  }
}

/// Words that keys and rows of this book are bound to. Another kind of book has others.
extension PrescriptionBook {
  static let kind = "auricle"
}

extension Vault {
  private static let events = "auricle.event.1"

  var auditChain: AuditChain { AuditChain("auricle.audit.1", vault: self) }

  /// Seals an event.
  func seal(event: [UInt8], number: Int) throws(BookError) -> [UInt8] {
    do { return try seal(event, in: Self.events, row: number) } catch { throw .sealing(error) }
  }

  /// Opens a row's event.
  ///
  /// - Throws: ``SealingError/alteredRow(_:)``.
  @inline(never) func event(_ row: BookDatabase.Row) throws(BookError) -> [UInt8] {
    do { return try open(row.sealed, in: Self.events, row: row.audit.number) } catch {
      throw .sealing(error)
    }
  }

  /// The data key as the book keeps it, under a sealing key.
  func kept(by key: SealingKey) throws(BookError) -> WrappedKey {
    do { return try wrapped(by: key) } catch { throw .sealing(error) }
  }
}
