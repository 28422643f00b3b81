import CQRencode
import Glibc

/// A QR symbol (ISO/IEC 18004, model 2): a square of dark and light modules that carries a text.
///
/// The longest run of digits at the end of the text is written in numeric mode, 10 bits for three digits, and
/// what stands before it as bytes: that is the form of a SMART Health Card, `shc:/` and digits.
///
/// - Threads: any.
package struct QRSymbol: Sendable, Equatable {
  /// Modules of light margin that must surround a symbol (ISO/IEC 18004, 6.3.8).
  package static let quietZone = 4

  /// Size class, 1 to 40; each step adds four modules to a side.
  package let version: Int
  /// Share of the symbol that may be unreadable.
  package let correction: ErrorCorrection
  /// Modules along a side, `17 + 4 * version`; the quiet zone is not counted.
  package var side: Int { 17 + 4 * version }
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
  package init(
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
  package subscript(x: Int, y: Int) -> Bool {
    guard (0..<side).contains(x), (0..<side).contains(y) else { return false }
    return dark[y * side + x]
  }
}

/// Why a text cannot become a QR symbol.
package enum QRSymbolError: Error, Equatable, CustomStringConvertible {
  /// There is no text.
  case empty
  /// Even the largest symbol (version 40) is too small for the text.
  case tooLong(characters: Int, atMost: Int, correction: ErrorCorrection)
  /// The text fits only a larger symbol than the caller allows.
  case tooLarge(version: Int, atMost: Int, correction: ErrorCorrection)
  /// libqrencode refused for another reason; `errno` is its own.
  case refused(errno: Int32)

  package var description: String {
    switch self {
    case .empty:
      "There is no text to make a QR code of."
    case .tooLong(let characters, let atMost, let correction):
      "A QR code with error correction \(correction.rawValue) holds at most \(atMost) characters of this text; "
        + "found \(characters). Shorten it, or choose a lower error correction."
    case .tooLarge(let version, let atMost, let correction):
      "The text needs a QR code of version \(version) with error correction \(correction.rawValue); expected "
        + "version \(atMost) or smaller. Shorten it, or choose a lower error correction."
    case .refused(let errno):
      "The QR code could not be made: libqrencode ended with error \(errno)."
    }
  }
}

/// Share of a QR code's area that may be unreadable (ISO/IEC 18004).
package enum ErrorCorrection: String, Sendable, CaseIterable {
  /// About 7 %.
  case low = "L"
  /// About 15 %.
  case medium = "M"
  /// About 25 %.
  case quartile = "Q"
  /// About 30 %.
  case high = "H"
}

extension QRSymbol {
  /// The symbol with its quiet zone as a picture, black on white.
  ///
  /// A pixel that modules share takes their mean, by area: modules need not be whole pixels wide.
  ///
  /// - Parameter width: Pixels along a side, quiet zone included; at least ``side`` + 8 to be legible.
  package func raster(width: Int) -> GreyPicture {
    let modules = side + 2 * Self.quietZone
    // How much of each pixel along a side lies in which modules; the same for rows and columns.
    let shares = (0..<width).map { pixel -> [(module: Int, share: Float)] in
      let first = Float(pixel * modules) / Float(width)
      let last = Float((pixel + 1) * modules) / Float(width)
      return (Int(first)...min(modules - 1, Int(last))).compactMap { module in
        let overlap = min(last, Float(module + 1)) - max(first, Float(module))
        return overlap > 0 ? (module - Self.quietZone, overlap / (last - first)) : nil
      }
    }
    var picture = GreyPicture(width: width, height: width, brightness: 255)
    for y in 0..<width {
      for x in 0..<width {
        var ink: Float = 0
        for row in shares[y] {
          for column in shares[x] where self[column.module, row.module] { ink += row.share * column.share }
        }
        picture[x, y] = UInt8(255 - (255 * min(1, ink)).rounded())
      }
    }
    return picture
  }
}
