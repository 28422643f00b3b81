import Glibc

/// An empty folder that is removed, with all that is in it then, at the end of a test.
///
/// What cannot be made or written ends the test process: a test has no use for half of it.
///
/// - Threads: one at a time.
package final class TemporaryFolder {
  package let path: String

  /// - Parameter folder: Where it is made.
  package init(in folder: String = "/tmp") {
    var template = [CChar]("\(folder)/auricle-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      fatalError("no folder in \(folder): \(String(cString: strerror(errno)))")
    }
    path = String(cString: made)
  }

  deinit { Self.remove(path) }

  /// Path of a file in it, whether it is there or not.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Names of what lies in it, hidden ones too, sorted.
  package var names: [String] { Self.names(in: path) }

  /// Writes a whole file.
  package func write(_ bytes: [UInt8], to name: String) {
    guard let stream = fopen(file(name), "w") else {
      fatalError("\(file(name)): \(String(cString: strerror(errno)))")
    }
    let count = fwrite(bytes, 1, bytes.count, stream)
    guard fclose(stream) == 0, count == bytes.count else {
      fatalError("\(file(name)): \(String(cString: strerror(errno)))")
    }
  }

  /// Writes a whole text, UTF-8.
  package func write(_ text: String, to name: String) { write([UInt8](text.utf8), to: name) }

  /// All of a file; nothing when it cannot be read.
  package func bytes(of name: String) -> [UInt8] {
    guard let stream = fopen(file(name), "r") else { return [] }
    defer { fclose(stream) }
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 { result += chunk[..<count] }
    return result
  }

  /// Names of what lies in a folder, hidden ones too, sorted; none where there is no folder.
  package static func names(in path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a folder and all in it, also what a test has made unreadable; links are removed, not followed.
  private static func remove(_ path: String) {
    chmod(path, 0o700)
    for name in names(in: path) {
      let inner = "\(path)/\(name)"
      var status = stat()
      guard lstat(inner, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR { remove(inner) } else { unlink(inner) }
    }
    rmdir(path)
  }
}
