/// Failures as they are written to standard error.
public struct FailureText: Sendable, Equatable {
  /// Name of the program that speaks, `auricle` or `auricled`.
  public let program: String
  /// Whether a program reads standard error (`--json`).
  public let json: Bool
  /// Whether standard error lasts as a log, which holds nothing about anybody's hearing.
  public let isLog: Bool

  public init(program: String, json: Bool = false, isLog: Bool = false) {
    self.program = program
    self.json = json
    self.isLog = isLog
  }

  /// One line per failure, each with its line break.
  ///
  /// With ``json``, one object: `{"errors":[…],"exit_status":78,"schema":1}`.
  public func text(for failures: [Failure]) -> String {
    guard json else {
      return failures.map { failure in
        "\(program): \(LogLine.printable(isLog ? failure.logMessage : failure.message))\n"
      }.joined()
    }
    let report = Report(errors: failures, exit_status: Self.exitStatus(for: failures).rawValue)
    return (try? JSON.text(report)).map { $0 + "\n" } ?? ""
  }

  /// The exit status of a command that ends with these failures: the first one's.
  public static func exitStatus(for failures: [Failure]) -> ExitStatus {
    failures.first?.exitStatus ?? .done
  }

  /// Keys are the JSON's own.
  private struct Report: Encodable {
    let errors: [Failure]
    // swift-format-ignore: AlwaysUseLowerCamelCase
    let exit_status: Int32
    var schema = 1
  }
}
