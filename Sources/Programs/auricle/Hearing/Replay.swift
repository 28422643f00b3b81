import ArgumentParser
import Base
import Control
import Procedures
import Service

/// `auricle match replay`: works a record out again from its plan, its seed and its answers, and compares.
struct Replay: Verb {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Work a record out again: result, steps and samples must come out as they were.",
    discussion: """
      Of hearing tests too. Exits with 1 where something comes out otherwise.
      EXAMPLE: auricle match replay last
      """)

  @Argument(help: .init("Name of a record; last: the newest.", valueName: "record")) var record = "last"

  @OptionGroup var options: ClientOptions

  func answer() throws -> ExitStatus {
    let client = try options.socket.client()
    var name = record
    if name == "last" {
      guard let last = try client.ask(ProcedureMethods.List()).records.last else {
        throw Failure(
          "records", found: "none", expected: "one of a hearing test or a match", exit: .noInput)
      }
      name = last.record
    }
    let details = try client.ask(ProcedureMethods.Show(name))
    let report = try ProcedureReplay(details)
    return try show(report, report.text, exit: report.isSame ? .done : .no)
  }
}
