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
  ///   - pages: Further pages; below the first one where the format has no pages.
  /// - Throws: ``PaperError/rendering(reason:)``.
  /// - Threads: any but audio.
  package func encoded(
    as format: PictureFormat, pixelWidth: Int = standardPixelWidth, followedBy pages: [Picture] = []
  ) throws(PaperError) -> [UInt8] {
    if format == .png {
      let height = pages.reduce(height) { $0 + $1.height }
      let pixelHeight = (Double(pixelWidth) * height / width).rounded()
      guard pixelWidth >= 1, pixelHeight >= 1, pixelWidth <= Self.greatestPixelSide,
        pixelHeight <= Double(Self.greatestPixelSide)
      else {
        throw .rendering(reason: "a picture of \(pixelWidth) × \(Int(pixelHeight)) pixels")
      }
    }
    return try Canvas([self] + pages, format: format, pixelWidth: pixelWidth).finish()
  }

  /// Writes the picture to a file, whole or not at all, for its owner alone (0600): pictures here show
  /// somebody's hearing.
  ///
  /// - Parameters: As of ``draft(to:pixelWidth:followedBy:replacing:)``.
  /// - Throws: ``PaperError``: an unknown ending, a folder that is missing or closed, a full disk. An
  ///   older file of that name is then still there, unchanged; a link is kept and its target replaced.
  /// - Threads: any but audio.
  package func write(
    to path: String, pixelWidth: Int = standardPixelWidth, followedBy pages: [Picture] = []
  ) throws(PaperError) {
    let draft = try draft(to: path, pixelWidth: pixelWidth, followedBy: pages)
    do throws(SystemError) { try draft.publish() } catch { throw .writing(path, error) }
  }

  /// The picture as a file of mode 0600 that has no name yet.
  ///
  /// - Parameters:
  ///   - path: The name to be; its ending chooses the format.
  ///   - pixelWidth: Width of a PNG, 1…32767 pixels.
  ///   - pages: Further pages; below the first one where the format has no pages.
  ///   - isReplacing: False: a file of that name stays, and publishing fails.
  /// - Throws: ``PaperError`` as ``write(to:pixelWidth:followedBy:)``.
  package func draft(
    to path: String, pixelWidth: Int = standardPixelWidth, followedBy pages: [Picture] = [],
    replacing isReplacing: Bool = true
  ) throws(PaperError) -> OutputDraft {
    guard let format = PictureFormat(path: path) else { throw .unknownFormat(path: path) }
    let bytes = try encoded(as: format, pixelWidth: pixelWidth, followedBy: pages)
    do throws(SystemError) {
      return try OutputDraft(bytes, to: path, mode: 0o600, replacing: isReplacing)
    } catch { throw .writing(path, error) }
  }
}

extension PaperError {
  /// A file that the system does not take.
  package static func writing(_ path: String, _ error: SystemError) -> PaperError {
    error.code == ENOSPC || error.code == EDQUOT
      ? .diskFull(path: path) : .cannotWrite(path: path, code: error.code)
  }
}
