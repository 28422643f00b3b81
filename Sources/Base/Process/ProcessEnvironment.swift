import CLinux
import Glibc

/// The environment that this process was started with.
public enum ProcessEnvironment {
  /// Names and values; the corresponding C variable is `environ`.
  ///
  /// Copied once, from memory: a file of /proc can fail, and with other variables a command would work in other folders.
  public static let variables = entries(at: clinux_environment())

  /// Names and values of entries `NAME=VALUE`; what has no sign between the two is left out.
  ///
  /// - Parameter place: The first of them, with nil behind the last; nil: there are none.
  static func entries(at place: UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> [String: String] {
    var (result, place) = ([String: String](), place)
    while let entry = place?.pointee.map({ String(cString: $0) }) {
      place = place?.successor()
      // By bytes: a letter may combine with the sign.
      guard let equals = entry.utf8.firstIndex(of: .equals) else { continue }
      result[String(entry[..<equals])] = String(entry[entry.utf8.index(after: equals)...])
    }
    return result
  }
}

/// Protection of memory, which holds keys, passphrases and names, from core dumps and other programs of the
/// user.
public enum PrivateMemory {
  /// Protects this process: no core file, and no other program may attach to it or read it
  /// (PR_SET_DUMPABLE, prctl(2)).
  ///
  /// A limit that cannot be set stays as it was: it protects, and nothing depends on it.
  ///
  /// - Threads: main, before any other exists.
  public static func begin() {
    // Copied while nobody else can change them.
    _ = ProcessEnvironment.variables
    _ = clinux_keep_memory_private()
  }
}

/// Standard output of a command.
public enum StandardOutput {
  /// Writes out what is still held back.
  ///
  /// - Throws: ``Failure`` when something of the answer is lost: the disk is full, or nobody has the output
  ///   open.
  public static func finish() throws(Failure) {
    let code = clinux_flush_output()
    guard code < 0 else { return }
    throw Failure(
      "standard output", inWords: "The answer cannot be written: \(SystemError.words(for: -code))",
      exit: .inputOutput)
  }
}

/// Standard error of a command, for messages that are not its answer.
public enum StandardError {
  /// Writes at once; what cannot be written is lost.
  public static func write(_ text: String) {
    let bytes = [UInt8](text.utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
