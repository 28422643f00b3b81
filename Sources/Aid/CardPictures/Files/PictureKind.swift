/// What a file is, told by its first bytes and not by its name.
package enum PictureKind: Sendable, Equatable {
  case png
  case jpeg
  case pdf
  /// Something this program does not read, in words ("a HEIC photograph").
  case other(String)

  init(_ bytes: [UInt8]) {
    func starts(_ text: String, at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: text.utf8)
    }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if Self.holdsPDFHeader(bytes) {
      self = .pdf
    } else if starts("ftyp", at: 4) {
      self = .other(Self.mediaFile(brand: String(decoding: bytes.dropFirst(8).prefix(4), as: UTF8.self)))
    } else if starts("RIFF"), starts("WEBP", at: 8) {
      self = .other("a WebP picture")
    } else if starts("GIF8") {
      self = .other("a GIF picture")
    } else if starts("BM"), bytes.count > 26 {
      self = .other("a BMP picture")
    } else if starts("II*\0") || starts("MM\0*") {
      self = .other("a TIFF picture")
    } else if bytes.starts(with: [0xFF, 0x0A]) || starts("JXL ", at: 4) {
      self = .other("a JPEG XL picture")
    } else if starts("8BPS") {
      self = .other("a Photoshop file")
    } else if starts("PK\u{3}\u{4}") {
      self = .other("a ZIP archive or an office document")
    } else if starts("<svg") || starts("<?xml") {
      self = .other("an SVG drawing or another XML file")
    } else if starts("shc:/") {
      self = .other("the text of a card, not a picture of it")
    } else {
      self = .other("a file of an unknown kind")
    }
  }

  /// PDF readers look for the header in the first 1024 bytes (PDF Reference 1.7, appendix H, note 13).
  private static func holdsPDFHeader(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(1024)
    let header = Array("%PDF-".utf8)
    return start.indices.contains { start[$0...].starts(with: header) }
  }

  /// Files of the ISO base media format (ISO/IEC 14496-12) by their major brand.
  private static func mediaFile(brand: String) -> String {
    switch brand {
    case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1": "a HEIC photograph"
    case "avif", "avis": "an AVIF picture"
    default: "a film or sound file"
    }
  }
}
