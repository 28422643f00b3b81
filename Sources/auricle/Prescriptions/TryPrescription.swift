import ArgumentParser
import Control
import Prescriptions

/// `auricle rx try`: a prescription for a while.
struct TryPrescription: BookVerb {
  static let configuration = CommandConfiguration(
    commandName: "try",
    abstract: "Hear by a prescription for a while; then the former one returns by itself.",
    discussion: "Keep it with `auricle rx accept`, end it early with `auricle rx revert`.")

  @Argument(
    help: ArgumentHelp(
      "Environment or number in the book. Default: the one that was loaded last.",
      valueName: "environment-or-number"),
    completion: .list(ListeningEnvironment.known.map(\.word)))
  var wanted: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("How long: 90s, 20m, 8h, 14d.", valueName: "time"))
  var time = TimeSpan(seconds: 1200)

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  var changesSound: Bool { true }

  func call() -> BookCall { .beginTrial(wanted, seconds: time.seconds) }
}
