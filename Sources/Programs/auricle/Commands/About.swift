import ArgumentParser
import Base
import Control
import Service

/// `auricle version`: which program this is, and with --json its parts.
struct About: Verb {
  static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the version.")

  @OptionGroup var form: JSONOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let report = Version.report
    print(
      form.json
        ? try json(Versioned(report: report))
        : "auricle \(report.version), protocol \(report.protocol), Swift \(report.swift)")
    return .done
  }
}

/// `auricle completions`: the script that lets a shell complete commands and options.
struct Completions: Verb {
  static let configuration = CommandConfiguration(
    abstract: "Print a completion script for bash, zsh or fish.",
    discussion: "EXAMPLE: auricle completions bash > ~/.local/share/bash-completion/completions/auricle")

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

  @OptionGroup var form: JSONOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let shell: CompletionShell =
      switch self.shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    let script = Main.completionScript(for: shell)
    print(form.json ? try json(Versioned(report: ["script": script])) : script)
    return .done
  }
}
