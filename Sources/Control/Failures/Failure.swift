/// What went wrong, in the one form in which every command and the daemon say it: where, what was found,
/// what was expected, what to do.
///
/// The message reads `subject: found X, expected Y. Remedy.`; parts that are not known are left out.
public struct Failure: Error, Hashable, Sendable {
  /// Where: a file with its line, a device, a socket.
  public let subject: String
  /// What was found there, without a full stop.
  public let found: String
  /// What should have been there, without a full stop.
  public let expected: String?
  /// What the reader can do, one or more whole sentences.
  public let remedy: String?
  /// How a command that ends with this failure exits.
  public let exitStatus: ExitStatus
  /// Whether ``found`` says it all, in whole sentences of its own.
  private let isWhole: Bool
  /// The sentence for a log where ``message`` tells what a private file holds; nil: ``message`` itself.
  private let logText: String?

  /// A failure that another room has put into words, one or more whole sentences.
  public init(_ subject: String, inWords words: String, exit: ExitStatus) {
    // The subject stands before it already.
    let rest = words.hasPrefix(subject + " ") ? String(words.dropFirst(subject.count + 1)) : words
    self.init(
      subject, found: rest.hasSuffix(".") ? String(rest.dropLast()) : rest, expected: nil, remedy: nil,
      exit: exit, isWhole: true)
  }

  public init(
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
  public var message: String {
    // A name that was left empty would not be seen.
    let subject = subject.isEmpty ? "''" : subject
    var text = isWhole ? "\(subject): \(found)" : "\(subject): found \(found)"
    if let expected { text += ", expected \(expected)" }
    text += "."
    if let remedy { text += " \(remedy)" }
    return text
  }

  // MARK: - In a log

  /// The sentence for a log, which lasts and which others read: without anything that a file about somebody's
  /// hearing holds. ``message`` is for the one who asked.
  public var logMessage: String { logText ?? message }

  /// The same failure, with other words for a log.
  public func logged(as text: String) -> Failure {
    Failure(
      subject, found: found, expected: expected, remedy: remedy, exit: exitStatus, isWhole: isWhole,
      logText: text)
  }

  /// The same failure, of which a log tells the place, and of what was found there the kind only.
  ///
  /// - Parameters:
  ///   - kind: In the place of ``found``: words of the program, none of the file's.
  ///   - remedy: How the reader of the log learns the rest, a sentence.
  public func logged(asKind kind: String, remedy: String? = nil) -> Failure {
    logged(as: Failure(subject, found: kind, remedy: remedy, exit: exitStatus).message)
  }
}

extension Failure: CustomStringConvertible {
  public var description: String { message }
}

extension Failure: Codable {
  enum CodingKeys: String, CodingKey {
    case subject, found, expected, remedy, message
    case exitStatus = "exit_status"
    case isWhole = "whole"
  }

  public init(from decoder: any Decoder) throws {
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

  public func encode(to encoder: any Encoder) throws {
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
