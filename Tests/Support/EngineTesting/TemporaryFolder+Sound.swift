import AudioIO
import CommonTesting

extension TemporaryFolder {
  /// Writes a recording of two ears, by default with the same sound, and returns its path.
  @discardableResult
  func record(
    _ name: String, rate: Int = 44_100, left: [Float], right: [Float]? = nil
  ) throws -> String {
    var writer = try SoundFileWriter(path: file(name), rate: rate)
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
