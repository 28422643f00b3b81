import ArgumentParser

/// `auricle fit`: what is measured on the ear as it is worn.
struct Fit: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fit the aid to the ear as it is worn.", subcommands: [FitFeedback.self])
}
