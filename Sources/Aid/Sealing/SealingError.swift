import Base
import Glibc

/// Refusal or failure of a key, a vault, a backup or a file of the owner alone. Nothing is changed then.
///
/// No case carries what was sealed: descriptions may go to a log.
public enum SealingError: Error, Equatable {
  // The disk.

  case diskFull(path: String)
  /// The folder or a file in it may not be written.
  case readOnly(path: String, reason: String)
  case inputOutput(path: String, reason: String)
  /// Others may read or write it, or it is not what it should be.
  case unsafeFile(path: String, found: String, expected: String)
  case fileExists(path: String)
  /// More bytes than are read; `found` is nil for a file that grows while it is read.
  case tooLarge(path: String, found: Int?, most: Int)

  // Keys and what they protect.

  /// There is a book and no key file.
  case keyLost(file: String, book: String)
  case keySize(file: String, found: Int)
  /// The key is a good one, of another book.
  case wrongKey(path: String)
  /// The key fits and the row does not open: it was altered, or moved from another place.
  case alteredRow(Int)

  // Backup.

  case passphraseTooShort(least: Int)
  case notABackup(path: String)
  /// The passphrase is wrong or the file was altered: the two cannot be told apart.
  case backupDoesNotOpen(path: String)
}

extension SealingError {
  /// The error for an errno value.
  package init(errno code: Int32, at path: String) {
    let reason = SystemError.words(for: code)
    self =
      switch code {
      case ENOSPC, EDQUOT: .diskFull(path: path)
      case EACCES, EPERM, EROFS: .readOnly(path: path, reason: reason)
      case ELOOP: .unsafeFile(path: path, found: "a symbolic link", expected: "a file")
      default: .inputOutput(path: path, reason: reason)
      }
  }
}

extension SealingError: CustomStringConvertible {
  /// True of a file, which may not be there, on a disk that nobody may write to. A database does not tell it from a lack of rights.
  private static func isOnReadOnlyDisk(_ path: String) -> Bool {
    var status = statvfs()
    guard statvfs(path, &status) == 0 || statvfs(FilePath.folder(of: path), &status) == 0
    else { return false }
    return status.f_flag & UInt(ST_RDONLY) != 0
  }

  private static let keyRemedy = "Put the right one back, or restore a backup."

  public var description: String {
    switch self {
    case .diskFull(let path):
      "\(path): no space is left on its disk. Nothing was changed; make room and try again."
    case .readOnly(let path, let reason):
      "\(path): it cannot be written (\(reason)). Nothing was changed; "
        + (Self.isOnReadOnlyDisk(path)
          ? "mount its disk writable." : "give user \(geteuid()) the right to write there.")
    case .inputOutput(let path, let reason):
      "\(path): the disk fails (\(reason)). Nothing was changed, or all of it."
    case .unsafeFile(let path, let found, let expected):
      "\(path): found \(found), expected \(expected)."
        + (expected.hasPrefix("mode ")
          ? " Find out who made it so, then: chmod \(expected.dropFirst(5)) \(path)" : "")
    case .fileExists(let path): "\(path): it exists. Nothing was changed; choose another name."
    case .tooLarge(let path, let found?, let most):
      "\(path): found \(found) bytes, expected at most \(most)."
    case .tooLarge(let path, nil, let most):
      "\(path): found a file that grows, expected at most \(most) bytes."
    case .keyLost(let file, let book):
      "\(file): the key is missing, and \(book) cannot be opened without it. Nothing was changed. Put the key"
        + " back, or restore a backup."
    case .keySize(let file, let found):
      "\(file): found \(found) bytes, expected a key of 32. \(Self.keyRemedy)"
    case .wrongKey(let path):
      "\(path): the key is not this book's. Nothing was changed. \(Self.keyRemedy)"
    case .alteredRow(let row): "Row \(row) of the book was altered. Restore a backup."
    case .passphraseTooShort(let least):
      "The passphrase is too short, expected at least \(least) characters."
    case .notABackup(let path): "\(path): this is not a backup of such a book."
    case .backupDoesNotOpen(let path):
      "\(path): the passphrase is wrong, or the file was altered. Nothing was changed."
    }
  }
}
