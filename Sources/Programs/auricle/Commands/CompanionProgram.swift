import Base
import Glibc

/// The program of studies and journal, of another package. A verb that `auricle` does not have is its.
struct CompanionProgram {
  private static let name = "auricle-companion"
  /// Verbs that it has, wherever it is.
  static let verbs = ["study", "q"]
  /// Variable of the environment that tells it ``meant``: it does not know the commands of `auricle`.
  private static let variable = "AURICLE_MEANT"

  /// First word of the command line, which no command of `auricle` has.
  let verb: String
  /// Command that the word was meant to be, if it is no verb of that program either; nil: none is near.
  let meant: String?

  /// Goes on as that program, with the same words and streams; returns when it is not here.
  ///
  /// - Throws: ``Failure``: ``ExitStatus/unavailable`` when the verb is known to be its and it is not here, ``ExitStatus/system`` when
  ///   it is here and does not start.
  func takeOver() throws(Failure) {
    // It is this file, under a name of its own: it would go on as itself without end.
    guard FilePath.name(of: CommandLine.arguments[0]) != Self.name else { return }
    for path in Self.places where access(path, F_OK) == 0 {
      let words = CommandLine.unsafeArgv
      // As they are, also where they are no text.
      let former = words[0]
      words[0] = strdup(path)
      if let meant { setenv(Self.variable, meant, 1) } else { unsetenv(Self.variable) }
      execv(path, words)
      let code = errno
      words[0] = former
      throw Failure(path, found: "that it does not start: \(SystemError.words(for: code))", exit: .system)
    }
    guard Self.verbs.contains(verb) else { return }
    throw Failure(
      "command line", inWords: "auricle \(verb) is a command of \(Self.name), which is not installed",
      remedy:
        "Install the package \(Self.name); in the sources of this program, make run-companion builds it.",
      exit: .unavailable)
  }

  /// Beside this program, as after a build, and in the folder of programs that people do not call; none where the kernel does not tell
  /// where this program is.
  private static var places: [String] {
    var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &text, text.count)
    guard count > 0, text[0] == UInt8(ascii: "/") else { return [] }
    let folder = FilePath.folder(of: String(decoding: text[..<count], as: UTF8.self))
    return ["\(folder)/\(name)", "\(FilePath.folder(of: folder))/libexec/auricle/\(name)"]
  }
}
