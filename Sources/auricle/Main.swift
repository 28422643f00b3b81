import ArgumentParser
import Daemon

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
        name: "Hearing", subcommands: [Start.self, Stop.self, Mute.self, Unmute.self, Status.self]),
      CommandGroup(name: "Recordings", subcommands: [Listen.self, Demo.self]),
      CommandGroup(
        name: "Setting up",
        subcommands: [Doctor.self, Devices.self, Check.self, Settings.self, Reload.self]),
      CommandGroup(name: "Programs", subcommands: [Run.self, About.self, Completions.self]),
    ])
}
