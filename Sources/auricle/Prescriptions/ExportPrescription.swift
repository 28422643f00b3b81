import ArgumentParser
import Clinic
import Control
import Daemon
import Prescriptions

/// `auricle rx export`: the prescription for other programs.
struct ExportPrescription: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a prescription's FHIR R4 bundle as JSON.",
    discussion: "Without a file: the prescription that is heard now, or that of --number.")

  @Argument(help: ArgumentHelp("Picture, PDF or text of a card, - for standard input.", valueName: "file"))
  var file: String?

  @Option(help: ArgumentHelp("A prescription of the book, by its number in auricle rx list.", valueName: "number"))
  var number: Int?

  @Flag(help: "As a FHIR R4 bundle. The only form there is.")
  var fhir = false

  @OptionGroup var socket: SocketOption

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      let text =
        try file.map { name throws(Failure) in try CardSource(file: name, camera: false).text() }
        ?? BookDoor(socket).card(number: number).card
      let content = try ShownCard(text, trusting: [], from: file ?? "prescription book")
      guard let prescription = content.prescription else {
        throw Failure(file ?? "card", found: "no prescription", expected: "one", exit: .badData)
      }
      print(prescription.fhirBundle)
      return .done
    }
  }
}
