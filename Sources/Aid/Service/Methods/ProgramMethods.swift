import Base
import Control
import Engine
import HearingDSP

/// Methods of listening programs, volume and tone.
package enum ProgramMethods {
  package struct List: DaemonMethod {
    package static let description = MethodDescription(
      "program.list", for: .any, "Tells what each program changes, and which one is in force.",
      answer: "what auricle programs --json prints")

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<ProgramsReport> {
      .now(.table(heard: peer.roles.isEmpty ? nil : state.programReport))
    }
  }

  package struct Use: DaemonMethod {
    package static let description = MethodDescription(
      "program.use", for: [.wearer, .audiologist], "Selects a program.",
      [MethodParameter("program", .text, "its whole word, or automatic")], answer: ProgramAnswer.words)

    package let program: String

    package init(_ program: String) { self.program = program }

    package func check() throws(ControlFailure) {
      guard ProgramChoice(word: program) == nil else { return }
      throw .parameter(
        "program", found: "\"\(program.prefix(64))\"",
        expected: English.list(ProgramChoice.all.map(\.word), "or"))
    }

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<ProgramAnswer> {
      let choice = ProgramChoice(word: program) ?? .first
      var memory = state.programs.memory
      memory.choice = choice
      let former = state.programReport.volume.valueDB
      try state.hear(shortest: ProgramPace.bySwitch) { $0.programs.choose(memory) }
      let work = state.keepProgram()
      return .when({ !$0.disk.holds(work) }) {
        ProgramAnswer(Self.sentences(choice, $0, after: former), $0)
      }
    }

    /// - Parameter volume: Of the program before, dB: a jump is told.
    private static func sentences(
      _ choice: ProgramChoice, _ state: ServiceState, after volume: Double
    ) -> [String] {
      let report = state.programReport
      var sentences = [
        choice == .automatic ? automatic(report.name, state.heard.sceneGap) : "Program: \(report.name)."
      ]
      if report.volume.valueDB != 0 || report.tone.valueDB != 0 || report.volume.valueDB != volume {
        sentences.append(
          "As turned for it: volume \(ProgramText.words(report.volume.valueDB)), tone "
            + "\(ProgramText.words(report.tone.valueDB)).")
      }
      if state.known.hasOtherCard(for: choice.word) {
        sentences.append(
          "There is a prescription of its own for it; to hear by that one: auricle rx use \(choice.word)")
      }
      return sentences
    }

    /// - Parameters:
    ///   - name: Of the program that is heard.
    ///   - gap: Reason for which no surroundings are told, a clause; nil: they are.
    private static func automatic(_ name: String, _ gap: String?) -> String {
      gap.map { "Automatic, but the surroundings cannot be told, for \($0): it stays with \(name)." }
        ?? "Automatic: the program follows what is heard; now \(name)."
    }
  }

  package struct Volume: TurnMethod {
    package static let description = MethodDescription(
      "program.volume", for: [.wearer, .audiologist],
      "Turns the volume, within the limits of the prescription.",
      Turn.parameters, answer: ProgramAnswer.words)

    static var part: Part { ("Volume", \.volume, \.volume) }

    package let turn: Turn

    package init(_ turn: Turn) { self.turn = turn }
  }

  package struct Tone: TurnMethod {
    package static let description = MethodDescription(
      "program.tone", for: [.wearer, .audiologist],
      "Turns the tone, within the limits of the prescription.",
      Turn.parameters, answer: ProgramAnswer.words)

    static var part: Part { ("Tone", \.tone, \.tone) }

    package let turn: Turn

    package init(_ turn: Turn) { self.turn = turn }
  }
}

/// A change of volume or tone.
package struct Turn: Sendable, Codable, Hashable {
  /// Changes accepted, dB: more than from any limit to the other.
  package static let changes = -60.0...60.0

  fileprivate static let parameters = [
    MethodParameter("change_db", .number(changes), isOptional: true, "by so many dB; this or the next"),
    MethodParameter("reset", .boolean, isOptional: true, "true, back to what is prescribed"),
  ]

  /// dB; nil: back to what is prescribed.
  let changeDB: Double?
  let reset: Bool?

  /// A change by so many dB.
  package static func by(_ change: Double) -> Turn { Turn(changeDB: change, reset: nil) }
  /// Back to what is prescribed.
  package static let reset = Turn(changeDB: nil, reset: true)
}

/// A method whose parameters are a ``Turn``.
protocol TurnMethod: DaemonMethod where Reply == ProgramAnswer {
  /// A part of the adjustment: name, value, report.
  typealias Part = (
    name: String, value: WritableKeyPath<SoundAdjustment, Double>,
    report: KeyPath<ProgramReport, ProgramReport.Adjustment>
  )

  /// The part that is turned.
  static var part: Part { get }

  var turn: Turn { get }

  init(_ turn: Turn)
}

extension TurnMethod {
  package init(from decoder: any Decoder) throws { self.init(try Turn(from: decoder)) }

  package func encode(to encoder: any Encoder) throws { try turn.encode(to: encoder) }

  package func check() throws(ControlFailure) {
    guard turn.reset == false || (turn.changeDB == nil) != (turn.reset == true) else { return }
    throw .parameter(
      "params", found: "neither or both of change_db and reset", expected: "one: a number of dB, or true")
  }

  func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<ProgramAnswer> {
    let part = Self.part.value
    let limits = state.heard.adjustmentLimits
    var memory = state.programs.memory
    // From what is heard, not from what was wanted beyond the limit.
    var adjustment = memory.adjustment.held(within: limits)
    adjustment[keyPath: part] =
      turn.changeDB.map { ((adjustment[keyPath: part] + $0) * 10).rounded() / 10 } ?? 0
    let held = adjustment.held(within: limits)
    // The other of the two stays as it was wanted, for a prescription that allows it.
    memory.adjustment[keyPath: part] = held[keyPath: part]
    try state.hear(shortest: ProgramPace.byTurn) { $0.programs.choose(memory) }
    let isBeyond = held != adjustment
    let work = state.keepProgram()
    return .when({ !$0.disk.holds(work) }) { state in
      let range = state.programReport[keyPath: Self.part.report]
      var sentences = ["\(Self.part.name): \(ProgramText.words(range.valueDB))."]
      if isBeyond { sentences.append(Self.limitSentence(range)) }
      return ProgramAnswer(sentences, state)
    }
  }

  private static func limitSentence(_ range: ProgramReport.Adjustment) -> String {
    range.leastDB == range.mostDB
      ? "The prescription does not let it be turned; ask your audiologist."
      : "That is the limit: it may be turned from \(ProgramText.range(range))."
  }
}

extension ProgramAnswer {
  fileprivate init(_ sentences: [String], _ state: ServiceState) {
    let all = sentences + [state.unkeptSentence].compactMap(\.self)
    self.init(message: all.joined(separator: " "), program: state.programReport, state: state.state)
  }
}

/// Outcome of a choice, and the program that is heard then, as `auricle use --json` prints it.
package struct ProgramAnswer: Sendable, Codable, Hashable {
  package private(set) var schema = 100
  /// One or more whole sentences for the person who asked.
  package let message: String
  package let program: ProgramReport
  /// The state of the sound; nil: of an older daemon.
  package var state: StatusReport.State?

  fileprivate static let words = "'message', whole sentences; 'program' and 'state' then"

  package init(message: String, program: ProgramReport, state: StatusReport.State? = nil) {
    self.message = message
    self.program = program
    self.state = state
  }
}
