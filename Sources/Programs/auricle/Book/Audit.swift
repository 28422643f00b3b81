import ArgumentParser
import Base
import Control
import Service

/// `auricle audit`: who did what to prescriptions on this device.
struct Audit: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Who did what to prescriptions on this device.",
    subcommands: [AuditShow.self, AuditVerify.self])
}

/// `auricle audit show`.
struct AuditShow: Verb {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the newest lines of the audit trail, oldest first.")

  @Option(name: [.customLong("last")], help: ArgumentHelp("Lines, 1 to 1000.", valueName: "count"))
  var count = 50

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  var isForPrograms: Bool { form.json }

  func validate() throws {
    guard BookMethods.ShowAudit.counts.contains(count) else {
      throw ValidationError("--last: found \(count), expected 1 to 1000.")
    }
  }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let report = try one { () throws(Failure) in
      try BookDoor(socket).ask(BookMethods.ShowAudit(count: count))
    }
    print(
      form.json ? try json(report) : AuditText(report: report, style: form.style).text,
      terminator: form.json ? "\n" : "")
    return .done
  }
}

/// `auricle audit verify`.
struct AuditVerify: Verb {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check that no line of the audit trail was changed or taken out.",
    discussion: "Exits with 1 when it was.")

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let verdict = try one { () throws(Failure) in
      try BookDoor(socket).ask(BookMethods.VerifyAudit())
    }
    if form.json {
      print(try json(verdict))
    } else {
      // A book begins with its first line.
      let whole =
        verdict.count == 0
        ? "There is no prescription book yet, so there is no audit trail to verify."
        : "The audit trail is whole: \(English.count(verdict.count, "line"))."
      print(verdict.problem ?? whole)
    }
    return verdict.isWhole ? .done : .no
  }
}
