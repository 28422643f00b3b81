import ArgumentParser

/// `auricle clinic`: the audiologist's own key.
struct ClinicCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clinic", abstract: "The clinic's key, its public card, and passes signed with it.",
    subcommands: [ClinicInit.self, ClinicCard.self, ClinicPass.self])
}
