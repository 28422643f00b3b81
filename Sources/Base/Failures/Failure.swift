/// An error as every command and the daemon report it: where it lies, what was found,
/// what was expected, what to do.
///
/// The message reads `subject: found X, expected Y. Remedy.`; parts that are not known are left out.
public struct Failure: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// Place of the error: a file with its line, a device, a socket.
  public let subject: String
  /// Value or state found there, without a full stop.
  public let found: String
  /// Value or state expected there, without a full stop.
  public let expected: String?
  /// Advice to the reader, one or more whole sentences.
  public let remedy: String?
  /// The whole sentence, without the program's name and without a line break.
  public let message: String
  /// Exit status of a command that ends with this failure.
  public let exitStatus: ExitStatus
  /// True when ``found`` is the whole message, in sentences of its own; nil when it is not.
  private let isWhole: Bool?
  /// The sentence for a log where ``message`` tells what a private file holds; nil: ``message`` itself.
  private var logText: String?

  private enum CodingKeys: CodingKey { case subject, found, expected, remedy, message, exitStatus, isWhole }

  public var description: String { message }

  /// - Parameter isWhole: True when `found` is one or more whole sentences, with which the message is said.
  public init(
    _ subject: String, found: String, expected: String? = nil, remedy: String? = nil, exit: ExitStatus,
    isWhole: Bool? = nil
  ) {
    (self.subject, self.found, self.expected, self.remedy) = (subject, found, expected, remedy)
    (exitStatus, self.isWhole) = (exit, isWhole)
    // "found that it cannot be read" is said as "it cannot be read".
    let isClause = found.hasPrefix("that ")
    let clause = isClause ? String(found.dropFirst(5)) : isWhole == true ? found : "found \(found)"
    // A name that was left empty would not be seen.
    message =
      "\(subject.isEmpty ? "''" : subject): \(clause)" + (expected.map { ", expected \($0)" } ?? "") + "."
      + (remedy.map { " \($0)" } ?? "")
  }

  /// Creates a failure from one or more whole sentences.
  public init(_ subject: String, inWords words: String, remedy: String? = nil, exit: ExitStatus) {
    // The subject stands before it already.
    let rest = words.hasPrefix(subject + " ") ? String(words.dropFirst(subject.count + 1)) : words
    self.init(
      subject, found: rest.hasSuffix(".") ? String(rest.dropLast()) : rest, remedy: remedy, exit: exit,
      isWhole: true)
  }

  /// A failure from a sentence of the form `what was found: expected what should be`, as the acoustic types
  /// describe their errors; any other sentence stands as it is.
  public init(_ subject: String, saying sentence: String, remedy: String? = nil, exit: ExitStatus) {
    guard let cut = sentence.firstRange(of: ": expected ") else {
      self.init(subject, inWords: sentence, remedy: remedy, exit: exit)
      return
    }
    self.init(
      subject, found: String(sentence[..<cut.lowerBound]), expected: String(sentence[cut.upperBound...]),
      remedy: remedy, exit: exit)
  }

  /// Runs a body whose error becomes a failure that says it.
  public static func saying<Value>(
    _ subject: String, exit: ExitStatus, _ body: () throws -> Value
  ) throws(Failure) -> Value {
    do { return try body() } catch { throw Failure(subject, saying: "\(error)", exit: exit) }
  }

  // MARK: - In a log

  /// The sentence for a log, which lasts and which others read: without anything that a file about
  /// somebody's hearing holds. ``message`` is for the user who asked.
  package var logMessage: String { logText ?? message }

  /// The same failure, with other words for a log.
  package func logged(as text: String) -> Failure {
    var copy = self
    copy.logText = text
    return copy
  }

  /// The same failure, logged with its place and only the kind of what was found.
  ///
  /// - Parameters:
  ///   - kind: Logged instead of ``found``; quotes nothing from the file.
  ///   - remedy: Advice for the reader of the log, a sentence.
  package func logged(asKind kind: String, remedy: String? = nil) -> Failure {
    logged(as: Failure(subject, found: kind, remedy: remedy, exit: exitStatus).message)
  }

  /// Keys in alphabetical order, as everywhere.
  fileprivate var json: JSONValue {
    [
      "exit_status": .number(Double(exitStatus.rawValue)), "expected": expected.map(JSONValue.text),
      "found": .text(found), "message": .text(message), "remedy": remedy.map(JSONValue.text),
      "subject": .text(subject),
    ]
  }
}

/// Exit status of a command.
///
/// Values above 1 are those of sysexits.h, so that a service manager can tell what trying again would
/// help (`temporary`) from what it would not (`configuration`); 128 + n is the shell's status for signal n.
public enum ExitStatus: Int32, Sendable, Codable, CaseIterable {
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

  /// A status that only a later version has is read as ``software``.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(Int32.self)) ?? .software
  }
}

/// Failures as they are written to standard error.
public struct FailureText: Sendable, Equatable {
  /// Name of the program that reports, `auricle` or `auricled`.
  public let program: String
  /// True when a program reads standard error (`--json`).
  public let json: Bool
  /// True when standard error is a log, which must hold nothing about anybody's hearing.
  public let isLog: Bool

  /// By default sentences for the person who reads standard error.
  public init(program: String, json: Bool = false, isLog: Bool = false) {
    (self.program, self.json, self.isLog) = (program, json, isLog)
  }

  /// One line per failure, each with its line break.
  ///
  /// With ``json``, one object: `{"errors":[…],"exit_status":78,"schema":100}`.
  public func text(for failures: [Failure]) -> String {
    guard json else {
      return failures.map { failure in
        "\(program): \(LogLine.printable(isLog ? failure.logMessage : failure.message))\n"
      }.joined()
    }
    let status = Double(Self.exitStatus(for: failures).rawValue)
    let report: JSONValue = [
      "errors": .array(failures.map(\.json)), "exit_status": .number(status), "schema": 100,
    ]
    return report.minified + "\n"
  }

  /// The exit status of a command that ends with these failures: the first one's.
  public static func exitStatus(for failures: [Failure]) -> ExitStatus {
    failures.first?.exitStatus ?? .done
  }
}
