import Glibc
import Sealing
import Testing

@testable import Book

@Suite("Words of the book's errors") struct BookErrorTests {
  /// As they were before the errors of files, keys and backups had a type of their own.
  static let words: [(SealingError, String)] = [
    (
      .diskFull(path: "/b"),
      "/b: no space is left on its disk. Nothing was changed; make room and try again."
    ),
    (
      .readOnly(path: "/b", reason: "r"),
      "/b: it cannot be written (r). Nothing was changed; give user \(geteuid()) the right to write there."
    ),
    (
      .inputOutput(path: "/b", reason: "r"),
      "/b: the disk fails (r). Nothing was changed, or all of it: see auricle audit show."
    ),
    (
      .unsafeFile(path: "/b", found: "that others may use it (mode 644)", expected: "mode 600"),
      "/b: found that others may use it (mode 644), expected mode 600. Find out who made it so, then: chmod 600 /b"
    ),
    (
      .unsafeFile(path: "/b", found: "a symbolic link", expected: "a file"),
      "/b: found a symbolic link, expected a file."
    ),
    (.fileExists(path: "/b"), "/b: it exists. Nothing was changed; choose another name."),
    (.tooLarge(path: "/b", found: 3, most: 2), "/b: found 3 bytes, expected at most 2."),
    (
      .tooLarge(path: "/b", found: nil, most: 2), "/b: found a file that grows, expected at most 2 bytes."
    ),
    (
      .keyLost(file: "/k", book: "/b"),
      "/k: the key is missing, and /b cannot be opened without it. Nothing was changed. Put the key back, or restore a backup."
    ),
    (
      .keySize(file: "/k", found: 3),
      "/k: found 3 bytes, expected a key of 32. Put the right one back, or restore a backup."
    ),
    (
      .wrongKey(path: "/b"),
      "/b: the key is not this book's. Nothing was changed. Put the right one back, or restore a backup."
    ),
    (.alteredRow(3), "Row 3 of the book was altered. Restore a backup."),
    (.passphraseTooShort(least: 8), "The passphrase is too short, expected at least 8 characters."),
    (.notABackup(path: "/b"), "/b: this is not a backup of a prescription book."),
    (
      .backupDoesNotOpen(path: "/b"),
      "/b: the passphrase is wrong, or the file was altered. Nothing was changed."
    ),
  ]

  @Test("those of its files, keys and backups are the book's own, each with its case")
  func sealing() {
    for (error, words) in Self.words { #expect("\(BookError.sealing(error))" == words) }
    #expect(
      "\(BookError.auditBroken(row: 2, reason: "it is missing"))"
        == "Audit trail: row 2 is the first bad one: it is missing.")
  }
}
