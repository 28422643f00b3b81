/// An error as every command and the daemon report it: where it lies, what was found,
/// what was expected, what to do.
///
/// The message reads `subject: found X, expected Y. Remedy.`; parts that are not known are left out.
package struct Failure: Error, Hashable, Sendable {
  /// Place of the error: a file with its line, a device, a socket.
  package let subject: String
  /// Value or state found there, without a full stop.
  package let found: String
  /// Value or state expected there, without a full stop.
  package let expected: String?
  /// Advice to the reader, one or more whole sentences.
  package let remedy: String?
  /// Exit status of a command that ends with this failure.
  package let exitStatus: ExitStatus
  /// True when ``found`` is the whole message, in sentences of its own.
  private let isWhole: Bool
  /// The sentence for a log where ``message`` tells what a private file holds; nil: ``message`` itself.
  private let logText: String?

  /// Creates a failure from one or more whole sentences.
  package init(_ subject: String, inWords words: String, remedy: String? = nil, exit: ExitStatus) {
    // The subject stands before it already.
    let rest = words.hasPrefix(subject + " ") ? String(words.dropFirst(subject.count + 1)) : words
    self.init(
      subject, found: rest.hasSuffix(".") ? String(rest.dropLast()) : rest, expected: nil, remedy: remedy,
      exit: exit, isWhole: true)
  }

  package init(
    _ subject: String, found: String, expected: String? = nil, remedy: String? = nil, exit: ExitStatus
  ) {
    self.init(subject, found: found, expected: expected, remedy: remedy, exit: exit, isWhole: false)
  }

  private init(
    _ subject: String, found: String, expected: String?, remedy: String?, exit: ExitStatus, isWhole: Bool,
    logText: String? = nil
  ) {
    self.subject = subject
    self.found = found
    self.expected = expected
    self.remedy = remedy
    exitStatus = exit
    self.isWhole = isWhole
    self.logText = logText
  }

  /// The whole sentence, without the program's name and without a line break.
  package var message: String {
    // A name that was left empty would not be seen.
    let subject = subject.isEmpty ? "''" : subject
    // "found that it cannot be read" is said as "it cannot be read".
    let isClause = found.hasPrefix("that ")
    var text =
      isWhole || isClause
      ? "\(subject): \(isClause ? String(found.dropFirst(5)) : found)" : "\(subject): found \(found)"
    if let expected { text += ", expected \(expected)" }
    text += "."
    if let remedy { text += " \(remedy)" }
    return text
  }

  // MARK: - In a log

  /// The sentence for a log, which lasts and which others read: without anything that a file about
  /// somebody's hearing holds. ``message`` is for the user who asked.
  package var logMessage: String { logText ?? message }

  /// The same failure, with other words for a log.
  package func logged(as text: String) -> Failure {
    Failure(
      subject, found: found, expected: expected, remedy: remedy, exit: exitStatus, isWhole: isWhole,
      logText: text)
  }

  /// The same failure, logged with its place and only the kind of what was found.
  ///
  /// - Parameters:
  ///   - kind: Logged instead of ``found``; quotes nothing from the file.
  ///   - remedy: Advice for the reader of the log, a sentence.
  package func logged(asKind kind: String, remedy: String? = nil) -> Failure {
    logged(as: Failure(subject, found: kind, remedy: remedy, exit: exitStatus).message)
  }
}

extension Failure: CustomStringConvertible {
  package var description: String { message }
}

extension Failure: Codable {
  enum CodingKeys: String, CodingKey {
    case subject, found, expected, remedy, message
    case exitStatus = "exit_status"
    case isWhole = "whole"
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let code = try values.decode(Int32.self, forKey: .exitStatus)
    self.init(
      try values.decode(String.self, forKey: .subject),
      found: try values.decode(String.self, forKey: .found),
      expected: try values.decodeIfPresent(String.self, forKey: .expected),
      remedy: try values.decodeIfPresent(String.self, forKey: .remedy),
      exit: ExitStatus(rawValue: code) ?? .software,
      isWhole: try values.decodeIfPresent(Bool.self, forKey: .isWhole) ?? false)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(subject, forKey: .subject)
    try values.encode(found, forKey: .found)
    try values.encodeIfPresent(expected, forKey: .expected)
    try values.encodeIfPresent(remedy, forKey: .remedy)
    try values.encode(message, forKey: .message)
    try values.encode(exitStatus.rawValue, forKey: .exitStatus)
    if isWhole { try values.encode(true, forKey: .isWhole) }
  }
}

/// Exit status of a command.
///
/// Values above 1 are those of sysexits.h, so that a service manager can tell what trying again would
/// help (`temporary`) from what it would not (`configuration`); 128 + n is the shell's status for signal n.
package enum ExitStatus: Int32, Sendable, Codable, CaseIterable {
  /// Done.
  case done = 0
  /// The question was answered, and the answer is no.
  case no = 1
  /// The command line is wrong (EX_USAGE).
  case usage = 64
  /// A file's content is wrong, an audiogram's for instance (EX_DATAERR).
  case badData = 65
  /// A file that was named is not there (EX_NOINPUT).
  case noInput = 66
  /// The daemon does not answer (EX_UNAVAILABLE).
  case unavailable = 69
  /// A fault of this program (EX_SOFTWARE).
  case software = 70
  /// The system refused something it normally grants (EX_OSERR).
  case system = 71
  /// An output file cannot be made (EX_CANTCREAT).
  case cannotCreate = 73
  /// Reading, writing or sound failed on the way (EX_IOERR).
  case inputOutput = 74
  /// Busy or absent at the moment; trying again can help (EX_TEMPFAIL).
  case temporary = 75
  /// The daemon speaks another version of the protocol (EX_PROTOCOL).
  case protocolMismatch = 76
  /// Not allowed (EX_NOPERM).
  case noPermission = 77
  /// The configuration is wrong; starting again does not help (EX_CONFIG).
  case configuration = 78
  /// Ended by SIGINT.
  case interrupted = 130
  /// Ended by SIGTERM.
  case terminated = 143
}

extension Failure {
  /// A failure from a sentence of the form `what was found: expected what should be`, as the acoustic types
  /// describe their errors; any other sentence stands as it is.
  package init(_ subject: String, saying sentence: String, remedy: String? = nil, exit: ExitStatus) {
    let mark = ": expected "
    guard let cut = sentence.firstRange(of: mark) else {
      self.init(subject, inWords: sentence, remedy: remedy, exit: exit)
      return
    }
    self.init(
      subject, found: String(sentence[..<cut.lowerBound]),
      expected: String(sentence[cut.upperBound...]), remedy: remedy, exit: exit)
  }

  /// Runs a body whose error becomes a failure that says it.
  package static func saying<Value>(
    _ subject: String, exit: ExitStatus, _ body: () throws -> Value
  ) throws(Failure) -> Value {
    do { return try body() } catch { throw Failure(subject, saying: "\(error)", exit: exit) }
  }
}
