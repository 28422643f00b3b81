import Base
import Control
import Engine

/// Methods of calls and music from another program.
package enum StreamMethods {
  package struct Set: DaemonMethod {
    package static let description = MethodDescription(
      "stream.set", for: [.wearer, .audiologist],
      "Turns calls and music on or off, their level and balance, within the limits of the prescription.",
      [
        MethodParameter("on", .boolean, isOptional: true, "true turns them on; one parameter at least"),
        MethodParameter(
          "change_db", .number(Turn.changes), isOptional: true, "level by so many dB; this or the next"),
        MethodParameter("level_db", .number(StreamingSettings.levels), isOptional: true, "level, dB"),
        MethodParameter(
          "balance_db", .number(StreamingSettings.balances), isOptional: true,
          "above 0 the left ear is so many dB softer, below 0 the right one"),
      ], answer: "'message', whole sentences; 'stream' and 'state' then")

    let on: Bool?
    let changeDB: Double?
    let levelDB: Double?
    let balanceDB: Double?

    package init(on: Bool? = nil, changeDB: Double? = nil, levelDB: Double? = nil, balanceDB: Double? = nil)
    {
      (self.on, self.changeDB, self.levelDB, self.balanceDB) = (on, changeDB, levelDB, balanceDB)
    }

    package func check() throws(ControlFailure) {
      let isAnything = on != nil || changeDB != nil || levelDB != nil || balanceDB != nil
      guard !isAnything || (changeDB != nil && levelDB != nil) else { return }
      throw .parameter(
        "params", found: isAnything ? "both change_db and level_db" : "no parameter that is known",
        expected: "at least one, and one of change_db and level_db at most")
    }

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<StreamAnswer> {
      guard state.streamReport != nil else {
        throw Failure(
          "device.stream", found: "no device that calls and music come from",
          expected: "the ALSA name of one in the configuration",
          remedy:
            "How to make one with PipeWire or snd-aloop: auricle(1), under stream. Then: auricle reload",
          exit: .configuration)
      }
      let limits = state.heard.adjustmentLimits
      var memory = state.programs.memory
      var wanted = StreamingSettings(level: memory.stream.level, balance: memory.stream.balance)
        .held(within: limits)
      if let levelDB { wanted.level = levelDB }
      if let changeDB { wanted.level = ((wanted.level + changeDB) * 10).rounded() / 10 }
      if let balanceDB { wanted.balance = balanceDB }
      let held = wanted.held(within: limits)
      (memory.stream.level, memory.stream.balance) = (held.level, held.balance)
      if let on { memory.stream.isOn = on }
      let (isDecided, isBeyond) = (on != nil, held.level != wanted.level)
      try state.hear(shortest: ProgramPace.byTurn) { state in
        state.programs.choose(memory)
        if isDecided { state.programs.decideStream() }
      }
      let work = state.keepProgram()
      guard let present = state.streamReport else {
        throw Failure("device.stream", found: "none", exit: .software)
      }
      return .when({ !$0.disk.holds(work) }) { state in
        // A configuration without the device may have come meanwhile.
        let report = state.streamReport ?? present
        let all = sentences(report, isBeyond: isBeyond) + [state.unkeptSentence].compactMap(\.self)
        return StreamAnswer(
          message: all.joined(separator: " "), stream: report, state: state.state)
      }
    }

    private func sentences(_ report: StatusReport.Stream, isBeyond: Bool) -> [String] {
      var sentences: [String] = []
      if on != nil { sentences.append("Stream: \(report.state == .off ? "off" : "on").") }
      if changeDB != nil || levelDB != nil {
        sentences.append("Level: \(NumberText.signed(report.level.valueDB)) dB\(StreamText.held(report)).")
      }
      if isBeyond {
        sentences.append("That is the limit: it may be turned from \(ProgramText.range(report.level)).")
      }
      if balanceDB != nil { sentences.append("Balance: \(StreamText.balance(report.balanceDB)).") }
      return sentences
    }
  }
}
