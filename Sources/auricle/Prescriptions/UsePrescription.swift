import ArgumentParser
import Control
import Prescriptions

/// `auricle rx use`: another of the prescriptions that were loaded.
struct UsePrescription: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Hear by another of the loaded prescriptions.",
    discussion: "The sound changes within a second, ramped. `auricle rx list` shows what there is.")

  @Argument(
    help: ArgumentHelp(
      "Environment (quiet, conversation-in-noise, music, outdoors, or the clinic's own word) or number in the book.",
      valueName: "environment-or-number"),
    completion: .list(ListeningEnvironment.known.map(\.word)))
  var wanted: String

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  var changesSound: Bool { true }

  func call() -> BookCall { .use(wanted) }
}
