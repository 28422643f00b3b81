import Base
import Glibc

extension BookFolder {
  /// Checks where a backup is to be: at a place that means the same to whoever asks and to who writes, and not
  /// in this folder, with which it would be lost.
  ///
  /// - Throws: ``BookError/unsafeFile(path:found:expected:)``; those of the disk when the folder of `file` is
  ///   not there.
  func checkOutside(_ file: String) throws(BookError) {
    let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
    guard !file.unicodeScalars.contains(where: isControl) else {
      // Nor shall the message carry them to a terminal.
      let shown = String(String.UnicodeScalarView(file.unicodeScalars.map { isControl($0) ? "?" : $0 }))
      throw .unsafeFile(path: shown, found: "control characters", expected: "a path without them")
    }
    guard file.hasPrefix("/") else {
      throw .unsafeFile(path: file, found: "a relative path", expected: "one that begins with /")
    }
    let place = try Self.resolved(FilePath.folder(of: file), for: file)
    let own = try Self.resolved(path, for: path)
    guard place != own, !place.hasPrefix(own + "/") else {
      throw .unsafeFile(path: file, found: "a place in the folder of the book", expected: "another folder")
    }
  }

  /// A folder's path without links and dots.
  private static func resolved(_ folder: String, for file: String) throws(BookError) -> String {
    guard let text = realpath(folder, nil) else { throw PrivateFile.failure(errno, file) }
    defer { free(text) }
    return String(cString: text)
  }
}
