import CQRencode
import Glibc

/// A QR symbol (ISO/IEC 18004, model 2): a square of dark and light modules that carries a text.
///
/// The longest run of digits at the end of the text is written in numeric mode, 10 bits for three digits, and
/// what stands before it as bytes: that is the form of a SMART Health Card, `shc:/` and digits.
///
/// - Threads: any.
public struct QRSymbol: Sendable, Equatable {
  /// Modules of light margin that must surround a symbol (ISO/IEC 18004, 6.3.8).
  public static let quietZone = 4

  /// Size class, 1 to 40; each step adds four modules to a side.
  public let version: Int
  /// Share of the symbol that may be unreadable.
  public let correction: ErrorCorrection
  /// Modules along a side, `17 + 4 * version`; the quiet zone is not counted.
  public var side: Int { 17 + 4 * version }
  /// Whether each module is dark, row by row.
  private let dark: [Bool]

  /// Makes the smallest symbol that holds a text.
  ///
  /// - Parameters:
  ///   - text: At least one character; UTF-8 before the digits.
  ///   - correction: Larger corrections need larger symbols for the same text.
  ///   - largestVersion: Greatest size allowed, 1 to 40.
  /// - Throws: ``QRSymbolError``: `empty`; `tooLong` when no symbol holds the text; `tooLarge` when only a
  ///   larger one than `largestVersion` does.
  public init(
    text: String, correction: ErrorCorrection = .low, largestVersion: Int = 40
  ) throws(QRSymbolError) {
    let content = SymbolContent(text)
    guard !content.isEmpty else { throw .empty }
    let most = content.charactersAtMost(correction)
    guard content.count <= most else {
      throw .tooLong(characters: content.count, atMost: most, correction: correction)
    }
    guard let input = QRinput_new2(0, correction.level) else { throw .refused(errno: errno) }
    defer { QRinput_free(input) }
    for (mode, bytes) in [(QR_MODE_8, content.bytes), (QR_MODE_NUM, content.digits)] where !bytes.isEmpty {
      guard QRinput_append(input, mode, Int32(bytes.count), bytes) == 0 else {
        throw .refused(errno: errno)
      }
    }
    guard let code = QRcode_encodeInput(input) else { throw .refused(errno: errno) }
    defer { QRcode_free(code) }
    let version = Int(code.pointee.version)
    guard version <= largestVersion else {
      throw .tooLarge(version: version, atMost: largestVersion, correction: correction)
    }
    let side = Int(code.pointee.width)
    self.version = version
    self.correction = correction
    // The lowest bit of a module's byte is its colour (qrencode.h).
    dark = (0..<side * side).map { code.pointee.data[$0] & 1 == 1 }
  }

  /// Whether the module in column `x` and row `y`, counted from the top left, is dark. Outside the symbol all
  /// is light.
  public subscript(x: Int, y: Int) -> Bool {
    guard (0..<side).contains(x), (0..<side).contains(y) else { return false }
    return dark[y * side + x]
  }
}
