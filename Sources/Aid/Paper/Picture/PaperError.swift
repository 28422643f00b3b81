import Base

/// Refusal of a page, a code, a picture file or a camera.
package enum PaperError: Error, Equatable {
  // Codes to draw.

  /// There is no text.
  case emptyText
  /// Even the largest symbol (version 40) is too small for the text.
  case tooLong(characters: Int, atMost: Int, correction: ErrorCorrection)
  /// libqrencode refused for another reason; `errno` is its own.
  case codeRefused(errno: Int32)

  // Files to write. Nothing half-written is left behind in any case.

  /// The path ends in none of .png, .svg, .pdf.
  case unknownFormat(path: String)
  /// The file cannot be made there; `code` is the system's `errno`, such as `ENOENT` or `EACCES`.
  case cannotWrite(path: String, code: Int32)
  /// The disk or the quota is used up.
  case diskFull(path: String)
  /// Cairo could not draw the page; `reason` is its own sentence.
  case rendering(reason: String)

  // Files to read.

  /// The file holds no bytes.
  case emptyFile
  /// The file is of a kind that is not read; `found` names it in words.
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
  /// None of the first pages of a PDF file does, and there may be further ones, at which nobody looks.
  case noCodeOnPages(atMost: Int)

  // Cameras.

  /// There is no camera.
  case noCamera
  /// The camera cannot be used; `reason` is ZBar's own word.
  case cameraUnusable(device: String, reason: String)
  /// The cameras saw no code in time; at least one.
  case noCodeSeen(devices: [String])
}

extension PaperError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .emptyText: "There is no text to make a QR code of."
    case .tooLong(let characters, let atMost, let correction):
      "A QR code with error correction \(correction.rawValue) holds at most \(atMost) characters of this text; "
        + "found \(characters). Shorten it, or choose a lower error correction."
    case .codeRefused(let errno):
      "The QR code could not be made: libqrencode ended with error \(errno)."
    case .unknownFormat: "The name ends in no picture format. Formats are .png, .svg and .pdf."
    case .cannotWrite(_, let code): "It cannot be written: \(SystemError.words(for: code))."
    case .diskFull: "No room is left for the picture. Free some room; nothing was left behind."
    case .rendering(let reason): "The page cannot be drawn: \(reason)."
    case .noCamera:
      "No camera was found: there is no /dev/video device. Connect one, or photograph the card and give the "
        + "picture's file."
    case .cameraUnusable(let device, let reason):
      "The camera \(device) cannot be used: \(reason) End other programs that use it, see that you may read "
        + "it (group video), or photograph the card and give the picture's file."
    case .noCodeSeen(let devices):
      "The \(devices.count == 1 ? "camera" : "cameras") \(English.list(devices, "and")) saw no code in time. Hold the "
        + "card flat, well lit, so that the code fills half of the picture."
    case .emptyFile:
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
    case .noCodeOnPages(let atMost):
      "No QR code could be read on the first \(atMost) pages of the PDF file, and no others are looked at. Save the page "
        + "that shows the whole code, sharp and with its white margin, as a PNG picture."
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
