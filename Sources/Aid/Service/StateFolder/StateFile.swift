import Base
import Control
import Glibc

/// A JSON file in the folder for what is kept between runs: written whole or not at all, for its owner's eyes.
///
/// - Threads: `any`; a file is written by one thread at a time.
package struct StateFile<Content: Codable>: Sendable {
  /// Path of the file.
  package let path: String
  /// Greatest size read, bytes.
  private let limit: Int

  /// - Parameter limit: Greatest size read, bytes; many times what is ever written.
  package init(_ path: String, limit: Int) { (self.path, self.limit) = (path, limit) }

  /// Reads it, whoever wrote it.
  ///
  /// - Returns: Nil: there is no file.
  /// - Throws: ``Failure``: a file that cannot be read, or content that cannot be understood.
  package func read() throws(Failure) -> Content? {
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try FileContent.bytes(of: path, limit: limit)
    } catch {
      guard error.exitStatus == .noInput else { throw error }
      return nil
    }
    guard let content = try? JSON.value(Content.self, from: bytes) else {
      throw Failure(path, found: "content that cannot be understood", exit: .badData)
    }
    return content
  }

  /// Content that nobody but its owner can have written; nil: it is missing, damaged or somebody else's.
  package func trusted() -> Content? {
    guard let trust = FileTrust(of: path), (try? trust.refuseChangeable()) != nil else { return nil }
    return (try? read()) ?? nil
  }

  /// - Throws: ``Failure``; the file is then as it was.
  package func write(_ content: Content) throws(Failure) {
    guard let bytes = try? JSON.bytes(content) else {
      throw Failure(path, found: "a number that JSON does not have", exit: .software)
    }
    try WholeFile.save(bytes + [UInt8(ascii: "\n")], to: path)
  }

  /// Puts a damaged file aside, so that it can be looked at.
  ///
  /// - Returns: Clause that says where it is now, empty where it could not be moved.
  func putAside() -> String {
    let aside = path + ".damaged"
    return rename(path, aside) == 0 ? "; it is kept as \(aside)" : ""
  }
}
