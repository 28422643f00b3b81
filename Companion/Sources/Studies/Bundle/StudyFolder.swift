import Base
import Glibc

/// A study as its author writes it: a folder of files.
public enum StudyFolder {
  /// Reads all files within. Names that begin with a point are left out, as editors and version control make them.
  ///
  /// - Throws: ``BundleError`` for what is neither file nor folder, links too, and as ``BundleContent/init(_:)``.
  public static func content(of folder: String) throws(BundleError) -> BundleContent {
    var files: [String: [UInt8]] = [:]
    var rest = BundleContent.limits.bytes
    var open = [""]
    var seen = 0
    while let place = open.popLast() {
      for name in try names(in: folder + "/" + place, named: place) {
        let path = place.isEmpty ? name : "\(place)/\(name)"
        seen += 1
        guard seen <= BundleContent.limits.files * 2 else {
          throw BundleError("", .tooManyFiles(limit: BundleContent.limits.files))
        }
        switch try kind(of: "\(folder)/\(path)", named: path) {
        case S_IFDIR: open.append(path)
        case S_IFREG:
          let bytes: [UInt8]
          do throws(Failure) { bytes = try FileContent.bytes(of: "\(folder)/\(path)", limit: rest) } catch {
            throw BundleError(
              path, found: "that it cannot be read (\(error.found))",
              expected: "a file within \(rest) bytes",
              remedy: "correct its rights or its size")
          }
          rest -= bytes.count
          files[path] = bytes
        default:
          throw BundleError(
            path, found: "a link or a device", expected: "files and folders alone",
            remedy: "put the file itself there")
        }
      }
    }
    return try BundleContent(files)
  }

  private static func kind(of path: String, named name: String) throws(BundleError) -> mode_t {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw BundleError(
        name, found: "that it went away", expected: "a file that stays", remedy: "try again")
    }
    return status.st_mode & S_IFMT
  }

  private static func names(in folder: String, named name: String) throws(BundleError) -> [String] {
    guard let stream = opendir(folder) else {
      throw BundleError(
        name, found: "no folder that can be read at \(folder)", expected: "a study's folder",
        remedy: "name the folder that holds \(Study.file)")
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
