import Acoustics
import ArgumentParser
import Base
import Clinic
import Control
import Drawing
import Prescriptions
import Service

/// `auricle clinic`: the audiologist's own key.
struct ClinicCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clinic", abstract: "Manage the clinic's key, its public card and passes signed with it.",
    subcommands: [ClinicInit.self, ClinicCard.self, ClinicPass.self])
}

/// The clinic whose key is used.
struct ClinicOption: ParsableArguments {
  @Option(
    name: .customLong("clinic"),
    help: ArgumentHelp(
      "Folder of the clinic's key, instead of ~/.local/share/auricle/clinic.", valueName: "folder"),
    completion: .directory)
  var path: String?

  var folder: ClinicFolder {
    path.map(ClinicFolder.init(path:)) ?? ClinicFolder(environment: ProcessEnvironment.variables)
  }
}

/// A day on the command line, `2027-11-21`.
struct DayOption: ExpressibleByArgument {
  let date: CalendarDate

  init?(argument: String) {
    guard let date = CalendarDate(argument) else { return nil }
    self.date = date
  }

  /// The day's last second, UTC.
  var end: Instant { Instant(endOf: date) }
}

/// `auricle clinic card`: the card that patients trust.
struct ClinicCard: Verb {
  static let configuration = CommandConfiguration(
    commandName: "card", abstract: "Write the clinic's public card, which patients' devices trust.",
    discussion: "A .pdf is a page to hand out; .png and .svg are the code alone; .txt is its text.")

  @Argument(
    help: ArgumentHelp(
      "The card: .pdf, .png, .svg or .txt; - for text on standard output.", valueName: "file"),
    completion: .file())
  var output: String

  @OptionGroup var clinic: ClinicOption
  @OptionGroup var form: JSONOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let identity = try one { () throws(Failure) in
      let text = try clinic.folder.card()
      let identity = try ClinicReading.clinic(on: text, from: clinic.folder.path)
      if output.lowercased().hasSuffix(".pdf") {
        try ClinicPage(identity).write(to: output)
      } else {
        try SignedCardOutput(path: output).write(text, title: identity.name)
      }
      return identity
    }
    guard output != "-" else { return .done }
    try report(
      DoneReport(message: "Wrote \(output). Fingerprint  \(identity.fingerprint.grouped)", file: output))
    return .done
  }
}

/// A clinic's public card as the page that it hands out.
struct ClinicPage {
  private let content: ClinicCardContent

  init(_ clinic: ClinicIdentity) throws(Failure) {
    content = ClinicCardContent(
      clinic: clinic.name, url: clinic.url,
      validUntil: clinic.validUntil.map { String($0.text.prefix(10)) },
      keyFingerprint: clinic.fingerprint.grouped, code: try CardSymbol.modules(for: clinic.cardText))
  }

  func write(to path: String) throws(Failure) {
    let sheet: ClinicCardSheet
    do throws(SheetError) {
      sheet = try ClinicCardSheet(content)
    } catch {
      throw Failure(path, saying: "\(error)", exit: .badData)
    }
    try PictureFile(path: path).write(sheet.picture())
  }
}
