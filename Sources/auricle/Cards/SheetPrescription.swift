import ArgumentParser
import Clinic
import Control
import Daemon
import Prescriptions

/// `auricle rx sheet`: a page to print and hand out.
struct SheetPrescription: Verb {
  static let configuration = CommandConfiguration(
    commandName: "sheet",
    abstract: "Make a printable page of a card: code, audiogram, targets, instructions.")

  @OptionGroup var source: CardSource

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The page, .pdf, .png or .svg.", valueName: "file"),
    completion: .file())
  var output: String

  @OptionGroup var socket: SocketOption

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      let content = try ShownCard(
        try source.text(), trusting: BookDoor.trustedClinics(socket), known: BookDoor.ownClinic,
        from: source.place.name)
      try content.writePage(to: output)
      print("Wrote \(output). Print it at full size: a smaller code is harder to scan.")
      return .done
    }
  }
}
