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
  ///   - pages: Further pages of a PDF.
  /// - Throws: ``PaperError/rendering(reason:)``.
  /// - Threads: any but audio.
  package func encoded(
    as format: PictureFormat, pixelWidth: Int = standardPixelWidth, followedBy pages: [Picture] = []
  ) throws(PaperError) -> [UInt8] {
    precondition(pages.isEmpty || format == .pdf, "only a PDF has several pages")
    if format == .png {
      let pixelHeight = (Double(pixelWidth) * height / width).rounded()
      guard pixelWidth >= 1, pixelHeight >= 1, pixelWidth <= Self.greatestPixelSide,
        pixelHeight <= Double(Self.greatestPixelSide)
      else {
        throw .rendering(reason: "a picture of \(pixelWidth) × \(Int(pixelHeight)) pixels")
      }
    }
    let canvas = Canvas(self, format: format, pixelWidth: pixelWidth)
    for page in pages { canvas.turn(to: page) }
    return try canvas.finish()
  }

  /// Writes the picture to a file, whole or not at all.
  ///
  /// - Parameters:
  ///   - path: Replaced if it exists.
  ///   - format: Kind of file; by the path's ending when nil.
  ///   - pixelWidth: Width of a PNG, 1…32767 pixels.
  ///   - pages: Further pages, for which the format must be PDF.
  ///   - isPrivate: Readable by its owner alone (0600), as health data should be.
  /// - Throws: ``PaperError``: an unknown ending, a folder that is missing or closed, a full disk. An
  ///   older file of that name is then still there, unchanged; a link is kept and its target replaced.
  /// - Threads: any but audio.
  package func write(
    to path: String, as format: PictureFormat? = nil, pixelWidth: Int = standardPixelWidth,
    followedBy pages: [Picture] = [], isPrivate: Bool = false
  ) throws(PaperError) {
    guard let format = format ?? PictureFormat(path: path), pages.isEmpty || format == .pdf else {
      throw .unknownFormat(path: path)
    }
    let bytes = try encoded(as: format, pixelWidth: pixelWidth, followedBy: pages)
    do throws(SystemError) {
      try WholeFile.output(bytes, to: path, mode: isPrivate ? 0o600 : 0o666)
    } catch {
      throw error.code == ENOSPC || error.code == EDQUOT
        ? .diskFull(path: path) : .cannotWrite(path: path, code: error.code)
    }
  }
}
