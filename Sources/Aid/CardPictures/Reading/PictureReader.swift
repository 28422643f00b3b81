/// Reads the QR codes in a picture file.
///
/// - Threads: any; what is read and its memory belong to the call alone.
package enum PictureReader {
  /// Bytes of the largest file that is looked into.
  package static let mostBytes = 64_000_000
  /// How much processor time a file may take, unless the caller says otherwise. A step that has begun is ended,
  /// which adds a tenth of a second at most.
  package static let timeLimit = Duration.milliseconds(850)

  /// Texts of all QR codes in a PNG or JPEG picture, or on the first pages of a PDF file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limit: Processor time after which what was read until then is returned; six times as long when waiting.
  /// - Returns: At least one text; none twice.
  /// - Throws: ``PictureReadingError``; `noCode` when the file is in order and no code could be read in it.
  package static func texts(
    in bytes: [UInt8], within limit: Duration = timeLimit
  ) throws(PictureReadingError) -> [String] {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= mostBytes else { throw .tooManyBytes(found: bytes.count) }
    let search = SymbolSearch(limit)
    let texts: [String]
    switch PictureKind(bytes) {
    case .png: texts = search.texts(in: try PNGFile.picture(bytes))
    case .jpeg:
      let (picture, fault) = try JPEGFile.picture(bytes)
      texts = search.texts(in: picture)
      if let fault, texts.isEmpty { throw fault }
    case .pdf: texts = try PDFFile(bytes).texts(search)
    case .other(let found): throw .unknownKind(found: found)
    }
    guard !texts.isEmpty else { throw .noCode }
    return texts
  }

  /// Texts of all QR codes in a picture already decoded.
  ///
  /// - Parameters:
  ///   - picture: At most 60 million pixels.
  ///   - limit: Processor time after which what was read until then is returned; six times as long when waiting.
  /// - Returns: None when there is no code.
  package static func texts(in picture: GreyPicture, within limit: Duration = timeLimit) -> [String] {
    SymbolSearch(limit).texts(in: picture)
  }

  /// A PNG picture in grey, as it is searched for codes.
  ///
  /// - Throws: ``PictureReadingError``.
  package static func picture(png bytes: [UInt8]) throws(PictureReadingError) -> GreyPicture {
    try PNGFile.picture(bytes)
  }
}
