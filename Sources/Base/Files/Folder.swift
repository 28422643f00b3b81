import Glibc

/// Folders and what is in them.
public enum Folder {
  /// Makes a folder, and what is missing above it; nothing where it is there.
  ///
  /// - Parameter mode: Permissions of what is made, whatever the umask is; by default for its owner alone.
  public static func make(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      if mkdir(made, mode_t(mode)) == 0 {
        chmod(made, mode_t(mode))
        continue
      }
      let code = errno
      guard code != EEXIST else { continue }
      // Above it there may be folders that are not ours to make but are there, such as a read-only root.
      var status = stat()
      if stat(made, &status) != 0 { throw SystemError(call: "mkdir", code: code) }
    }
  }

  /// Names in a folder without `.` and `..`, in no order; none when it may not be read.
  public static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Target of a symbolic link, as it is written there; nil when it may not be read.
  public static func target(ofLink path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = bytes.withUnsafeMutableBytes { memory in
      memory.baseAddress.map { readlink(path, $0, memory.count) } ?? -1
    }
    return length >= 0 ? String(decoding: bytes[..<length], as: UTF8.self) : nil
  }
}
