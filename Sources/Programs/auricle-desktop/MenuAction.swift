import ArgumentParser
import Base
import Bus
import Control
import Service

/// A command of `auricle` that the desktop's menu has.
enum MenuAction: String, Sendable, CaseIterable, ExpressibleByArgument {
  case start, stop, mute, unmute

  /// Notice of a command that did not come to what the menu says, or to sound that is not amplified; nil: all is as it should be.
  ///
  /// - Parameter status: Exit status of the command.
  func notice(_ answer: MenuAnswer, status: ExitStatus) -> Notice? {
    let words = Silence.shown(answer.sentences.joined(separator: "\n"))
    if status == .done, isCarriedOut(answer) {
      return self == .start && answer.isUnfitted
        ? Notice("Hearing aid: nothing is amplified", words, .normal, isLasting: true) : nil
    }
    if isSilent(answer), answer.state?.name == .running {
      return Notice(Silence.nearlySilent, words, .normal, isLasting: true)
    }
    return Notice(
      summary, words.isEmpty ? "auricle \(rawValue) ended with exit status \(status.rawValue)." : words,
      .critical, isLasting: true)
  }

  /// True where sound was asked for and there is none, or next to none.
  func isSilent(_ answer: MenuAnswer) -> Bool {
    switch self {
    case .start, .unmute: !isCarriedOut(answer)
    case .stop, .mute: false
    }
  }

  private func isCarriedOut(_ answer: MenuAnswer) -> Bool {
    switch (self, answer.state) {
    case (.start, let state?), (.unmute, let state?):
      // Running with a reason it drops out again and again.
      StateText.exitStatus(state) == .done && state.reason == nil
    case (.mute, let state?): state.isMuted
    case (.stop, let state?): state.name == .stopped
    // No daemon runs. Another one may play all the same, which is said.
    case (.stop, nil): answer.notes.isEmpty
    case (_, nil): false
    }
  }

  private var summary: String {
    switch self {
    case .start, .unmute: "Hearing aid: no sound"
    case .stop: "Hearing aid not stopped"
    case .mute: "Hearing aid not muted"
    }
  }
}

/// Answer of a command of `auricle`, as `--json` prints it on either stream.
struct MenuAnswer: Equatable {
  /// Whole sentences.
  private(set) var messages: [String] = []
  private(set) var notes: [String] = []
  /// State of the aid; nil where no daemon runs, or nothing was answered.
  private(set) var state: StatusReport.State?

  var sentences: [String] { messages + notes }
  /// True where the answer says that sound is as loud as without the aid.
  var isUnfitted: Bool { notes.contains(StatusReport.notFitted) }

  private struct Line: Decodable {
    struct Fault: Decodable { let message: String }

    let message: String?
    let notes: [String]?
    let state: StatusReport.State?
    let errors: [Fault]?
  }

  /// - Parameter output: Lines; one that is no JSON stands for itself.
  init(_ output: [UInt8]) {
    for line in output.split(separator: UInt8(ascii: "\n")) {
      guard let read = try? JSON.value(Line.self, from: Array(line)) else {
        messages.append(String(decoding: line, as: UTF8.self))
        continue
      }
      messages += [read.message].compactMap(\.self) + (read.errors ?? []).map(\.message)
      notes += read.notes ?? []
      state = read.state ?? state
    }
  }
}
