import CQRencode
import Glibc

/// A QR symbol (ISO/IEC 18004, model 2): a square of dark and light modules that carries a text.
///
/// The longest run of digits at the end of the text is written in numeric mode, 10 bits for three digits,
/// and what stands before it as bytes: that is the form of a SMART Health Card, `shc:/` and digits.
///
/// - Threads: any.
package struct QRSymbol: Sendable, Equatable {
  /// Modules of light margin that must surround a symbol (ISO/IEC 18004, 6.3.8).
  package static let quietZone = 4

  /// Modules along a side, `17 + 4 * version`; the quiet zone is not counted.
  package let side: Int
  /// Row by row, true where a module is dark.
  let dark: [Bool]

  /// Size class, 1 to 40; each step adds four modules to a side.
  package var version: Int { (side - 17) / 4 }
}

extension QRSymbol {
  /// Makes the smallest symbol that holds a text.
  ///
  /// - Parameters:
  ///   - text: At least one character; UTF-8 before the digits.
  ///   - correction: Larger corrections need larger symbols for the same text. The default is what the
  ///     scanning trials found best (docs/scanning.md).
  /// - Throws: ``PaperError/emptyText``, ``PaperError/tooLong(characters:atMost:correction:)``,
  ///   ``PaperError/codeRefused(errno:)``.
  package init(text: String, correction: ErrorCorrection = .low) throws(PaperError) {
    let content = SymbolContent(text)
    guard content.count > 0 else { throw .emptyText }
    let most = content.charactersAtMost(correction)
    guard content.count <= most else {
      throw .tooLong(characters: content.count, atMost: most, correction: correction)
    }
    guard let input = QRinput_new2(0, correction.largest.level) else { throw .codeRefused(errno: errno) }
    defer { QRinput_free(input) }
    for (mode, bytes) in [(QR_MODE_8, content.bytes), (QR_MODE_NUM, content.digits)] where !bytes.isEmpty {
      guard QRinput_append(input, mode, Int32(bytes.count), bytes) == 0 else {
        throw .codeRefused(errno: errno)
      }
    }
    guard let code = QRcode_encodeInput(input) else { throw .codeRefused(errno: errno) }
    defer { QRcode_free(code) }
    let side = Int(code.pointee.width)
    // The lowest bit of a module's byte is its colour (qrencode.h).
    self.init(side: side, dark: (0..<side * side).map { code.pointee.data[$0] & 1 == 1 })
  }

  /// True where the module in column `x` and row `y`, counted from the top left, is dark. Outside the
  /// symbol all is light.
  package subscript(x: Int, y: Int) -> Bool {
    guard (0..<side).contains(x), (0..<side).contains(y) else { return false }
    return dark[y * side + x]
  }
}

/// A text split as it is written into a symbol: bytes first, then a tail of digits.
struct SymbolContent {
  /// Bytes before the tail of digits.
  let bytes: [UInt8]
  /// The longest tail of ASCII digits.
  let digits: [UInt8]

  init(_ text: String) {
    let all = Array(text.utf8)
    let tail = all.reversed().prefix { (0x30...0x39).contains($0) }.count
    bytes = Array(all.dropLast(tail))
    digits = Array(all.suffix(tail))
  }

  /// Bytes of the text in UTF-8.
  var count: Int { bytes.count + digits.count }

  /// Most bytes of a text of this kind in the largest symbol: the same bytes and as many digits as fit
  /// after them, or as many bytes as fit when there are no digits.
  ///
  /// Segment headers of versions 27 to 40 are 4 + 16 bits for bytes and 4 + 14 bits for digits; a byte
  /// costs 8 bits, three digits 10, two 7, one 4 (ISO/IEC 18004, 7.4.3 to 7.4.5, table 3).
  func charactersAtMost(_ correction: ErrorCorrection) -> Int {
    let bits = 8 * correction.largest.dataLength
    var free = bits
    if !bytes.isEmpty { free -= 20 }
    if digits.isEmpty { return free / 8 }
    free -= 8 * bytes.count + 18
    guard free >= 4 else { return (bits - 20) / 8 }
    let rest = free % 10
    return bytes.count + 3 * (free / 10) + (rest >= 7 ? 2 : rest >= 4 ? 1 : 0)
  }
}

extension ErrorCorrection {
  /// libqrencode's name of it, and data codewords of a symbol of version 40 (ISO/IEC 18004, table 7).
  fileprivate var largest: (level: QRecLevel, dataLength: Int) {
    switch self {
    case .low: (QR_ECLEVEL_L, 2956)
    case .medium: (QR_ECLEVEL_M, 2334)
    case .quartile: (QR_ECLEVEL_Q, 1666)
    case .high: (QR_ECLEVEL_H, 1276)
    }
  }
}
