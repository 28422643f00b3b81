/// Why a picture did not become a file. Nothing half-written is left behind in any case.
public enum PictureError: Error, Equatable, Sendable {
  /// The path ends in none of .png, .svg, .pdf.
  case unknownFormat(path: String)
  /// The file cannot be made there; `code` is the system's `errno`, such as `ENOENT` or `EACCES`.
  case cannotWrite(path: String, code: Int32)
  /// The disk or the quota is used up.
  case diskFull(path: String)
  /// Cairo could not draw the page; `reason` is its own sentence.
  case rendering(reason: String)
}
