import Glibc
import Testing

/// A folder of the test's own that goes away with the value.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = [CChar]("/tmp/auricle-test-XXXXXX".utf8CString)
    let made = mkdtemp(&template)
    path = try String(cString: #require(made))
  }

  deinit { Self.remove(path) }

  /// Path of `name` in the folder.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  func write(_ text: String, to name: String) throws {
    let file = try #require(fopen(file(name), "w"))
    fputs(text, file)
    fclose(file)
  }

  /// Names in the folder, sorted.
  var names: [String] { Self.names(in: path).sorted() }

  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func remove(_ path: String) {
    chmod(path, 0o700)
    for name in names(in: path) {
      let inner = "\(path)/\(name)"
      if unlink(inner) != 0 { remove(inner) }
    }
    rmdir(path)
  }
}
