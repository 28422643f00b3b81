import ArgumentParser
import Base
import Prescriptions
import Service

/// `auricle rx`: prescriptions.
struct RX: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rx",
    abstract: "Manage prescriptions: the audiologist makes them, the patient scans and chooses them.",
    groupedSubcommands: [
      CommandGroup(
        name: "Patient",
        subcommands: [
          ScanPrescription.self, ListPrescriptions.self, UsePrescription.self, TryPrescription.self,
          AcceptPrescription.self, RevertPrescription.self,
        ]),
      CommandGroup(name: "Audiologist", subcommands: [MakePrescription.self, SheetPrescription.self]),
      CommandGroup(name: "General", subcommands: [ShowPrescription.self, ExportPrescription.self]),
    ])
}

/// `auricle rx list`: the prescription book.
struct ListPrescriptions: BookReportVerb {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the prescriptions that were loaded, newest first.")

  @OptionGroup var options: ClientOptions

  func call() -> PrescriptionMethods.List { PrescriptionMethods.List() }
  func text(_ report: BookReport, _ style: Style) -> String { BookText(report: report, style: style).text }
}

/// `auricle rx use`: another of the prescriptions that were loaded.
struct UsePrescription: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Put another of the loaded prescriptions in force.",
    discussion: "The sound changes within a second, ramped. `auricle rx list` shows the prescriptions.")

  @Argument(
    help: .init(
      "Environment (quiet, conversation-in-noise, music, outdoors, or the clinic's own word), or the beginning of one, or number in the book.",
      valueName: "environment-or-number"), completion: .list(ListeningEnvironment.known.map(\.word)))
  var wanted: String

  @OptionGroup var options: ClientOptions

  func call() -> PrescriptionMethods.Use { PrescriptionMethods.Use(wanted) }
}

/// `auricle rx accept`: the trial becomes final.
struct AcceptPrescription: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Keep the prescription that is on trial.")

  @OptionGroup var options: ClientOptions

  func call() -> PrescriptionMethods.Accept { PrescriptionMethods.Accept() }
}

/// `auricle rx revert`: the former prescription again.
struct RevertPrescription: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "revert",
    abstract: "End a trial, or go back to the former prescription of the environment in force.")

  @OptionGroup var options: ClientOptions

  func call() -> PrescriptionMethods.Revert { PrescriptionMethods.Revert() }
}

/// `auricle rx scan`: a card into the device.
struct ScanPrescription: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "scan", abstract: "Load a card into this device; its prescription is then in force.",
    discussion: """
      The card must be signed by a trusted clinic (auricle trust list). Shows whose card it is, by name and \
      date of birth, and whose hearing aid this is, and asks before anything changes. The first prescription \
      binds the device to its patient. The sound changes within a second, ramped; the former prescription stays in \
      the book: auricle rx revert.
      """)

  @OptionGroup var source: CardSource

  @Flag(name: .shortAndLong, help: "Show whose card it is, and load it without asking.") var yes = false

  @OptionGroup var options: ClientOptions

  func call() throws(Failure) -> PrescriptionMethods.Load { try call(with: source.text()) }

  /// The request for a card that was read from the source.
  func call(with card: String) throws(Failure) -> PrescriptionMethods.Load {
    // The book is free again while the person reads.
    let preview = try BookAccess(options.socket).ask(PrescriptionMethods.Look(card: card))
    if !(yes && isForPrograms) {
      StandardError.write(TextColumns.broken(CardPreviewText(preview: preview).text))
    }
    if !yes {
      try Confirmation.ask(
        preview.question, for: "card",
        instead: "Compare name and date of birth above with those of the wearer, then give --yes.",
        refused: "Nothing was changed.")
    }
    return PrescriptionMethods.Load(card: card, confirmation: preview.confirmation)
  }
}

/// `auricle rx try`: a prescription for a while.
struct TryPrescription: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "try", abstract: "Try a prescription for a while; then the former one returns by itself.",
    discussion: "Keep it with `auricle rx accept`, end it early with `auricle rx revert`.")

  @Argument(
    help: .init(
      "Environment or number in the book. Default: the one that was loaded last.",
      valueName: "environment-or-number"), completion: .list(ListeningEnvironment.known.map(\.word)))
  var wanted: String?

  @Option(name: .customLong("for"), help: .init("Time of the trial: 90s, 20m, 8h, 14d.", valueName: "time"))
  var time = TimeSpan(seconds: 1200)

  @OptionGroup var options: ClientOptions

  func call() -> PrescriptionMethods.Try { PrescriptionMethods.Try(wanted, seconds: time.seconds) }
}

/// A length of time as people write it: `90s`, `20m`, `8h`, `14d`.
struct TimeSpan: ExpressibleByArgument, CustomStringConvertible {
  private static let units: [(letter: Character, seconds: Int)] = [
    ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
  ]

  /// A thousand days, s.
  static let longest = 86_400_000

  /// From 1 to ``longest``.
  let seconds: Int

  init(seconds: Int) { self.seconds = seconds }

  /// Nil when `argument` is no whole number with one of the letters, or out of range.
  init?(argument: String) {
    guard let letter = argument.last, let unit = Self.units.first(where: { $0.letter == letter }),
      argument.dropLast().allSatisfy(\.isWholeNumber), let count = Int(argument.dropLast()),
      (1...Self.longest / unit.seconds).contains(count)
    else { return nil }
    seconds = count * unit.seconds
  }

  var description: String {
    let unit = Self.units.first { seconds % $0.seconds == 0 } ?? ("s", 1)
    return "\(seconds / unit.seconds)\(unit.letter)"
  }
}
