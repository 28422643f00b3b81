import Acoustics
import Base
import Control
import Engine

/// Methods of debug mode. It is its connection's alone.
package enum DebugMethods {
  /// Times that debug mode may last, s.
  package static var times: ClosedRange<Double> { DebugMode.times }

  package struct Begin: DaemonMethod {
    package static let description = MethodDescription(
      "debug.begin", for: [.audiologist, .developer],
      "Begins debug mode, in which settings are changed for a while; it ends at its time, by debug.end, with its connection, "
        + "by stop, mute or reload, at a fault and when the prescription changes.",
      [
        MethodParameter(
          "seconds", .number(DebugMode.times), isOptional: true, "longest time, s; 600 when left out")
      ], answer: DebugAnswer.words, conduct: .staying)

    package let seconds: Double?

    package init(seconds: Double? = nil) { self.seconds = seconds }

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<DebugAnswer> {
      try state.beginDebug(for: seconds ?? DebugMode.usualTime, by: peer)
    }
  }

  package struct Set: DaemonMethod {
    /// Name of the quantity that belongs to a frequency of an ear.
    package static let threshold = "threshold"

    package static let description = MethodDescription(
      "debug.set", for: [.audiologist, .developer],
      "Sets a number in place of the prescription's or the program's, as long as debug mode lasts.",
      [
        MethodParameter(
          "name", .text,
          English.list([threshold] + DebugSettings.Quantity.allCases.map(\.rawValue), "or")),
        MethodParameter(
          "value", .number(-1e6...1e6), isOptional: true,
          "dB for a threshold's change and an effect, s for a time; as before debug mode when left out"),
        MethodParameter("ear", .text, isOptional: true, "left or right, for a threshold"),
        MethodParameter("frequency_hz", .number(1...100_000), isOptional: true, "for a threshold"),
      ], answer: DebugAnswer.words)

    package let name: String
    package let value: Double?
    package var ear: Ear?
    package var frequencyHz: Double?

    package init(_ name: String, to value: Double?, ear: Ear? = nil, at frequency: Double? = nil) {
      (self.name, self.value, self.ear, frequencyHz) = (name, value, ear, frequency)
    }

    package func check() throws(ControlFailure) {
      let names = [Self.threshold] + DebugSettings.Quantity.allCases.map(\.rawValue)
      try DebugMethods.check(name, among: names)
      guard (name == Self.threshold) == (ear != nil && frequencyHz != nil) else {
        throw .parameter(
          "ear and frequency_hz", found: name == Self.threshold ? "one missing" : "one for \(name)",
          expected: "both for a threshold, and for nothing besides")
      }
    }

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<DebugAnswer> {
      .now(
        try state.changeDebug(by: peer) { (hearing, debug) throws(Failure) in
          if let ear, let frequencyHz {
            try hearing.changeThreshold(of: ear, at: frequencyHz, by: value, in: &debug)
          } else if let quantity = DebugSettings.Quantity(rawValue: name) {
            try hearing.set(quantity, to: value, in: &debug)
          }
          return nil
        })
    }
  }

  package struct Stage: DaemonMethod {
    package static let description = MethodDescription(
      "debug.stage", for: [.audiologist, .developer],
      "Leaves a stage out, or takes it in again, as long as debug mode lasts.",
      [
        MethodParameter("name", .text, English.list(DebugSettings.Stage.allCases.map(\.rawValue), "or")),
        MethodParameter("on", .boolean, "false leaves it out"),
      ], answer: DebugAnswer.words)

    package let name: String
    package let isOn: Bool

    package init(_ name: String, on isOn: Bool) { (self.name, self.isOn) = (name, isOn) }

    package func check() throws(ControlFailure) {
      try DebugMethods.check(name, among: DebugSettings.Stage.allCases.map(\.rawValue))
    }

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<DebugAnswer> {
      .now(
        try state.changeDebug(by: peer) { (hearing, debug) throws(Failure) in
          guard let stage = DebugSettings.Stage(rawValue: name) else { return nil }
          try hearing.turn(stage, on: isOn, in: &debug)
          return isOn ? nil : hearing.caution(without: stage)
        })
    }
  }

  package struct Show: DaemonMethod {
    package static let description = MethodDescription(
      "debug.show", for: [.wearer, .audiologist, .developer, .operator], "Tells what debug mode changes.",
      answer: DebugAnswer.words)

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<DebugAnswer> {
      guard let mode = state.debug else { return .now(state.debugAnswer("Debug mode is off.")) }
      let left = NumberText.duration(mode.due - state.now.running)
      return .now(state.debugAnswer("Debug mode is on for \(left) more. \(mode.changesSentence)"))
    }
  }

  package struct Compare: DaemonMethod {
    package static let description = MethodDescription(
      "debug.compare", for: [.audiologist, .developer],
      "Lets the prescribed or the changed setting be heard, the louder one turned down by the difference that was measured "
        + "in the sound sent to the earphones, 6 dB at most.",
      [
        MethodParameter(
          "setting", .text, isOptional: true,
          English.list(LevelMatch.Side.allCases.map(\.rawValue), "or") + "; the other one when left out")
      ], answer: DebugAnswer.words)

    package let setting: String?

    package init(_ setting: String? = nil) { self.setting = setting }

    package func check() throws(ControlFailure) {
      if let setting { try DebugMethods.check(setting, among: LevelMatch.Side.allCases.map(\.rawValue)) }
    }

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<DebugAnswer> {
      .now(try state.compareDebug(setting.flatMap(LevelMatch.Side.init), by: peer))
    }
  }

  package struct End: DaemonMethod {
    package static let description = MethodDescription(
      "debug.end", for: [.wearer, .audiologist, .developer, .operator],
      "Ends debug mode, whoever began it; sound is as prescribed then. Does nothing while it is off.",
      answer: DebugAnswer.words)

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<DebugAnswer> {
      state.endDebug(
        state.debug?.caller == peer ? "on command" : "process \(peer.processID) ended it", by: peer)
      return .now(state.debugAnswer("Debug mode is off: sound is as prescribed."))
    }
  }

  fileprivate static func check(_ name: String, among names: [String]) throws(ControlFailure) {
    guard !names.contains(name) else { return }
    let hint = Spelling.nearest(to: name, among: names).map { ". Did you mean \($0)?" } ?? ""
    throw .parameter(
      "name", found: "\"\(name.prefix(64))\"", expected: English.list(names, "or") + hint)
  }
}
