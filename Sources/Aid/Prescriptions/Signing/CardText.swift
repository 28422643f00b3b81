import CDeflate
import CZopfli
import Glibc

/// A signed card as text: a JWS, and the form of it that goes into a QR code.
package struct CardText: Sendable, Hashable {
  /// Most characters of a JWS: the largest QR symbol, version 40-L, holds 7,089 digits, two for each.
  package static let greatestSize = 3_500

  /// First characters of a QR code's text.
  package static let prefix = "shc:/"

  /// The signed content as header, payload and signature, joined by full stops (RFC 7515).
  package let jws: String

  /// `shc:/` and two digits for each character of the JWS, its ASCII code less 45, as SMART Health Cards
  /// write it: digits are the densest thing a QR code can hold.
  package var text: String {
    var digits = Array(Self.prefix.utf8)
    for character in jws.utf8 {
      let code = character - 45
      digits.append(UInt8(ascii: "0") + code / 10)
      digits.append(UInt8(ascii: "0") + code % 10)
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Of characters that a JWS may have.
  package init(jws: String) { self.jws = jws }

  /// Takes the text of a QR code or a bare JWS, with white space around it or not.
  ///
  /// Only the outer form is looked at; ``Card/read(_:trusting:at:)`` does the rest.
  ///
  /// - Throws: ``PrescriptionError/notACard``, ``PrescriptionError/tooLarge(size:limit:)``,
  ///   ``PrescriptionError/malformed(reason:)``.
  package init(reading text: String) throws(PrescriptionError) {
    let limit = Self.prefix.utf8.count + 2 * Self.greatestSize
    let trimmed = Self.trimmed(text.utf8)
    guard trimmed.count <= limit else { throw .tooLarge(size: trimmed.count, limit: limit) }
    if trimmed.starts(with: Self.prefix.utf8) {
      jws = try Self.jws(digits: trimmed.dropFirst(Self.prefix.utf8.count))
    } else {
      guard trimmed.starts(with: "eyJ".utf8), trimmed.allSatisfy(Self.isAllowed) else { throw .notACard }
      guard trimmed.count <= Self.greatestSize else {
        throw .tooLarge(size: trimmed.count, limit: Self.greatestSize)
      }
      jws = String(decoding: trimmed, as: UTF8.self)
    }
  }

  private static func trimmed(_ text: String.UTF8View) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    var rest = Array(text)[...]
    rest = rest.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return rest
  }

  private static func isAllowed(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func jws(digits: ArraySlice<UInt8>) throws(PrescriptionError) -> String {
    guard digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
      throw .malformed(reason: "something other than digits after \(prefix)")
    }
    guard !digits.isEmpty, digits.count % 2 == 0 else {
      throw .malformed(reason: "found \(digits.count) digits, expected an even number")
    }
    var characters: [UInt8] = []
    characters.reserveCapacity(digits.count / 2)
    for index in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
      let character = (digits[index] - 48) * 10 + (digits[index + 1] - 48) + 45
      guard isAllowed(character) else {
        throw .malformed(reason: "two digits stand for a character that no card has")
      }
      characters.append(character)
    }
    return String(decoding: characters, as: UTF8.self)
  }
}

extension CardText: CustomStringConvertible {
  package var description: String { text }
}

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
