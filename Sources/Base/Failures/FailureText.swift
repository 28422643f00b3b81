/// Failures as they are written to standard error.
package struct FailureText: Sendable, Equatable {
  /// Name of the program that reports, `auricle` or `auricled`.
  package let program: String
  /// True when a program reads standard error (`--json`).
  package let json: Bool
  /// True when standard error is a log, which must hold nothing about anybody's hearing.
  package let isLog: Bool

  package init(program: String, json: Bool = false, isLog: Bool = false) {
    self.program = program
    self.json = json
    self.isLog = isLog
  }

  /// One line per failure, each with its line break.
  ///
  /// With ``json``, one object: `{"errors":[…],"exit_status":78,"schema":100}`.
  package func text(for failures: [Failure]) -> String {
    guard json else {
      return failures.map { failure in
        "\(program): \(LogLine.printable(isLog ? failure.logMessage : failure.message))\n"
      }.joined()
    }
    let report: JSONValue = [
      "errors": .array(failures.map(\.json)),
      "exit_status": .number(Double(Self.exitStatus(for: failures).rawValue)), "schema": .number(100),
    ]
    return report.minified + "\n"
  }

  /// The exit status of a command that ends with these failures: the first one's.
  package static func exitStatus(for failures: [Failure]) -> ExitStatus {
    failures.first?.exitStatus ?? .done
  }
}

extension Failure {
  /// Keys in alphabetical order, as everywhere.
  fileprivate var json: JSONValue {
    let members: [(key: String, value: JSONValue?)] = [
      ("exit_status", .number(Double(exitStatus.rawValue))), ("expected", expected.map(JSONValue.text)),
      ("found", .text(found)), ("message", .text(message)), ("remedy", remedy.map(JSONValue.text)),
      ("subject", .text(subject)),
    ]
    return .object(members.compactMap { member in member.value.map { .init(key: member.key, value: $0) } })
  }
}
