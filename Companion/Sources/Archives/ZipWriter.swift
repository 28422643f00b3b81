import CArchive
import Glibc

extension ZipArchive {
  /// Packs files, in the order given. The same files give the same bytes on every machine and day: no times, no owners, and no compression,
  /// whose bytes differ between versions of the library.
  ///
  /// - Parameter files: Names are safe ones (``ArchiveName/isSafe(_:)``), each once.
  /// - Throws: ``ArchiveError/wrongName(_:)``, ``ArchiveError/repeatedName(_:)``, ``ArchiveError/broken(entry:reason:)``.
  public static func bytes(_ files: [(name: String, content: [UInt8])]) throws(ArchiveError) -> [UInt8] {
    var names: Set<String> = []
    for (name, _) in files {
      guard ArchiveName.isSafe(name) else { throw .wrongName(name) }
      guard names.insert(name.lowercased()).inserted else { throw .repeatedName(name) }
    }
    guard let writer = archive_write_new() else { throw .broken(entry: nil, reason: "no memory") }
    defer { archive_write_free(writer) }
    // A kilobyte for each entry's two headers: names have at most 200 bytes, extra fields some 50.
    let size = files.reduce(4096) { $0 + $1.content.count + 1024 }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)
    defer { memory.deallocate() }
    var used = 0
    guard archive_write_set_format_zip(writer) == ARCHIVE_OK,
      archive_write_zip_set_compression_store(writer) == ARCHIVE_OK,
      archive_write_open_memory(writer, memory, size, &used) == ARCHIVE_OK
    else { throw .broken(entry: nil, reason: writer.message) }
    for (name, content) in files { try add(name, content, to: writer) }
    guard archive_write_close(writer) == ARCHIVE_OK else {
      throw .broken(entry: nil, reason: writer.message)
    }
    return Array(UnsafeRawBufferPointer(start: memory, count: used))
  }

  private static func add(_ name: String, _ content: [UInt8], to writer: OpaquePointer) throws(ArchiveError)
  {
    guard let entry = archive_entry_new() else { throw .broken(entry: name, reason: "no memory") }
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname(entry, name)
    archive_entry_set_size(entry, Int64(content.count))
    archive_entry_set_filetype(entry, S_IFREG)
    archive_entry_set_perm(entry, 0o644)
    // No time: then it is 1 January 1980 whatever the zone.
    let isWritten =
      archive_write_header(writer, entry) == ARCHIVE_OK
      && content.withUnsafeBytes { archive_write_data(writer, $0.baseAddress, $0.count) } == content.count
      && archive_write_finish_entry(writer) == ARCHIVE_OK
    guard isWritten else { throw .broken(entry: name, reason: writer.message) }
  }
}
