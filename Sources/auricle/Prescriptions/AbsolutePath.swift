import Control
import Glibc

/// Paths for another process, whose folder is another.
enum AbsolutePath {
  /// - Throws: ``Failure`` when this program's own folder is gone.
  static func of(_ path: String) throws(Failure) -> String {
    guard !path.hasPrefix("/") else { return path }
    guard let current = getcwd(nil, 0) else {
      throw Failure(path, found: "no folder that it could be in", exit: .noInput)
    }
    defer { free(current) }
    return String(cString: current) + "/" + path
  }
}
