import ArgumentParser

@main struct Main: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auricle", abstract: "A hearing aid in software.", subcommands: [Listen.self, Demo.self])
}
