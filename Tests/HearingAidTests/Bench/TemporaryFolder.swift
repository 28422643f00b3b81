import AudioIO
import Glibc

/// An empty folder that is removed, with what is in it, at the end of a test.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/auricle-aid-XXXXXX".utf8CString)
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

  /// Writes a recording of one ear, or of two, and returns its path.
  @discardableResult
  func record(
    _ name: String, rate: Int = 44_100, left: [Float], right: [Float]? = nil,
    encoding: SoundFileEncoding = .pcm24
  ) throws -> String {
    var writer = try SoundFileWriter(
      path: file(name), rate: rate, channels: right == nil ? 1 : 2, encoding: encoding)
    let second = right ?? left
    try writer.write(left: left.span, right: second.span)
    try writer.finish()
    return file(name)
  }

  /// Reads a recording.
  func play(_ name: String) throws -> (rate: Int, left: [Float], right: [Float]) {
    var reader = try SoundFileReader(path: file(name))
    var left = [Float](repeating: 0, count: reader.frameCount)
    var right = left
    var leftSpan = left.mutableSpan
    var rightSpan = right.mutableSpan
    let count = try reader.read(left: &leftSpan, right: &rightSpan)
    return (reader.rate, Array(left[..<count]), Array(right[..<count]))
  }
}
