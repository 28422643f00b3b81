import Glibc

/// Messages, which are not the answer.
enum StandardError {
  static func write(_ text: String) {
    let bytes = [UInt8](text.utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
