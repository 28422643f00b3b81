import Glibc

/// The environment that this process was started with.
public enum ProcessEnvironment {
  /// Names and values; the corresponding C variable is `environ`.
  ///
  /// Read from `/proc/self/environ`, the copy made when the process started, so that no thread sees it change.
  public static let variables: [String: String] = {
    guard let bytes = try? FileContent.bytes(of: "/proc/self/environ", limit: 1 << 22) else { return [:] }
    var result: [String: String] = [:]
    for entry in bytes.split(separator: 0) {
      guard let equals = entry.firstIndex(of: .equals) else { continue }
      let name = String(decoding: entry[..<equals], as: UTF8.self)
      result[name] = String(decoding: entry[(equals + 1)...], as: UTF8.self)
    }
    return result
  }()
}
