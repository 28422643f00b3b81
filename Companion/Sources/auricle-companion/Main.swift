import ArgumentParser
import Base
import CNoLanguageData
import Companion
import Glibc

/// Entry of the program.
@main struct Main: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auricle", abstract: "Studies and questionnaires beside the hearing aid.",
    discussion: "Nothing is sent anywhere. What you answer is kept in a file that only you can read.",
    subcommands: [StudyCommands.self, QuestionCommands.self])

  static func main() {
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    do {
      try check(CommandLine.arguments.dropFirst().first)
      var command = try parseAsRoot()
      try command.run()
      try StandardOutput.finish()
    } catch { end(error) }
  }

  /// Refuses a first word that names no command here: `auricle`, which has none of that name either, hands it over and tells in the environment
  /// which of its own was probably meant.
  private static func check(_ word: String?) throws(Failure) {
    guard let word, !word.hasPrefix("-"), word != "help",
      !configuration.subcommands.contains(where: { $0._commandName == word })
    else { return }
    let meant = ProcessEnvironment.variables["AURICLE_MEANT"]
    throw Failure(
      "command line", inWords: "auricle has no command \(word.isEmpty ? "''" : word)",
      remedy: meant.map { "Did you mean: \($0)" }
        ?? "See: auricle --help, auricle study --help, auricle q --help",
      exit: .usage)
  }

  /// True when a program reads the output. Behind `--` a word names a file.
  private static var isForPrograms: Bool { CommandLine.arguments.prefix { $0 != "--" }.contains("--json") }

  private static func end(_ error: any Error) -> Never {
    if let failure = error as? Failure { end(failure) }
    guard !(error is ExitCode) else {
      // The finding is written before the status says that there is something.
      finishOutput()
      exit(withError: error)
    }
    guard exitCode(for: error) == .success else {
      let words = message(for: error).split(separator: "\n").joined(separator: " ")
      end(
        Failure(
          "command line", inWords: words, remedy: "See: auricle study --help, auricle q --help",
          exit: .usage))
    }
    // Help.
    print(fullMessage(for: error))
    finishOutput()
    exit(withError: nil)
  }

  /// Ends with a failure where something of the answer is lost.
  private static func finishOutput() {
    do throws(Failure) { try StandardOutput.finish() } catch { end(error) }
  }

  private static func end(_ failure: Failure) -> Never {
    StandardError.write(FailureText(program: "auricle", json: isForPrograms).text(for: [failure]))
    exit(withError: ExitCode(failure.exitStatus.rawValue))
  }
}

extension CalendarDate {
  /// A day as an option of a command gives it.
  ///
  /// - Throws: ``Failure`` with what was found and a date such as is expected.
  init(_ text: String, ofOption name: String) throws(Failure) {
    guard let date = CalendarDate(text) else {
      throw Failure(name, found: "\"\(text)\"", expected: "a date such as 2026-03-29", exit: .usage)
    }
    self = date
  }
}

/// Place in which answers are kept, and form in which this program prints.
struct CommonOptions: ParsableArguments {
  @Option(help: "File, or address of a PostgreSQL server; the default lies in your folder for data.")
  var database: String?

  @Flag(help: "Print JSON.") var json = false

  /// The environment's own, with the database open.
  ///
  /// - Parameter notingJourneys: ``OwnParts/notesJourneys``; of commands that ask or take answers.
  func open(notingJourneys: Bool = false) throws(Failure) -> OwnParts {
    let surroundings = try Surroundings.system(ProcessEnvironment.variables)
    let place = try self.place()
    var sites: TrustedSites?
    if case .server = place { sites = try self.sites().ofKeptStudies }
    return OwnParts(
      try place.open(at: surroundings.now()), surroundings, notesJourneys: notingJourneys, sites: sites)
  }

  /// As of ``OwnParts/keeps(_:)``; the database is opened for it.
  func keeps(_ version: String) throws(Failure) -> Bool { try open().keeps(version) }

  func place() throws(Failure) -> CompanionDatabase {
    guard let text = database ?? ProcessEnvironment.variables["COMPANION_DATABASE"] else {
      return .standard(ProcessEnvironment.variables)
    }
    return try CompanionDatabase(text)
  }

  /// The person who is asked before the report comes.
  var terminal: Terminal { Terminal(isReporting: json) }

  /// Prints a report or its words.
  func show(_ report: JSONValue, _ words: String) {
    print(json ? report.minified : Printable.text(words), terminator: json ? "\n" : "")
  }
}
