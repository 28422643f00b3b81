import ArgumentParser
import Base
import Clinic
import Control
import Prescriptions
import Service

/// `auricle rx export`: the prescription for other programs.
struct ExportPrescription: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a prescription's FHIR R4 bundle as JSON.",
    discussion: "Without a file: the prescription in force, or that of --number.")

  @Argument(
    help: ArgumentHelp("Picture, PDF or text of a card, - for standard input.", valueName: "file"),
    completion: .file())
  var file: String?

  @Option(
    help: ArgumentHelp("A prescription of the book, by its number in auricle rx list.", valueName: "number")
  )
  var number: Int?

  @Flag(help: "As a FHIR R4 bundle, the only form.")
  var fhir = false

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: JSONOption

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      let text = try text()
      let content = try ShownCard(
        text, trusting: BookDoor.trustedClinics(socket), known: BookDoor.ownClinic,
        from: file ?? "prescription book")
      guard let prescription = content.prescription else {
        throw Failure(file ?? "card", inWords: "This card is not a prescription", exit: .badData)
      }
      print(prescription.fhirBundle)
      return .done
    }
  }

  private func text() throws(Failure) -> String {
    guard let file else { return try BookDoor(socket).card(entry: number) }
    let texts = try CardPlace(named: file).texts()
    guard texts.count == 1 else {
      throw Failure(file, found: "\(texts.count) cards", expected: "one", exit: .usage)
    }
    return texts[0]
  }
}
