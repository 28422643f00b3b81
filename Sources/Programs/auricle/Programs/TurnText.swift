import ArgumentParser
import Base
import Control
import Engine
import Service

/// Volume or tone: a change as a person types it, and the setting as a person reads it.
enum TurnText: String {
  case volume
  case tone

  /// Request made by the words of a command line.
  ///
  /// - Parameter words: One, or none; a number that begins with a minus comes like an option.
  /// - Returns: Nil when nothing is written, so nothing is turned.
  /// - Throws: ``Failure`` with ``ExitStatus/usage``.
  func turn(_ words: [String]) throws(Failure) -> Turn? {
    guard let word = words.first else { return nil }
    guard words.count == 1, let turn = turn(word) else { throw refusal(words.joined(separator: " ")) }
    return turn
  }

  /// Present setting, and the range that is allowed.
  func told(_ report: ProgramReport) -> String {
    let (name, adjustment) =
      switch self {
      case .volume: ("Volume", report.volume)
      case .tone: ("Tone", report.tone)
      }
    let limits =
      adjustment.leastDB == adjustment.mostDB
      ? "the prescription does not let it be turned."
      : "it may be turned from \(ProgramText.range(adjustment))."
    return "\(name): \(ProgramText.words(adjustment.valueDB)), in the program \(report.chosen); \(limits)"
  }

  /// Every word that is accepted besides numbers, for shells to complete.
  var words: [String] { [steps.up, steps.down, "reset"] }

  /// Words for one step up and down.
  private var steps: (up: String, down: String) {
    switch self {
    case .volume: ("up", "down")
    case .tone: ("bright", "soft")
    }
  }

  /// - Returns: Nil when the word is not understood.
  private func turn(_ word: String) -> Turn? {
    switch word {
    case steps.up: return .by(SoundAdjustment.step)
    case steps.down: return .by(-SoundAdjustment.step)
    case "reset": return .reset
    default:
      // A number without a sign could mean a setting instead of a change.
      guard word.hasPrefix("+") || word.hasPrefix("-") || word.hasPrefix("−"),
        // Digits and one point: anything else that Swift reads, such as hexadecimal, is a slip of the
        // finger here.
        word.dropFirst().allSatisfy({ "0123456789.".contains($0) }),
        let change = Double((word.hasPrefix("−") ? "-" : word.prefix(1)) + word.dropFirst()),
        Turn.changes.contains(change)
      else { return nil }
      return .by(change)
    }
  }

  private func refusal(_ found: String) -> Failure {
    Failure(
      rawValue, found: found,
      expected: "\(steps.up), \(steps.down), reset, or a change in dB with its sign, -60 to +60",
      remedy: "For instance: auricle \(rawValue) +2", exit: .usage)
  }
}

/// `auricle tone`: brighter and softer.
struct Tone: ProgramVerb {
  static let configuration = CommandConfiguration(
    abstract: "Make the sound brighter or softer, within the prescription's limits, or show it.",
    discussion: """
      In dB of treble (4 kHz and above) against bass (250 Hz and below), tilted about 1 kHz; bright and soft are \
      2 dB. Remembered for each program. A request beyond the limit is set to the limit.

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

  func call() throws(Failure) -> ProgramMethods.Tone? {
    try TurnText.tone.turn(change).map(ProgramMethods.Tone.init)
  }

  func told(_ report: ProgramReport) -> String { TurnText.tone.told(report) }
}

/// `auricle volume`: louder and softer.
struct Volume: ProgramVerb {
  static let configuration = CommandConfiguration(
    abstract: "Turn the volume up or down, within the prescription's limits, or show it.",
    discussion: """
      up and down are 2 dB. Remembered for each program. A request beyond the limit is set to the limit. \
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

  func call() throws(Failure) -> ProgramMethods.Volume? {
    try TurnText.volume.turn(change).map(ProgramMethods.Volume.init)
  }

  func told(_ report: ProgramReport) -> String { TurnText.volume.told(report) }
}
