/// A zip archive that is not read. Nothing of it is kept then.
public enum ArchiveError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It is no zip archive, is cut off, or a sum over an entry's bytes is wrong.
  case broken(entry: String?, reason: String)
  /// A name that leads out of a folder, or that not every system can write.
  case wrongName(String)
  /// Two entries of one name; small letters and capitals are one on some systems.
  case repeatedName(String)
  /// An entry that is a link, a device or encrypted.
  case wrongKind(String)
  case tooManyFiles(limit: Int)
  case tooManyBytes(limit: Int)

  public var description: String {
    switch self {
    case .broken(nil, let reason): "found no zip archive that can be read (\(reason)); expected a whole one"
    case .broken(let entry?, let reason):
      "found that \(entry) cannot be read (\(reason)); expected a whole archive"
    case .wrongName(let name):
      "found the name \"\(name)\"; expected letters, digits, '.', '-' and '_' in parts that '/' joins, none of them '.' or '..'"
    case .repeatedName(let name):
      "found two entries named \(name); expected each name once, capitals or not"
    case .wrongKind(let name): "found that \(name) is a link, a device or encrypted; expected files alone"
    case .tooManyFiles(let limit): "found more than \(limit) files; expected at most so many"
    case .tooManyBytes(let limit): "found more than \(limit) bytes unpacked; expected at most so many"
    }
  }
}

/// Most that is unpacked, whatever an archive says of itself.
public struct ArchiveLimits: Sendable, Hashable {
  public var files: Int
  /// Of all files together.
  public var bytes: Int

  public init(files: Int, bytes: Int) { (self.files, self.bytes) = (files, bytes) }
}

/// Names of files that mean the same on every system.
public enum ArchiveName {
  /// Longest name. Own choice: well below the 255 bytes that common file systems give each part.
  static let longest = 200

  /// True for letters, digits, `.`, `-` and `_` of ASCII in parts that `/` joins, none of which is `.` or `..`.
  public static func isSafe(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return name.utf8.count <= longest
      && parts.allSatisfy { part in
        !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
          && part.allSatisfy { byte in
            (65...90).contains(byte) || (97...122).contains(byte) || (48...57).contains(byte)
              || ".-_".utf8.contains(byte)
          }
      }
  }
}
