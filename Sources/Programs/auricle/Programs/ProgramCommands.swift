import ArgumentParser
import Base
import Control
import Engine
import Service

/// `auricle use`: another listening program.
struct UseProgram: ProgramVerb {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Change to another program: quiet, conversation-in-noise, music, …",
    discussion: """
      The sound changes without a click. The choice is remembered, and with each program its own volume and \
      tone. `auricle programs` shows what each changes. Another prescription is chosen with `auricle rx use`.

      EXAMPLE: auricle use music
      EXAMPLE: auricle use automatic
      """)

  @Argument(
    help: .init(
      "quiet, conversation-in-noise, music, outdoors, television, loud, automatic, or the beginning of one.",
      valueName: "program"), completion: .list(ProgramChoice.all.map(\.word)))
  var program: String

  @OptionGroup var options: ClientOptions

  func call() throws(Failure) -> ProgramMethods.Use? {
    ProgramMethods.Use(try ProgramName.choice(program, in: "program").word)
  }

  func told(_ report: ProgramReport) -> String { report.name }
}

/// A program as a person writes it.
enum ProgramName {
  /// The choice that is meant.
  ///
  /// - Parameter subject: Option or argument, for messages.
  /// - Throws: ``Failure`` with ``ExitStatus/usage`` and the list of what there is.
  static func choice(_ text: String, in subject: String) throws(Failure) -> ProgramChoice {
    let meant = ProgramChoice.meant(by: text)
    if meant.count == 1 { return meant[0] }
    let words = English.list((meant.isEmpty ? ProgramChoice.all : meant).map(\.word), "or")
    throw Failure(
      subject,
      found: meant.isEmpty
        ? "no program called \(text.isEmpty ? "''" : text)" : "\(text), which begins several programs",
      expected: words, remedy: "What each changes: auricle programs", exit: .usage)
  }
}

/// A command that changes program, volume or tone.
protocol ProgramVerb: Verb {
  associatedtype Method: ControlMethod where Method.Reply == ProgramAnswer

  var options: ClientOptions { get }

  /// Request to the daemon; nil when there is none and ``told(_:)`` is the answer.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/usage`` for what is not understood.
  func call() throws(Failure) -> Method?

  /// Answer when no change is requested.
  func told(_ report: ProgramReport) -> String
}

extension ProgramVerb {
  func answer() throws -> ExitStatus {
    // A name that is not understood is refused with and without a daemon.
    let call = try call()
    let client = try options.socket.client()
    var answer = if let call { try client.ask(call) } else { try present(client) }
    var lines = [answer.message] + answer.program.notes
    if let silence = answer.state.flatMap({ ProgramText.silence($0, isChanged: call != nil) }) {
      lines.append(silence)
    }
    answer.state = nil
    return try show(answer, lines.joined(separator: "\n"))
  }

  private func present(_ client: ControlClient) throws(Failure) -> ProgramAnswer {
    let status = try client.ask(ReportMethods.Status())
    guard let program = status.program else {
      throw Failure(
        "daemon", inWords: "This daemon has no programs: its version is another than this command's",
        remedy: "Start it again.", exit: .protocolMismatch)
    }
    return ProgramAnswer(message: told(program), program: program, state: status.state)
  }
}

/// Volume or tone: a change as a person types it, and the setting as a person reads it.
struct TurnText: Sendable {
  static let volume = TurnText(name: "volume", up: "up", down: "down", more: "Louder") { $0.volume }
  static let tone = TurnText(name: "tone", up: "bright", down: "soft", more: "Brighter") { $0.tone }

  private let name: String
  /// Word for one step up.
  private let up: String
  /// Word for one step down.
  private let down: String
  /// Effect of a change upwards, as a sentence begins.
  private let more: String
  /// The setting in a report.
  private let setting: @Sendable (ProgramReport) -> ProgramReport.Adjustment

  /// Request made by the words of a command line.
  ///
  /// - Parameter words: One, or none; a number that begins with a minus comes like an option.
  /// - Returns: Nil when nothing is written, so nothing is turned.
  /// - Throws: ``Failure`` with ``ExitStatus/usage``.
  func turn(_ words: [String]) throws(Failure) -> Turn? {
    guard let word = words.first else { return nil }
    if words.count == 1, let turn = turn(word) { return turn }
    throw Failure(
      name, found: words.joined(separator: " "),
      expected: "\(up), \(down), reset, or a change in dB with its sign, -60 to +60",
      // Only a command that is accepted is advised.
      remedy: words.count == 1 && turn("+" + word) != nil
        ? "\(more) by that: auricle \(name) +\(word)" : "For instance: auricle \(name) +2", exit: .usage)
  }

  /// Present setting, and the range that is allowed.
  func told(_ report: ProgramReport) -> String {
    let adjustment = setting(report)
    let limits =
      adjustment.leastDB == adjustment.mostDB
      ? "the prescription does not let it be turned."
      : "it may be turned from \(ProgramText.range(adjustment))."
    let value =
      "\(name.prefix(1).uppercased())\(name.dropFirst()): \(ProgramText.words(adjustment.valueDB))"
    return "\(value), in the program \(report.chosen); \(limits)"
  }

  /// Every word that is accepted besides numbers, for shells to complete.
  var words: [String] { [up, down, "reset"] }

  /// - Returns: Nil when the word is not understood.
  private func turn(_ word: String) -> Turn? {
    switch word {
    case up: return .by(SoundAdjustment.step)
    case down: return .by(-SoundAdjustment.step)
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
}

/// `auricle tone`: brighter and softer.
struct Tone: ProgramVerb {
  static let configuration = CommandConfiguration(
    commandName: "tone",
    abstract: "Make the sound brighter or softer, within the prescription's limits, or show it.",
    discussion: """
      In dB of treble (4 kHz and above) against bass (250 Hz and below), tilted about 1 kHz; bright and soft are \
      2 dB. Remembered for each program. A request beyond the limit is set to the limit.

      EXAMPLE: auricle tone bright
      EXAMPLE: auricle tone -1
      """)

  @Argument(
    parsing: .allUnrecognized,
    help: .init("bright, soft, a change in dB such as +1 or -2, or reset.", valueName: "change"),
    completion: .list(TurnText.tone.words))
  var change: [String] = []

  @OptionGroup var options: ClientOptions

  func call() throws(Failure) -> ProgramMethods.Tone? {
    try TurnText.tone.turn(change).map(ProgramMethods.Tone.init)
  }

  func told(_ report: ProgramReport) -> String { TurnText.tone.told(report) }
}

/// `auricle volume`: louder and softer.
struct Volume: ProgramVerb {
  static let configuration = CommandConfiguration(
    commandName: "volume",
    abstract: "Turn the volume up or down, within the prescription's limits, or show it.",
    discussion: """
      up and down are 2 dB. Remembered for each program. A request beyond the limit is set to the limit. \
      Output limits stay where they are at any volume.

      EXAMPLE: auricle volume down
      EXAMPLE: auricle volume -3
      """)

  @Argument(
    parsing: .allUnrecognized,
    help: .init("up, down, a change in dB such as +2 or -3, or reset.", valueName: "change"),
    completion: .list(TurnText.volume.words))
  var change: [String] = []

  @OptionGroup var options: ClientOptions

  func call() throws(Failure) -> ProgramMethods.Volume? {
    try TurnText.volume.turn(change).map(ProgramMethods.Volume.init)
  }

  func told(_ report: ProgramReport) -> String { TurnText.volume.told(report) }
}
