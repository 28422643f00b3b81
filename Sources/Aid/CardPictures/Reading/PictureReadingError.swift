/// Why no code was read from a file.
package enum PictureReadingError: Error, Equatable, CustomStringConvertible {
  /// The file holds no bytes.
  case empty
  /// The file is of a kind that is not read; `found` says which, in words.
  case unknownKind(found: String)
  /// The file is larger than ``PictureReader/mostBytes``.
  case tooManyBytes(found: Int)
  /// The picture would take too much memory; its own header says so.
  case tooManyPixels(width: Int, height: Int, atMost: Int)
  /// The file's content is not what its first bytes promise; `reason` is the decoder's own word.
  case damaged(kind: String, reason: String)
  /// poppler's pdftoppm, which draws PDF pages, is not installed.
  case noPDFReader
  /// The PDF file can be opened only with a password.
  case locked
  /// A page of the PDF file is too large to be drawn in the memory allowed.
  case pageTooLarge
  /// Reading took longer than allowed.
  case tookTooLong
  /// The picture was read and shows no code that could be read.
  case noCode

  package var description: String {
    switch self {
    case .empty:
      "The file is empty; expected a picture of a card."
    case .unknownKind(let found):
      "Found \(found); expected a PNG or JPEG picture or a PDF file. \(Self.advice(found))"
    case .tooManyBytes(let found):
      "The file has \(Self.megabytes(found)); expected at most \(Self.megabytes(PictureReader.mostBytes)). "
        + "Save the picture smaller, or only the part that shows the code."
    case .tooManyPixels(let width, let height, let atMost):
      "The picture is \(width) by \(height) pixels; expected at most \(atMost / 1_000_000) million in all. "
        + "Save it smaller, or only the part that shows the code."
    case .damaged(let kind, let reason):
      "The \(kind) file is damaged or incomplete (\(reason)). Copy it again, or make the picture again."
    case .noPDFReader:
      "PDF files are read with pdftoppm, which is not installed. Install poppler-utils, or save the page as a "
        + "PNG picture."
    case .locked:
      "The PDF file is protected by a password. Save it without one, or save the page as a PNG picture."
    case .pageTooLarge:
      "A page of the PDF file is too large to draw; expected A4 or a few times that. Save the part that shows "
        + "the code as a PNG picture."
    case .tookTooLong:
      "The file took too long to read. Save only the part that shows the code, as a PNG picture."
    case .noCode:
      "No QR code could be read in the picture. The whole code with its white margin must be in it, sharp and "
        + "evenly lit, and fill a third of the picture's width or more."
    }
  }

  private static func advice(_ found: String) -> String {
    found.hasPrefix("the text of a card")
      ? "Give the text itself where a card's text is expected."
      : "Save it as JPEG or PNG and try again."
  }

  private static func megabytes(_ bytes: Int) -> String {
    "\((bytes + 999_999) / 1_000_000) MB"
  }
}
