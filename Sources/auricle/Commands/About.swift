import ArgumentParser
import Control
import Daemon

/// `auricle version`: which program this is, and with --json its parts.
struct About: Verb {
  static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the version.")

  @Flag(help: "Answer in JSON, for programs.")
  var json = false

  var isForPrograms: Bool { json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let report = Version.report
    print(
      json
        ? try self.json(report)
        : "auricle \(report.version), protocol \(report.protocolVersion), Swift \(report.swift)")
    return .done
  }
}
