import Base
import Glibc

/// The kinds of file a picture can become.
package enum PictureFormat: String, CaseIterable, Sendable {
  case png, svg, pdf

  /// The format that a path's ending names, in either case; nil when it names none.
  package init?(path: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    self.init(rawValue: name[name.index(after: dot)...].lowercased())
  }
}

extension PictureFormat {
  /// Writes a file whole or not at all; a link is kept and its target replaced.
  static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool) throws(PaperError) {
    do throws(SystemError) {
      try WholeFile.output(bytes, to: path, mode: isPrivate ? 0o600 : 0o666)
    } catch {
      throw error.code == ENOSPC || error.code == EDQUOT
        ? .diskFull(path: path) : .cannotWrite(path: path, code: error.code)
    }
  }
}

extension Picture {
  /// Width of a PNG when none is asked for, pixels: A4 at 194 dots per inch, wider than most windows.
  package static let standardPixelWidth = 1600
  /// Greatest side of a PNG, pixels: the limit of Cairo's image surfaces.
  package static let greatestPixelSide = 32_767

  /// The file's bytes.
  ///
  /// - Parameters:
  ///   - format: Kind of file.
  ///   - pixelWidth: Width of a PNG, 1…32767 pixels; no effect on SVG and PDF, which have no pixels.
  /// - Throws: ``PaperError/rendering(reason:)``.
  /// - Threads: any but audio.
  package func encoded(
    as format: PictureFormat, pixelWidth: Int = standardPixelWidth
  ) throws(PaperError) -> [UInt8] {
    if format == .png {
      let pixelHeight = (Double(pixelWidth) * height / width).rounded()
      guard pixelWidth >= 1, pixelHeight >= 1, pixelWidth <= Self.greatestPixelSide,
        pixelHeight <= Double(Self.greatestPixelSide)
      else {
        throw .rendering(reason: "a picture of \(pixelWidth) × \(Int(pixelHeight)) pixels")
      }
    }
    return try Canvas(self, format: format, pixelWidth: pixelWidth).finish()
  }

  /// Writes the picture to a file, whole or not at all.
  ///
  /// - Parameters:
  ///   - path: Replaced if it exists.
  ///   - format: Kind of file; by the path's ending when nil.
  ///   - pixelWidth: Width of a PNG, 1…32767 pixels.
  ///   - isPrivate: Readable by its owner alone (0600), as health data should be.
  /// - Throws: ``PaperError``: an unknown ending, a folder that is missing or closed, a full disk. An
  ///   older file of that name is then still there, unchanged.
  /// - Threads: any but audio.
  package func write(
    to path: String, as format: PictureFormat? = nil, pixelWidth: Int = standardPixelWidth,
    isPrivate: Bool = false
  ) throws(PaperError) {
    guard let format = format ?? PictureFormat(path: path) else { throw .unknownFormat(path: path) }
    let bytes = try encoded(as: format, pixelWidth: pixelWidth)
    try PictureFormat.write(bytes, to: path, isPrivate: isPrivate)
  }
}

/// Several pages in one PDF file.
///
/// - Threads: any but audio.
package struct PictureDocument: Sendable {
  /// At least one page.
  package let pages: [Picture]

  package init(_ pages: [Picture]) {
    precondition(!pages.isEmpty, "a document has a page")
    self.pages = pages
  }

  /// The file's bytes.
  ///
  /// - Throws: ``PaperError/rendering(reason:)``.
  package func encoded() throws(PaperError) -> [UInt8] {
    let canvas = Canvas(pages[0], format: .pdf, pixelWidth: 0)
    for page in pages.dropFirst() { canvas.turn(to: page) }
    return try canvas.finish()
  }

  /// Writes the document to a file, whole or not at all.
  ///
  /// - Parameters:
  ///   - path: Replaced if it exists; ends in .pdf.
  ///   - isPrivate: Readable by its owner alone (0600), as health data should be.
  /// - Throws: ``PaperError``: another ending, a folder that is missing or closed, a full disk.
  package func write(to path: String, isPrivate: Bool = false) throws(PaperError) {
    guard PictureFormat(path: path) == .pdf else { throw .unknownFormat(path: path) }
    let bytes = try encoded()
    try PictureFormat.write(bytes, to: path, isPrivate: isPrivate)
  }
}
