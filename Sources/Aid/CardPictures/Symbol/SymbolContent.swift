import CQRencode

/// A text split as it is written into a symbol: bytes first, then a tail of digits.
struct SymbolContent {
  /// What stands before the tail of digits.
  let bytes: [UInt8]
  /// The longest tail of ASCII digits.
  let digits: [UInt8]

  init(_ text: String) {
    let all = Array(text.utf8)
    let tail = all.reversed().prefix { (0x30...0x39).contains($0) }.count
    bytes = Array(all.dropLast(tail))
    digits = Array(all.suffix(tail))
  }

  /// Whether there is nothing to write.
  var isEmpty: Bool { bytes.isEmpty && digits.isEmpty }

  /// Bytes of the text in UTF-8.
  var count: Int { bytes.count + digits.count }

  /// How many bytes a text of this kind may have in the largest symbol: the same bytes and as many digits as
  /// fit after them, or as many bytes as fit when there are no digits.
  ///
  /// Segment headers of versions 27 to 40 are 4 + 16 bits for bytes and 4 + 14 bits for digits; a byte costs 8
  /// bits, three digits 10, two 7, one 4 (ISO/IEC 18004, 7.4.3 to 7.4.5, table 3).
  func charactersAtMost(_ correction: ErrorCorrection) -> Int {
    var free = 8 * correction.largestDataLength
    if !bytes.isEmpty { free -= 20 }
    if digits.isEmpty { return free / 8 }
    free -= 8 * bytes.count + 18
    guard free >= 4 else { return (8 * correction.largestDataLength - 20) / 8 }
    let rest = free % 10
    return bytes.count + 3 * (free / 10) + (rest >= 7 ? 2 : rest >= 4 ? 1 : 0)
  }
}

extension ErrorCorrection {
  /// Data codewords of a symbol of version 40 (ISO/IEC 18004, table 7).
  var largestDataLength: Int {
    switch self {
    case .low: 2956
    case .medium: 2334
    case .quartile: 1666
    case .high: 1276
    }
  }

  /// libqrencode's name of it.
  var level: QRecLevel {
    switch self {
    case .low: QR_ECLEVEL_L
    case .medium: QR_ECLEVEL_M
    case .quartile: QR_ECLEVEL_Q
    case .high: QR_ECLEVEL_H
    }
  }
}
