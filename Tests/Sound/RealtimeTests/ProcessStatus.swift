import Glibc

/// This process as the kernel describes it: /proc/self/status (proc(5)).
enum ProcessStatus {
  /// An amount of memory.
  ///
  /// - Parameter name: Of its line, such as "RssAnon".
  /// - Returns: kB; nil: the kernel tells nothing of that name.
  static func memory(_ name: String) -> Int? {
    var text = [UInt8](repeating: 0, count: 8192)
    guard let file = fopen("/proc/self/status", "r") else { return nil }
    let count = fread(&text, 1, text.count, file)
    fclose(file)
    let line = String(decoding: text[..<count], as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(name + ":") }
    return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
  }
}
