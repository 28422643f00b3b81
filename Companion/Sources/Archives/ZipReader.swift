import CArchive
import Glibc

/// Zip archives in memory.
///
/// - Threads: any.
public enum ZipArchive {
  /// Unpacks an archive. Folders are left out; everything that is not a plain file with a safe name is refused.
  ///
  /// - Parameter limits: Counted while unpacking, so that a small archive with a large content stops there.
  /// - Returns: Bytes by name.
  /// - Throws: ``ArchiveError``, the first that is found.
  public static func files(
    _ bytes: [UInt8], limits: ArchiveLimits
  ) throws(ArchiveError) -> [String: [UInt8]] {
    guard let reader = archive_read_new() else { throw .broken(entry: nil, reason: "no memory") }
    defer { archive_read_free(reader) }
    // The form with a directory at its end: entries that the directory does not list are not there.
    archive_read_support_format_zip_seekable(reader)
    // The library reads from the memory until it is freed, which is why all of it happens within.
    let result = bytes.withUnsafeBytes { memory in
      Result { () throws(ArchiveError) in
        guard archive_read_open_memory(reader, memory.baseAddress, memory.count) == ARCHIVE_OK else {
          throw .broken(entry: nil, reason: reader.message)
        }
        return try files(of: reader, limits)
      }
    }
    return try result.get()
  }

  private static func files(
    of reader: OpaquePointer, _ limits: ArchiveLimits
  ) throws(ArchiveError) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    var names: Set<String> = []
    var rest = limits.bytes
    var entry: OpaquePointer?
    while true {
      let status = archive_read_next_header(reader, &entry)
      guard status != ARCHIVE_EOF else { return files }
      // A name that the locale has no letters for is a warning; it is refused as a name.
      guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else {
        throw .broken(entry: nil, reason: reader.message)
      }
      let name = try safeName(of: entry)
      guard status == ARCHIVE_OK else { throw .broken(entry: name, reason: reader.message) }
      guard names.insert(name.lowercased()).inserted else { throw .repeatedName(name) }
      // Folders count as well: an archive may hold a million of them.
      guard names.count <= limits.files else { throw .tooManyFiles(limit: limits.files) }
      if archive_entry_filetype(entry) == S_IFDIR { continue }
      guard let content = try content(of: reader, named: name, atMost: rest) else {
        throw .tooManyBytes(limit: limits.bytes)
      }
      rest -= content.count
      files[name] = content
    }
  }

  private static func safeName(of entry: OpaquePointer) throws(ArchiveError) -> String {
    guard let text = archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry) else {
      throw .wrongName("")
    }
    let name = String(cString: text)
    let isFolder = archive_entry_filetype(entry) == S_IFDIR
    // Folders are written with a stroke at their end.
    let shown = isFolder && name.hasSuffix("/") ? String(name.dropLast()) : name
    guard ArchiveName.isSafe(shown) else { throw .wrongName(printable(name)) }
    let isPlain = archive_entry_filetype(entry) == S_IFREG || isFolder
    guard isPlain, archive_entry_hardlink(entry) == nil, archive_entry_symlink(entry) == nil,
      archive_entry_is_encrypted(entry) == 0
    else { throw .wrongKind(shown) }
    return shown
  }

  /// Nil when there is more than `limit`.
  private static func content(
    of reader: OpaquePointer, named name: String, atMost limit: Int
  ) throws(ArchiveError) -> [UInt8]? {
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = archive_read_data(reader, &chunk, chunk.count)
      // The sum over the entry's bytes is compared at its end.
      guard count >= 0 else { throw .broken(entry: name, reason: reader.message) }
      if count == 0 { return content }
      guard content.count + count <= limit else { return nil }
      content += chunk[..<count]
    }
  }

  /// At most 40 characters, without anything that steers a terminal.
  private static func printable(_ text: String) -> String {
    String(text.unicodeScalars.prefix(40).map { " "..."~" ~= $0 ? Character($0) : "?" })
  }
}

extension OpaquePointer {
  /// The library's reason for its last failure.
  var message: String { archive_error_string(self).map { String(cString: $0) } ?? "no reason given" }
}
