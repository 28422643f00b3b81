import Glibc

/// An empty folder that is removed, with what is in it, at the end of a test.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/auricle-audioio-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  }

  deinit {
    for name in contents { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Names of what lies in it.
  var contents: [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func write(_ bytes: [UInt8], to name: String) {
    guard let stream = fopen(file(name), "w") else { return }
    fwrite(bytes, 1, bytes.count, stream)
    fclose(stream)
  }

  func bytes(of name: String) -> [UInt8] {
    guard let stream = fopen(file(name), "r") else { return [] }
    defer { fclose(stream) }
    var result = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&result, 1, result.count, stream)
    return Array(result[..<count])
  }
}
