import ArgumentParser
import Control
import Daemon
import Glibc

/// `auricle trust`: clinics whose cards are believed.
struct Trust: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Clinics whose cards are believed.",
    subcommands: [TrustAdd.self, TrustList.self, TrustRevoke.self])
}

/// `auricle trust list`.
struct TrustList: Verb {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List trusted clinics.")

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  var isForPrograms: Bool { form.json }

  func answer() throws(ConfigurationFailures) -> ExitStatus {
    let report = try one { () throws(Failure) in try BookDoor(socket).clinics() }
    print(
      form.json ? try json(report) : ClinicsText(report, style: form.style).text,
      terminator: form.json ? "\n" : "")
    return .done
  }
}

/// `auricle trust revoke`.
struct TrustRevoke: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Believe a clinic's cards no more.",
    discussion: "What was loaded from it stays in force until another is scanned.")

  @Argument(
    help: ArgumentHelp(
      "The key's fingerprint, or enough of its beginning to tell it from others.", valueName: "fingerprint")
  )
  var fingerprint: String

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  func call() -> BookCall { .revoke(fingerprint: fingerprint) }
}
