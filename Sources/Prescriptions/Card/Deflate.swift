import CDeflate
import CZopfli
import Glibc

/// Raw DEFLATE (RFC 1951), packed by Zopfli and unpacked by libdeflate.
enum Deflate {
  /// Zopfli's own default. With 500 a card becomes one byte shorter, and takes 5 s.
  private static let iterations: Int32 = 15

  /// As small as can be: a card is packed once and scanned often. Zopfli saves 2 to 3 % over libdeflate's
  /// densest level, which a QR code shows as one version less.
  static func packed(_ bytes: [UInt8]) -> [UInt8] {
    var options = ZopfliOptions()
    ZopfliInitOptions(&options)
    options.numiterations = iterations
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    ZopfliCompress(&options, ZOPFLI_FORMAT_DEFLATE, bytes, bytes.count, &output, &count)
    guard let output else { fatalError("out of memory") }
    defer { free(output) }
    return Array(UnsafeBufferPointer(start: output, count: count))
  }

  /// Unpacks into at most `limit` bytes; memory never exceeds that, whatever the input claims.
  ///
  /// - Throws: ``CardError/bomb(limit:)``, ``CardError/malformed(reason:)`` for bad data or bytes after its end.
  static func unpacked(_ bytes: [UInt8], limit: Int) throws(CardError) -> [UInt8] {
    guard let decompressor = libdeflate_alloc_decompressor() else { fatalError("out of memory") }
    defer { libdeflate_free_decompressor(decompressor) }
    var used = 0
    var result = LIBDEFLATE_BAD_DATA
    let output = [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      result = libdeflate_deflate_decompress_ex(
        decompressor, bytes, bytes.count, output.baseAddress, limit, &used, &count)
      if result != LIBDEFLATE_SUCCESS { count = 0 }
    }
    switch result {
    case LIBDEFLATE_SUCCESS where used == bytes.count: return output
    case LIBDEFLATE_SUCCESS: throw .malformed(reason: "bytes follow the end of the packed content")
    case LIBDEFLATE_INSUFFICIENT_SPACE: throw .bomb(limit: limit)
    default: throw .malformed(reason: "the packed content does not unpack")
    }
  }
}
