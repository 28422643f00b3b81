import Archives

/// Files of a study bundle by their paths, within the bounds of every bundle.
///
/// - Threads: any.
public struct BundleContent: Sendable, Hashable {
  /// Most files, and bytes of all of them. Own choice: a study with pictures in ten languages has a tenth of it.
  public static let limits = ArchiveLimits(files: 2000, bytes: 64 << 20)
  /// Files that signing adds, which an author's folder has not.
  static let reserved = [Manifest.file, Manifest.signatureFile]

  /// Bytes by path.
  public let files: [String: [UInt8]]

  /// - Throws: ``BundleError`` for a path that does not mean the same on every system, two that differ in capitals alone, one of the
  ///   signature's, and too much of anything.
  public init(_ files: [String: [UInt8]]) throws(BundleError) {
    var names: Set<String> = []
    for path in files.keys.sorted() {
      guard ArchiveName.isSafe(path) else { throw BundleError(path, .wrongName(path)) }
      guard names.insert(path.lowercased()).inserted else { throw BundleError(path, .repeatedName(path)) }
      guard !Self.reserved.contains(path.lowercased()) else {
        throw BundleError(
          path, found: "a file of this name among the author's", expected: "none, as packing makes it",
          remedy: "remove it or give it another name")
      }
    }
    guard files.count <= Self.limits.files else {
      throw BundleError("", .tooManyFiles(limit: Self.limits.files))
    }
    guard files.values.reduce(0, { $0 + $1.count }) <= Self.limits.bytes else {
      throw BundleError("", .tooManyBytes(limit: Self.limits.bytes))
    }
    self.files = files
  }

  /// Paths in their order.
  public var paths: [String] { files.keys.sorted() }

  public subscript(path: String) -> [UInt8]? { files[path] }
}

extension BundleError {
  init(_ file: String, _ error: ArchiveError) {
    let words = "\(error)".dropFirst("found ".count)
    let parts = words.split(separator: "; expected ", maxSplits: 1)
    self.init(
      file, found: String(parts.first ?? words), expected: String(parts.dropFirst().first ?? "another"),
      remedy: "pack the bundle again from the author's files")
  }
}
