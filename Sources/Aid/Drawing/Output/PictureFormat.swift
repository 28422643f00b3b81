import Base
import CCairo
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
  static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool) throws(PictureError) {
    do throws(SystemError) {
      try WholeFile.output(bytes, to: path, mode: isPrivate ? 0o600 : 0o666)
    } catch {
      throw error.code == ENOSPC || error.code == EDQUOT
        ? .diskFull(path: path) : .cannotWrite(path: path, code: error.code)
    }
  }
}

/// Why a picture did not become a file. Nothing half-written is left behind in any case.
package enum PictureError: Error, Equatable, Sendable {
  /// The path ends in none of .png, .svg, .pdf.
  case unknownFormat(path: String)
  /// The file cannot be made there; `code` is the system's `errno`, such as `ENOENT` or `EACCES`.
  case cannotWrite(path: String, code: Int32)
  /// The disk or the quota is used up.
  case diskFull(path: String)
  /// Cairo could not draw the page; `reason` is its own sentence.
  case rendering(reason: String)
}

/// Collects what Cairo writes. The file appears only when it is whole.
final class ByteSink {
  private(set) var bytes: [UInt8] = []

  /// Cairo's `cairo_write_func_t`; its closure is the sink.
  static let write: cairo_write_func_t = { closure, data, length in
    guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
    let sink = Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue()
    sink.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
    return CAIRO_STATUS_SUCCESS
  }
}
