import Base
import Control

/// Methods that start, silence and end the sound.
package enum SoundMethods {
  static let all: [any DaemonMethod.Type] = [
    Start.self, Stop.self, Mute.self, Unmute.self, Reload.self, Shutdown.self,
  ]

  package struct Start: DaemonMethod {
    package static let description = MethodDescription(
      "start", for: .wearer, "Starts the sound, ramped, or waits for the device.",
      answer: "'state' that it led to; 'cautions' about prescription, configuration and calibration")

    package init() {}

    func answer(by daemon: Daemon, to peer: Peer) -> StateAnswer { daemon.cautioned(daemon.start()) }
  }

  package struct Stop: DaemonMethod {
    package static let description = MethodDescription(
      "stop", for: .wearer,
      "Ends the sound, faded; the daemon stays, unless auricle start began it.", answer: "'state'")

    package init() {}

    func answer(by daemon: Daemon, to peer: Peer) -> StateAnswer { StateAnswer(state: daemon.stop()) }
  }

  package struct Mute: DaemonMethod {
    package static let description = MethodDescription(
      "mute", for: .wearer, "Fades to silence; the devices stay open.", answer: "'state'")

    package init() {}

    func answer(by daemon: Daemon, to peer: Peer) -> StateAnswer { StateAnswer(state: daemon.mute()) }
  }

  package struct Unmute: DaemonMethod {
    package static let description = MethodDescription(
      "unmute", for: .wearer, "Takes a mute back.", answer: "'state' and 'cautions', as of start")

    package init() {}

    func answer(by daemon: Daemon, to peer: Peer) -> StateAnswer { daemon.cautioned(daemon.unmute()) }
  }

  package struct Reload: DaemonMethod {
    package static let description = MethodDescription(
      "reload", for: .wearer,
      "Reads the configuration again; one with a mistake leaves the former one in force.",
      answer: "keys 'applied', 'reopened' and 'restart_needed', 'notes', and the 'fitting' in force")

    package init() {}

    func answer(by daemon: Daemon, to peer: Peer) throws(Failure) -> ReloadReport {
      try daemon.reloadByRequest()
    }
  }

  package struct Shutdown: DaemonMethod {
    package static let description = MethodDescription(
      "shutdown", for: .wearer, "Ends the sound and the daemon.", answer: "'state'")

    package init() {}

    func answer(by daemon: Daemon, to peer: Peer) -> StateAnswer { StateAnswer(state: daemon.shutDown()) }
  }
}

/// The state that a call led to: `{"state": {…}}`.
package struct StateAnswer: Sendable, Codable, Hashable {
  package let state: StatusReport.State
  /// Cautions to be read when sound begins, whole sentences; nil: not told with this answer.
  package var cautions: [String]?

  package init(state: StatusReport.State, cautions: [String]? = nil) {
    self.state = state
    self.cautions = cautions
  }
}

extension Daemon {
  /// A state with the cautions that go with sound.
  fileprivate func cautioned(_ state: StatusReport.State) -> StateAnswer {
    StateAnswer(state: state, cautions: report().cautions)
  }
}
