import ArgumentParser
import Base
import Control
import Glibc
import Service

@main struct Main: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auricle", abstract: "A hearing aid in software.",
    discussion: """
      `auricle start` lets sound flow from the microphone, through your prescription, to the earphones; \
      `auricle stop` ends it. Not a medical device: begin with the volume low.
      """,
    version: Version.number,
    groupedSubcommands: [
      CommandGroup(
        name: "Hearing",
        subcommands: [
          Start.self, Stop.self, Mute.self, Unmute.self, UseProgram.self, Volume.self, Tone.self,
          Programs.self,
          Status.self,
        ]),
      CommandGroup(
        name: "Prescriptions", subcommands: [RX.self, Trust.self, Audit.self, BookCommands.self]),
      CommandGroup(name: "For the audiologist", subcommands: [ClinicCommand.self, Fit.self, Verify.self]),
      CommandGroup(name: "Recordings", subcommands: [Listen.self, Demo.self]),
      CommandGroup(
        name: "Setting up",
        subcommands: [Doctor.self, Devices.self, Check.self, Settings.self, Reload.self]),
      CommandGroup(name: "This program", subcommands: [Run.self, About.self, Completions.self]),
    ])

  static func main() {
    // A write beyond the limit of file size fails, and is told, instead of ending the program.
    signal(SIGXFSZ, SIG_IGN)
    PrivateMemory.begin()
    let names = configuration.subcommands.map { $0._commandName } + ["help"]
    if let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"), !names.contains(word) {
      // Whoever writes the beginning of one command means that one, however near another is.
      let meant = names.first { $0.hasPrefix(word) } ?? Spelling.nearest(to: word, among: names)
      let failure = Failure(
        "command line", found: "the unknown command \(word)",
        remedy: meant.map { "Did you mean: auricle \($0)" } ?? "See: auricle help", exit: .usage)
      StandardError.write(FailureText(program: "auricle").text(for: [failure]))
      exit(withError: ExitCode(failure.exitStatus.rawValue))
    }
    main(nil)
  }
}
