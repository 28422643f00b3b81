extension ZipArchive {
  /// Packs files, in the order given. The same files give the same bytes on every machine, on every day and with every later version: no
  /// times, no owners, no compression, and nothing that a library's version would change. That is why it is written here.
  ///
  /// - Parameter files: Names are safe ones (``ArchiveName/isSafe(_:)``), each once; together below 4 GB.
  /// - Throws: ``ArchiveError/wrongName(_:)``, ``ArchiveError/repeatedName(_:)``, ``ArchiveError/tooManyFiles(limit:)``,
  ///   ``ArchiveError/tooManyBytes(limit:)``.
  public static func bytes(_ files: [(name: String, content: [UInt8])]) throws(ArchiveError) -> [UInt8] {
    var names: Set<String> = []
    for (name, _) in files {
      guard ArchiveName.isSafe(name) else { throw .wrongName(name) }
      guard names.insert(name.lowercased()).inserted else { throw .repeatedName(name) }
    }
    // Larger ones need the form Zip64.
    guard files.count <= 0xFFFF else { throw .tooManyFiles(limit: 0xFFFF) }
    let size = files.reduce(0) { $0 + $1.content.count + 2 * $1.name.utf8.count + 76 }
    guard size < 0xFFFF_FFFF - 22 else { throw .tooManyBytes(limit: 0xFFFF_FFFF) }
    var (archive, directory) = ([UInt8](), [UInt8]())
    archive.reserveCapacity(size + 22)
    for (name, content) in files {
      let entry = ZipEntry(name: Array(name.utf8), size: content.count, sum: Checksum.of(content))
      directory += entry.directoryHeader(at: archive.count)
      archive += entry.localHeader + content
    }
    return archive + directory
      + ZipEntry.end(count: files.count, directory: directory.count, at: archive.count)
  }
}

/// A file that is stored as it is, in the headers of .ZIP File Format Specification 6.3.3 (APPNOTE.TXT), 4.3.7, 4.3.12 and 4.3.16.
private struct ZipEntry {
  let name: [UInt8]
  let size: Int
  let sum: UInt32

  /// Version needed 1.0, no flags, stored, 1980-01-01 00:00, sum, twice the size, length of the name, no extra field.
  private var common: [UInt8] {
    Bytes.of(10, 2) + Bytes.of(0, 2) + Bytes.of(0, 2) + Bytes.of(0, 2) + Bytes.of(0x21, 2)
      + Bytes.of(Int(sum), 4)
      + Bytes.of(size, 4) + Bytes.of(size, 4) + Bytes.of(name.count, 2) + Bytes.of(0, 2)
  }

  var localHeader: [UInt8] { [0x50, 0x4B, 3, 4] + common + name }

  /// Made by Unix, version 2.0; no comment, first disk, an ordinary file of mode 644.
  func directoryHeader(at place: Int) -> [UInt8] {
    [0x50, 0x4B, 1, 2] + Bytes.of(0x0314, 2) + common + Bytes.of(0, 2) + Bytes.of(0, 2) + Bytes.of(0, 2)
      + Bytes.of(0o100644 << 16, 4) + Bytes.of(place, 4) + name
  }

  /// One disk, no comment.
  static func end(count: Int, directory size: Int, at place: Int) -> [UInt8] {
    [0x50, 0x4B, 5, 6] + Bytes.of(0, 2) + Bytes.of(0, 2) + Bytes.of(count, 2) + Bytes.of(count, 2)
      + Bytes.of(size, 4) + Bytes.of(place, 4) + Bytes.of(0, 2)
  }
}

private enum Bytes {
  /// Least significant byte first.
  static func of(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}

/// CRC-32 as zip archives have it (ITU-T V.42, 8.1.1.6.2, the polynomial's bits from the least significant on).
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
  }

  static func of(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF) { sum, byte in sum >> 8 ^ table[Int((sum ^ UInt32(byte)) & 0xFF)] }
  }
}
