import Control

/// Files that a configuration names.
enum NamedFile {
  /// Bytes of a file.
  ///
  /// - Parameters:
  ///   - what: What the file should hold, `audiogram`.
  ///   - place: Where it is named; nil: on the command line.
  /// - Throws: ``Failure``; when there is none, it names the place that asked for it.
  static func bytes(
    of path: String, limit: Int, what: String, place: String?
  ) throws(Failure) -> [UInt8] {
    do {
      return try FileContent.bytes(of: path, limit: limit)
    } catch {
      guard error.exitStatus == .noInput else { throw error }
      throw Failure(
        path, found: error.found, expected: "the \(what)" + (place.map { " that \($0) names" } ?? ""),
        remedy: "Put the file there, or name another.", exit: .noInput)
    }
  }
}
