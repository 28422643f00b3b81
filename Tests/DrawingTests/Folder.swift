import Foundation

/// A folder of its own for one test, gone with it.
final class Folder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "drawing-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  /// Names in the folder, hidden ones too.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  func bytes(_ name: String) -> [UInt8] {
    FileManager.default.contents(atPath: file(name)).map(Array.init) ?? []
  }
}
