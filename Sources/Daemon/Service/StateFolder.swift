import Control
import Glibc

/// The folder for what is kept between runs, for its owner's eyes only.
enum StateFolder {
  /// Makes the folder and what is missing above it.
  ///
  /// - Returns: Why it cannot be used; nil when it can.
  static func prepare(_ path: String) -> String? {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
      // Above it there may be folders that are not ours to make but are there, such as a read-only root.
      var status = stat()
      if stat(made, &status) != 0 { return "\(made) cannot be made: \(Failure.words(for: errno))" }
    }
    guard access(path, W_OK | X_OK) == 0 else {
      return "\(path) cannot be written: \(Failure.words(for: errno))"
    }
    do throws(Failure) {
      try check(path)
      return nil
    } catch {
      return error.logMessage
    }
  }

  /// Refuses a folder in which others could replace what is kept; one that is not there yet is none.
  ///
  /// - Throws: ``Failure`` (``ExitStatus/noPermission``).
  static func check(_ path: String) throws(Failure) { try FileTrust(of: path)?.refuseChangeable() }
}
