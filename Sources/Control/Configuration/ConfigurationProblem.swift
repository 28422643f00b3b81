/// One thing wrong in a configuration file.
public struct ConfigurationProblem: Sendable, Hashable {
  /// Line, from 1; nil when the problem has no place in the file.
  public let line: Int?
  /// Dotted path of the key; empty for a problem of the whole file.
  public let key: String
  /// What stands there, `device.period = 8 frames`.
  public let found: String
  public let expected: String
  /// What was probably meant.
  public let hint: String?
}

/// Why a configuration file cannot be used: everything that is wrong with it, in the order of its lines.
public struct ConfigurationError: Error, Sendable, Equatable {
  /// Path of the file, as it was named.
  public let file: String
  /// At least one.
  public let problems: [ConfigurationProblem]

  /// One failure per problem; the subject is `file:line`.
  public var failures: [Failure] {
    problems.map { problem in
      Failure(
        problem.line.map { "\(file):\($0)" } ?? file,
        found: problem.found, expected: problem.expected, remedy: problem.hint,
        exit: .configuration)
    }
  }
}
