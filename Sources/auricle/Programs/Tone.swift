import ArgumentParser
import Control

/// `auricle tone`: brighter and softer.
struct Tone: ProgramVerb {
  static let configuration = CommandConfiguration(
    abstract: "Make the sound brighter or softer, within the prescription's limits, or show it.",
    discussion: """
      In dB of treble (4 kHz and above) against bass (250 Hz and below), tilted about 1 kHz; bright and soft are \
      2 dB. Remembered for each program. What would go beyond the limit is set to the limit.

      EXAMPLE: auricle tone bright
      EXAMPLE: auricle tone -1
      """)

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("bright, soft, a change in dB such as +1 or -2, or reset.", valueName: "change"),
    completion: .list(TurnText.tone.words))
  var change: [String] = []

  @OptionGroup var socket: SocketOption
  @OptionGroup var form: AnswerOptions

  func call() throws(Failure) -> ProgramCall? { try TurnText.tone.call(change) }

  func told(_ report: ProgramReport) -> String { TurnText.tone.told(report) }
}
