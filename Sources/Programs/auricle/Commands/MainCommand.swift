import ArgumentParser
import Base
import Glibc
import Service

/// Entry of the program, which is a target of its own: tests are linked with its commands and not with it.
package enum Entry {
  package static func run() { Main.main() }
}

struct Main: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auricle", abstract: "A hearing aid in software.",
    discussion: """
      `auricle start` starts the sound: from the microphone, through your prescription, to the earphones. \
      `auricle stop` ends it. Not a medical device: begin with the earphones on the table.
      """,
    version: Version.number,
    groupedSubcommands: [
      CommandGroup(
        name: "Hearing",
        subcommands: [
          Start.self, Stop.self, Mute.self, Unmute.self, UseProgram.self, Volume.self, Tone.self,
          StreamCommand.self,
          Programs.self, Status.self, RecordingCommand.self,
        ]),
      CommandGroup(name: "Measuring", subcommands: [HearingTestCommand.self, Match.self]),
      CommandGroup(
        name: "Prescription", subcommands: [RX.self, Trust.self, Audit.self, BookCommands.self]),
      CommandGroup(
        name: "Audiologist",
        subcommands: [ClinicCommand.self, Fit.self, Verify.self, Spectrum.self, Debug.self]),
      CommandGroup(name: "Recording", subcommands: [Listen.self, Demo.self]),
      CommandGroup(
        name: "Setup",
        subcommands: [
          Setup.self, Calibrate.self, Doctor.self, Devices.self, Route.self, Metrics.self, Check.self,
          ConfigCommand.self,
          Reload.self,
          Roles.self, Device.self,
        ]),
      CommandGroup(name: "Other", subcommands: [Run.self, About.self, Completions.self]),
    ])

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let path = CommandPath(arguments)
    do {
      // First of all: what this process is set to below, the other program would inherit.
      if let verb = path.foreignVerb {
        try CompanionProgram(verb: verb, meant: path.meant(or: CompanionProgram.verbs)).takeOver()
      }
      // A write beyond the limit of file size fails, and is reported, instead of ending the program.
      signal(SIGXFSZ, SIG_IGN)
      PrivateMemory.begin()
      try ArgumentText.check()
      try path.check()
      var command = try parseAsRoot()
      try command.run()
    } catch {
      end(error, after: arguments)
    }
  }

  /// Ends with an error of the parser or of a command, in the one form of all errors.
  private static func end(_ error: any Error, after arguments: [String]) -> Never {
    guard !(error is ExitCode) else { exit(withError: error) }
    if let failure = error as? Failure { end(failure) }
    guard exitCode(for: error) == .success else {
      let command = CommandPath(arguments).words.joined(separator: " ")
      end(
        Failure(
          "command line", inWords: words(message(for: error)),
          remedy: "See: \(command) --help", exit: .usage))
    }
    // Help or version.
    print(fullMessage(for: error))
    do throws(Failure) { try StandardOutput.finish() } catch { end(error) }
    exit(withError: nil)
  }

  /// The parser's words on one line; the full stop that follows takes the place of a question mark's.
  private static func words(_ message: String) -> String {
    let line = message.split(separator: "\n").joined(separator: " ")
    return line.hasSuffix("?") ? String(line.dropLast()) : ExpectedForm.completed(line)
  }

  /// True when a program reads the output. Behind `--` the word names a file.
  static var isForPrograms: Bool { CommandLine.arguments.prefix { $0 != "--" }.contains("--json") }

  private static func end(_ failure: Failure) -> Never {
    StandardError.write(FailureText(program: "auricle", json: isForPrograms).text(for: [failure]))
    exit(withError: ExitCode(failure.exitStatus.rawValue))
  }
}

/// `auricle version`: which program this is, and with --json its parts.
struct About: Verb {
  static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the version.")

  @OptionGroup var form: JSONOption

  func answer() throws -> ExitStatus {
    let report = Version.report
    let words = "auricle \(report.version), protocol \(report.protocol), Swift \(report.swift)"
    return try show(Versioned(report: report), words)
  }
}

/// `auricle completions`: the script that lets a shell complete commands and options.
struct Completions: Verb {
  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Print a completion script for bash, zsh or fish.",
    discussion: """
      The Debian package installs all three. Without it, in a shell's start file:

      EXAMPLE: source <(auricle completions bash)
      """)

  @Argument(help: "bash, zsh or fish.") var shell: Shell

  enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

  @OptionGroup var form: JSONOption

  func answer() throws -> ExitStatus {
    let script = Main.completionScript(for: CompletionShell(rawValue: shell.rawValue) ?? .bash)
    return try show(Versioned(report: ["script": script]), script)
  }
}

/// The command that the words of a command line name, as far as they name one.
struct CommandPath {
  /// Beginning with the program's name.
  private(set) var words = ["auricle"]
  /// First word that names no command; nil when all do.
  private let unknown: String?
  private let known: [String]
  private let isHelp: Bool

  /// First word of the command line, when no command has that name; behind `help`, a verb of the other program.
  var foreignVerb: String? {
    guard words.count == 1, let unknown, !isHelp || CompanionProgram.verbs.contains(unknown) else {
      return nil
    }
    return unknown
  }

  init(_ arguments: [String]) {
    var command: any ParsableCommand.Type = Main.self
    isHelp = arguments.first == "help"
    var rest = isHelp ? arguments.dropFirst() : arguments[...]
    while let word = rest.popFirst(), !word.hasPrefix("-"), !command.configuration.subcommands.isEmpty {
      let commands = command.configuration.subcommands
      guard let next = commands.first(where: { $0._commandName == word }) else {
        (unknown, known) = (word, commands.map { $0._commandName })
        return
      }
      words.append(word)
      command = next
    }
    (unknown, known) = (nil, [])
  }

  /// The command that the first word that names none was probably meant to be, with those before it.
  ///
  /// - Parameter others: Names that it may have been meant to be besides.
  func meant(or others: [String] = []) -> String? {
    guard let unknown else { return nil }
    let known = known + others
    // A beginning stands for the command that begins so, however near another one is spelt.
    let meant = known.first { $0.hasPrefix(unknown) } ?? Spelling.nearest(to: unknown, among: known)
    return meant.map { (words + [$0]).joined(separator: " ") }
  }

  /// Refuses a word that names no command, and says which was probably meant.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/usage``.
  func check() throws(Failure) {
    guard let unknown else { return }
    let command = words.joined(separator: " ")
    throw Failure(
      "command line", inWords: "\(command) has no command \(unknown.isEmpty ? "''" : unknown)",
      remedy: meant().map { "Did you mean: \($0)" } ?? "See: \(command) --help", exit: .usage)
  }
}

/// Words of a command line as text. Names of files are UTF-8 here, whatever the file system allows.
enum ArgumentText {
  /// Refuses bytes that are no text, which Swift would alter without notice.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/usage``.
  static func check() throws(Failure) {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil
      else { continue }
      throw Failure(
        "command line",
        inWords: "Argument \(index), \(String(cString: bytes)), is not UTF-8, which names must be here",
        remedy: "Rename the file, or give it a second name: ln -s.", exit: .usage)
    }
  }
}
