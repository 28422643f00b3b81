import Base

/// The command line's options.
///
/// Read here and not by the argument parser of the other programs: that brings a good part of Foundation,
/// and this program is root.
struct ProofOptions: Equatable {
  /// Control socket of the daemon; nil: the usual place.
  var control: String?
  /// Time for the whole proof, 1 to 60 s: the daemon takes none for a challenge that is older.
  var limit = 60
  /// The conversation itself, which the program starts as a process of its own.
  var isConversation = false
  var wantsHelp = false

  static let help = """
    OVERVIEW: Proves to the hearing aid who asks for a role.

    Serves one client, whose connection is its standard input, as systemd starts it
    (auricle-auth.socket): asks the client what the PAM service auricle asks, and
    tells auricled(8) the result.

    USAGE: auricle-auth [--control <path>] [--limit <s>]

    OPTIONS:
      --control <path>        Control socket of the daemon, instead of the usual
                              place.
      --limit <s>             Time for the whole proof, 1 to 60 s. (default: 60)
      -h, --help              Show help information.

    """

  /// - Parameter words: The command line behind the program's name.
  /// - Throws: ``Failure`` with ``ExitStatus/usage`` for an option that there is not, or one without its
  ///   value.
  init(_ words: some Sequence<String>) throws(Failure) {
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      switch parts[0] {
      case Conversation.flag where parts.count == 1: isConversation = true
      case "-h" where parts.count == 1, "--help" where parts.count == 1: wantsHelp = true
      case "--control": control = try Self.value(of: parts, or: &rest)
      case "--limit":
        let text = try Self.value(of: parts, or: &rest)
        guard let seconds = Int(text), 1...60 ~= seconds else {
          throw Self.refusal("--limit: found \(text), expected 1 to 60")
        }
        limit = seconds
      default: throw Self.refusal("Unknown option '\(word)'")
      }
    }
  }

  /// The value behind `=`, or the next word.
  private static func value(of parts: [String], or rest: inout ArraySlice<String>) throws(Failure) -> String
  {
    if parts.count == 2 { return parts[1] }
    guard let value = rest.popFirst() else { throw refusal("Missing value for '\(parts[0])'") }
    return value
  }

  private static func refusal(_ words: String) -> Failure {
    Failure("command line", inWords: words, remedy: "See: auricle-auth --help", exit: .usage)
  }
}
