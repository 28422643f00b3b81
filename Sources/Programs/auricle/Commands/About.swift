import ArgumentParser
import Base
import Control
import Service

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

/// `auricle completions`: the script that lets a shell complete commands and options.
struct Completions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print a completion script for bash, zsh or fish.",
    discussion: "EXAMPLE: auricle completions bash > ~/.local/share/bash-completion/completions/auricle")

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

  func run() {
    let shell: CompletionShell =
      switch self.shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    print(Main.completionScript(for: shell))
  }
}
