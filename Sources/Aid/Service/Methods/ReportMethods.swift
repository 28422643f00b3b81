import AudioIO
import Control

/// Methods that only report.
package enum ReportMethods {
  package struct Status: DaemonMethod {
    package static let description = MethodDescription(
      "status", for: .any,
      "Reports state, devices, prescription, levels, delay and load; without prescription, gains and what follows from them to"
        + " those who have no role, and with the delay in whole milliseconds. The level in the ear is at most what it tells,"
        + " for the sound is counted with the sensitivity where the earphone is most sensitive.",
      answer: "what auricle status --json prints")

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<StatusReport> {
      .now(peer.roles.isEmpty ? state.report.withoutHearing : state.report)
    }
  }

  package struct Devices: DaemonMethod {
    package static let description = MethodDescription(
      "devices", for: .any, "Lists the sound devices.", answer: "what auricle devices --json prints")

    package init() {}

    /// The list may take as long as a client waits: devices are asked.
    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<DevicesReport> {
      state.work(
        .devices, within: 4.5,
        { state in
          { [record = state.feedback.record, hearing = state.configured] _ in
            DevicesReport(DeviceList.all(), measured: record, calibrated: hearing)
          }
        }
      ) { .now($1) }
    }
  }

  package struct Version: DaemonMethod {
    package static let description = MethodDescription(
      "version", for: .any, "Tells which program answers.", answer: "what auricle version --json prints")

    package init() {}

    func carryOut(in state: inout ServiceState, from peer: Peer) -> Outcome<VersionReport> {
      .now(Service.Version.report)
    }
  }
}
