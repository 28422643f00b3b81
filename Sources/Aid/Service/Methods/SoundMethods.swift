import Base
import Control

/// Methods that start, silence and end the sound.
package enum SoundMethods {
  package struct Start: DaemonMethod {
    package static let description = MethodDescription(
      "start", for: [.wearer, .audiologist, .operator],
      "Starts the sound, ramped, or waits for the device; refused while the daemon is ending.",
      answer: "'state' that it led to; 'cautions' about prescription, configuration and calibration")

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) throws(Failure) -> Outcome<StateAnswer> {
      // On the way to the end nothing begins. A start that a stop follows is answered by the state that this led to: whoever asked is not
      // to begin another daemon after it.
      guard state.ending == nil else {
        throw Failure(
          "auricled", inWords: "The daemon is ending", remedy: "When it has ended: auricle start",
          exit: .unavailable)
      }
      state.start()
      return .when(\.isBegun) { StateAnswer(cautioned: $0.report) }
    }
  }

  package struct Stop: DaemonMethod {
    package static let description = MethodDescription(
      "stop", for: [.wearer, .audiologist, .operator],
      "Ends the sound, faded; the daemon stays, unless auricle start began it, and starts stopped after a crash.",
      answer: "'state'", conduct: .silencing)

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<StateAnswer> {
      state.stop()
      return .when(\.isSettled) { StateAnswer(state: $0.state) }
    }
  }

  package struct Mute: DaemonMethod {
    package static let description = MethodDescription(
      "mute", for: [.wearer, .audiologist, .operator], "Fades to silence; the devices stay open.",
      answer: "'state'", conduct: .silencing)

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<StateAnswer> {
      state.setMuted(true)
      return .now(StateAnswer(state: state.state))
    }
  }

  package struct Unmute: DaemonMethod {
    package static let description = MethodDescription(
      "unmute", for: [.wearer, .audiologist, .operator], "Takes a mute back.",
      answer: "'state' and 'cautions', as of start")

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<StateAnswer> {
      state.setMuted(false)
      return .now(StateAnswer(cautioned: state.report))
    }
  }

  package struct Reload: DaemonMethod {
    package static let description = MethodDescription(
      "reload", for: [.operator],
      "Reads the configuration again; one with a mistake leaves the former one in force.",
      answer:
        "keys 'applied', 'reopened', 'refused' and 'restart_needed', 'notes', and the 'fitting' in force")

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<ReloadReport> {
      state.work(.configuration, ServiceState.readConfiguration) { state, read throws(Failure) in
        do throws(ConfigurationFailures) {
          var report = try state.adopt(try read.get())
          guard !report.reopened.isEmpty else {
            report.fitting = state.report.fitting
            return .now(report)
          }
          return .when(\.hasFoundDevices, within: FormerDevices.longestAnswer) {
            [report] state in
            var report = report
            if let reason = state.refusedDevices { report.refuseDevices(reason) }
            report.fitting = state.report.fitting
            return report
          }
        } catch { throw error.joined }
      }
    }
  }

  package struct Shutdown: DaemonMethod {
    package static let description = MethodDescription(
      "shutdown", for: [.operator], "Ends the sound and the daemon.", answer: "'state'")

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<StateAnswer> {
      state.silence()
      state.beginEnd(.done)
      return .when(\.isSettled) { StateAnswer(state: $0.state) }
    }
  }
}

/// The state that a call led to: `{"state": {…}}`.
package struct StateAnswer: Sendable, Codable, Hashable {
  package let state: StatusReport.State
  /// Cautions to be read when sound begins, whole sentences; nil: not told with this answer.
  package var cautions: [String]?
}

extension StateAnswer {
  /// The state with the cautions that go with sound.
  package init(cautioned report: StatusReport) {
    self.init(state: report.state, cautions: report.cautions)
  }
}
