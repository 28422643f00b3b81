import CDeflate
import CZopfli
import Glibc

/// Raw DEFLATE (RFC 1951), packed by Zopfli or libdeflate and unpacked by libdeflate.
enum Deflate {
  /// Largest content that Zopfli looks for a second block in, bytes: ordinary cards, of 3,500 to 4,500.
  private static let greatestSplit = 6000

  /// As small as can be: a card is packed once and scanned often.
  ///
  /// Zopfli saves 2 to 3 % over libdeflate's densest level, which a QR code shows as one version less. Half
  /// of it comes of a second block, for the thresholds, the search for which takes 50 ms and grows with the
  /// content. Beyond ``greatestSplit`` Zopfli packs one block, and libdeflate may win with several.
  ///
  /// - Throws: ``PrescriptionError/outOfMemory``.
  static func packed(_ bytes: [UInt8]) throws(PrescriptionError) -> [UInt8] {
    let small = try packedByZopfli(bytes)
    let other = try packedByLibdeflate(bytes)
    return small.count <= other.count ? small : other
  }

  private static func packedByZopfli(_ bytes: [UInt8]) throws(PrescriptionError) -> [UInt8] {
    var options = ZopfliOptions()
    // 15 iterations; with 500 a card becomes one byte shorter.
    ZopfliInitOptions(&options)
    options.blocksplitting = bytes.count <= greatestSplit ? 1 : 0
    options.blocksplittingmax = 2
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    ZopfliCompress(&options, ZOPFLI_FORMAT_DEFLATE, bytes, bytes.count, &output, &count)
    guard let output else { throw .outOfMemory }
    defer { free(output) }
    return Array(UnsafeBufferPointer(start: output, count: count))
  }

  private static func packedByLibdeflate(_ bytes: [UInt8]) throws(PrescriptionError) -> [UInt8] {
    // Its densest level.
    guard let compressor = libdeflate_alloc_compressor(12) else { throw .outOfMemory }
    defer { libdeflate_free_compressor(compressor) }
    let bound = libdeflate_deflate_compress_bound(compressor, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      count = libdeflate_deflate_compress(compressor, bytes, bytes.count, output.baseAddress, bound)
    }
  }

  /// Unpacks into at most `limit` bytes; memory never exceeds that, whatever the input claims.
  ///
  /// - Throws: ``PrescriptionError/bomb(limit:)``, ``PrescriptionError/malformed(reason:)`` for bad data or
  ///   bytes after its end, ``PrescriptionError/outOfMemory``.
  static func unpacked(_ bytes: [UInt8], limit: Int) throws(PrescriptionError) -> [UInt8] {
    guard let decompressor = libdeflate_alloc_decompressor() else { throw .outOfMemory }
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
