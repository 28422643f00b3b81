import Glibc

/// The file from which this process was started, to notice that another one has come in its place: the next start runs that.
///
/// The kernel says so from memory, at the end of a link's text (proc(5), `/proc/PID/exe`), once the file has lost its name, as
/// dpkg(1) and install(1) take it away. The file system, which may not answer, is not asked.
struct RunningProgram: Sendable {
  private let link: String

  /// - Parameter link: Of this process.
  init(link: String = "/proc/self/exe") { self.link = link }

  /// True once the file has lost its name.
  var isReplaced: Bool {
    var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = max(0, readlink(link, &text, text.count))
    return String(decoding: text[..<count], as: UTF8.self).hasSuffix(" (deleted)")
  }
}
