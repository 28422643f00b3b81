import ArgumentParser
import Clinic
import Control
import Daemon
import Prescriptions

/// `auricle clinic card`: what patients enrol.
struct ClinicCard: Verb {
  static let configuration = CommandConfiguration(
    commandName: "card", abstract: "Write the clinic's public card: what patients' devices enrol.",
    discussion: "A .pdf is a page to hand out; .png and .svg are the code alone; .txt is its text.")

  @Argument(
    help: ArgumentHelp(
      "The card: .pdf, .png, .svg or .txt; - for text on standard output.", valueName: "file"),
    completion: .file())
  var output: String

  @OptionGroup var clinic: ClinicOption

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    try one { () throws(Failure) in
      let text = try clinic.folder.card()
      let identity = try ClinicReading.clinic(on: text, from: clinic.folder.path)
      if output.lowercased().hasSuffix(".pdf") {
        try ClinicPage(identity).write(to: output)
      } else {
        try SignedCardOutput(path: output).write(text, title: identity.name)
      }
      if output != "-" { print("Wrote \(output). Fingerprint  \(identity.fingerprint.grouped)") }
      return .done
    }
  }
}
