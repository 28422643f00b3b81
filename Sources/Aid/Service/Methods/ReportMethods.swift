import AudioIO
import Base
import Control

/// Methods that only report.
package enum ReportMethods {
  static let all: [any DaemonMethod.Type] = [Status.self, Devices.self, Version.self]

  package struct Status: DaemonMethod {
    package static let description = MethodDescription(
      "status", for: .any, "Reports state, devices, prescription, levels, delay and load.",
      answer: "what auricle status --json prints")

    package init() {}

    func answer(by daemon: Daemon, to peer: Peer) -> StatusReport { daemon.report() }
  }

  package struct Devices: DaemonMethod {
    package static let description = MethodDescription(
      "devices", for: .any, "Lists the sound devices.", answer: "what auricle devices --json prints")

    package init() {}

    func answer(by daemon: Daemon, to peer: Peer) -> DevicesReport { DevicesReport(DeviceList.all()) }
  }

  package struct Version: DaemonMethod {
    package static let description = MethodDescription(
      "version", for: .any, "Tells which program answers.", answer: "what auricle version --json prints")

    package init() {}

    func answer(by daemon: Daemon, to peer: Peer) -> VersionReport { Service.Version.report }
  }
}
