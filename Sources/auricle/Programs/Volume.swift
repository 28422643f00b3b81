import ArgumentParser
import Control

/// `auricle volume`: louder and softer.
struct Volume: ProgramVerb {
  static let configuration = CommandConfiguration(
    abstract: "Turn the volume up or down, within the prescription's limits, or show it.",
    discussion: """
      up and down are 2 dB. Remembered for each program. What would go beyond the limit is set to the limit. \
      Output limits stay where they are at any volume.

      EXAMPLE: auricle volume down
      EXAMPLE: auricle volume -3
      """)

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("up, down, a change in dB such as +2 or -3, or reset.", valueName: "change"),
    completion: .list(TurnText.volume.words))
  var change: [String] = []

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  func call() throws(Failure) -> ProgramCall? { try TurnText.volume.call(change) }

  func told(_ report: ProgramReport) -> String { TurnText.volume.told(report) }
}
