import Base

/// File of FFTW's wisdom: one line with form, version of FFTW, length and checksum, then FFTW's text.
///
///     auricle-wisdom 1 fftw-3.3.10-sse2-avx 2310 b90956c775a41001
///     (fftw-3.3.10 fftwf_wisdom #x… …
///
/// The checksum covers the first line too. It guards against failing disks and broken writes, not against a
/// person who may write the file.
enum WisdomFile {
  enum Content: Equatable {
    case whole([UInt8])
    /// Whole, but for another version of FFTW; or FFTW's text alone, as earlier versions of this program
    /// wrote it.
    case foreign
    case damaged
  }

  /// Largest file read, bytes: a few thousand are usual.
  private static let greatestSize = 1 << 20

  static func file(_ text: [UInt8], version: String) -> [UInt8] {
    let line = Array("auricle-wisdom 1 \(version) \(text.count) ".utf8)
    let digits = String(checksum(line + text), radix: 16)
    return line + Array("\(String(repeating: "0", count: 16 - digits.count))\(digits)\n".utf8) + text
  }

  static func content(of file: [UInt8], version: String) -> Content {
    if file.starts(with: "(fftw".utf8) { return .foreign }
    guard let end = file.prefix(256).firstIndex(of: UInt8(ascii: "\n")),
      let line = String(validating: file[..<end], as: UTF8.self)
    else { return .damaged }
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    let text = Array(file[(end + 1)...])
    // Made again and compared, so that no number of the file is converted.
    guard words.count == 5, self.file(text, version: String(words[2])) == file else { return .damaged }
    return words[2] == version ? .whole(text) : .foreign
  }

  /// The file's bytes; nil without a readable file. One that is too large, or none of bytes, counts as
  /// damaged.
  static func bytes(of path: String) -> [UInt8]? {
    do throws(Failure) { return try FileContent.bytes(of: path, limit: greatestSize) } catch {
      return error.exitStatus == .badData ? [] : nil
    }
  }

  /// CRC-64/XZ (polynomial of ECMA-182, both ends reflected; catalogue of parametrised CRC algorithms):
  /// finds every change within 64 bits in a row. Of "123456789" it is 995dc9bbdf1939fa.
  static func checksum(_ bytes: [UInt8]) -> UInt64 {
    var rest = ~UInt64(0)
    for byte in bytes {
      rest ^= UInt64(byte)
      for _ in 0..<8 { rest = rest & 1 == 1 ? rest >> 1 ^ 0xC96C_5795_D787_0F42 : rest >> 1 }
    }
    return ~rest
  }
}
