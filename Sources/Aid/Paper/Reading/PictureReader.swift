/// Reads the QR codes in a picture file.
///
/// - Threads: any; what is read and its memory belong to the call alone.
package enum PictureReader {
  /// Bytes of the largest file that is looked into.
  package static let mostBytes = 64_000_000
  /// Processor time that a file may take by default. A step that has begun is ended, which adds a tenth of a second at most, and a
  /// picture that is costly to decode has half of it left for the search.
  package static let timeLimit = Duration.milliseconds(850)

  /// Texts of all QR codes in a PNG or JPEG picture, or on the first pages of a PDF file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limit: Processor time after which what was read until then is returned; six times as long when
  ///     waiting.
  /// - Returns: At least one text; none twice.
  /// - Throws: ``PaperError``; `noCode` when the file is in order and no code could be read in it, `noCodeOnPages` of a PDF file that may
  ///   have pages that were not looked at, `tookTooLong` where there was no time for a first look.
  package static func texts(
    in bytes: [UInt8], within limit: Duration = timeLimit
  ) throws(PaperError) -> [String] {
    guard !bytes.isEmpty else { throw .emptyFile }
    guard bytes.count <= mostBytes else { throw .tooManyBytes(found: bytes.count) }
    let budget = WorkBudget(limit)
    let seen: [String]?
    switch PictureKind(bytes) {
    case .png:
      let picture = try PNGFile.picture(bytes)
      seen = search(on: budget).texts(in: picture)
    case .jpeg:
      let (picture, fault) = try JPEGFile.picture(bytes)
      seen = search(on: budget).texts(in: picture)
      if let fault, seen?.isEmpty != false { throw fault }
    case .pdf: seen = try PDFFile(bytes).texts(SymbolSearch(limit))
    case .other(let found): throw .unknownKind(found: found)
    }
    guard let texts = seen else { throw .tookTooLong }
    guard !texts.isEmpty else { throw .noCode }
    return texts
  }

  /// A search of a picture in the time that its decoding has left of a file's, and in half of all that at least: its header bounds the
  /// decoding, which of a noisy scan of a page at 600 dots per inch in colour takes about a second.
  static func search(on budget: WorkBudget) -> SymbolSearch {
    SymbolSearch(max(budget.left, budget.limit / 2))
  }

  /// Texts of all QR codes in a picture already decoded.
  ///
  /// - Parameters:
  ///   - picture: At most 60 million pixels.
  ///   - limit: Processor time after which what was read until then is returned; six times as long when
  ///     waiting.
  /// - Returns: None when there is no code.
  package static func texts(in picture: GreyPicture, within limit: Duration = timeLimit) -> [String] {
    SymbolSearch(limit).texts(in: picture) ?? []
  }

  /// A PNG picture in grey, as it is searched for codes.
  ///
  /// - Throws: ``PaperError``.
  package static func picture(png bytes: [UInt8]) throws(PaperError) -> GreyPicture {
    try PNGFile.picture(bytes)
  }
}

/// Kind of a file by its first bytes, not by its name.
package enum PictureKind: Sendable, Equatable {
  case png
  case jpeg
  case pdf
  /// Something this program does not read, in words ("a HEIC photograph").
  case other(String)

  /// First bytes of files that are not read, and where they stand.
  private static let others: [(offset: Int, start: String, words: String)] = [
    (0, "GIF8", "a GIF picture"), (0, "II*\0", "a TIFF picture"), (0, "MM\0*", "a TIFF picture"),
    (4, "JXL ", "a JPEG XL picture"), (0, "8BPS", "a Photoshop file"),
    (0, "PK\u{3}\u{4}", "a ZIP archive or an office document"),
    (0, "<svg", "an SVG drawing or another XML file"), (0, "<?xml", "an SVG drawing or another XML file"),
    (0, "shc:/", "the text of a card, not a picture of it"),
  ]

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
    } else if starts("BM"), bytes.count > 26 {
      self = .other("a BMP picture")
    } else if bytes.starts(with: [0xFF, 0x0A]) {
      self = .other("a JPEG XL picture")
    } else {
      let found = Self.others.first { starts($0.start, at: $0.offset) }
      self = .other(found?.words ?? "a file of an unknown kind")
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
