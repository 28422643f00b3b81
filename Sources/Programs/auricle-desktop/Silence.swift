import Base
import Bus
import Control
import Service

/// A silence of the aid: its cause, and what the person is told.
struct Silence: Sendable, Equatable {
  /// In the order of their weight.
  enum Cause: Int, Sendable, Comparable {
    /// Asked for, by whomever.
    case muted, stopped
    /// Drop-outs keep the sound nearly silent.
    case dropouts
    case waiting
    /// Lasts until somebody does something.
    case faulted, gone

    static func < (a: Cause, b: Cause) -> Bool { a.rawValue < b.rawValue }

    /// True for one that nobody has asked for.
    var isTrouble: Bool { self >= .dropouts }

    var urgency: Notice.Urgency {
      switch self {
      case .muted, .stopped: .low
      case .dropouts, .waiting: .normal
      case .faulted, .gone: .critical
      }
    }
  }

  /// Most characters of a reason: servers cut longer texts. Own choice.
  private static let longestText = 400

  let cause: Cause
  /// Sentences.
  let words: String

  /// The daemon does not answer any more, and did not say that it ends.
  ///
  /// - Parameter socket: Of the connection that was lost.
  static func gone(from socket: String) -> Silence {
    let start = StartAdvice.current(asking: socket).command
    return Silence(
      cause: .gone,
      words:
        "No sound: the hearing aid's daemon has ended without a word. If sound does not come back by itself: "
        + "\(start)\nThe reason is in its log: auricle status")
  }

  init(cause: Cause, words: String) { (self.cause, self.words) = (cause, words) }

  /// - Parameter state: Not starting, and running with a reason alone.
  init(_ state: StatusReport.State) {
    cause =
      switch state.name {
      case .faulted: .faulted
      case .stopped: .stopped
      case .waitingForDevice where !state.isMuted: .waiting
      case .running: .dropouts
      case .starting, .muted, .waitingForDevice: .muted
      }
    let remedy = cause == .stopped && !state.isMuted ? "\nSound again with: auricle start" : ""
    words = Self.shown(StateText.sentence(state) + remedy)
  }

  /// The notice, with the button that ends the silence where one press can.
  ///
  /// - Parameter isConnected: True while there is a daemon that would do it.
  func notice(isConnected: Bool) -> Notice {
    let summary =
      switch cause {
      case .muted: "Hearing aid muted"
      case .stopped: "Hearing aid off"
      case .dropouts: Silence.nearlySilent
      case .waiting: "Hearing aid silent: it waits for a device"
      case .faulted: "Hearing aid silent: a fault"
      case .gone: "Hearing aid silent: it has ended unexpectedly"
      }
    return Notice(
      summary, words, cause.urgency, action: isConnected ? action?.button : nil, isLasting: cause.isTrouble)
  }

  private var action: AidAction? {
    switch cause {
    case .muted: .unmute
    case .stopped, .faulted: .start
    case .dropouts, .waiting, .gone: nil
    }
  }

  /// Summary where drop-outs keep the sound down.
  static let nearlySilent = "Hearing aid nearly silent: drop-outs"

  /// Text of another process for a screen: bounded, without characters of control but line breaks.
  static func shown(_ text: String) -> String {
    text.prefix(longestText).split(separator: "\n").map { LogLine.printable($0) }.joined(separator: "\n")
  }
}

/// A call to the daemon that a button stands for.
enum AidAction: String, Sendable, CaseIterable {
  case start, unmute

  var button: Notice.Action { Notice.Action(rawValue, label) }

  private var label: String {
    switch self {
    case .start: "Start"
    case .unmute: "Unmute"
    }
  }
}
