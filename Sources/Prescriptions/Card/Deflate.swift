import CDeflate

/// Raw DEFLATE (RFC 1951) by libdeflate.
enum Deflate {
  /// Densest level of libdeflate: a card is packed once and scanned often.
  private static let level: Int32 = 12

  static func packed(_ bytes: [UInt8]) -> [UInt8] {
    guard let compressor = libdeflate_alloc_compressor(level) else { fatalError("out of memory") }
    defer { libdeflate_free_compressor(compressor) }
    let bound = libdeflate_deflate_compress_bound(compressor, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      count = libdeflate_deflate_compress(compressor, bytes, bytes.count, output.baseAddress, bound)
    }
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
