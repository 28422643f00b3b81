import Base
import Control
import Engine
import Realtime
import Testing

@testable import AudioIO
@testable import Service

extension Machine {
  /// A machine with nothing wrong but what nobody has set.
  static func usual() -> Machine {
    var card = DeviceDescription(name: "hw:CARD=Aid,DEV=0", title: "Aid, USB Audio")
    card.card = "Aid"
    card.directions = [.capture, .playback]
    let absence = Failure("socket", found: "no daemon there", exit: .unavailable)
    return Machine(
      configuration: .success(.defaults), devices: [card], scheduling: .realtime(priority: 70),
      memory: .onFault, daemon: .failure(absence), governor: "performance",
      kernel: "Linux version 6.1 #1 SMP PREEMPT_DYNAMIC Debian", isRealtimeKernel: false)
  }
}

extension DeviceOffer {
  static func usual(rates: [Int] = [44_100, 48_000]) -> DeviceOffer {
    DeviceOffer(
      rates: rates, formats: [.signed16, .signed32], channels: 2...2, period: 16...1024, buffer: 32...4096)
  }
}

extension StatusReport {
  /// ``sample`` with another difference of the clocks, and without a configuration file but where one is given.
  static func sample(
    drift: Double?, latency: Latency? = StatusReport.sample.latency,
    devices: Devices? = StatusReport.sample.devices, file: String? = nil
  ) -> StatusReport {
    let sample = StatusReport.sample
    return StatusReport(
      daemon: sample.daemon, state: sample.state, devices: devices, fitting: sample.fitting,
      calibration: sample.calibration, meters: sample.meters, latency: latency,
      realtime: sample.realtime, memory: sample.memory, clock: Clock(isShared: false, driftPPM: drift),
      configurationFile: file)
  }
}

/// The first finding on a subject.
func finding(_ subject: String, _ machine: Machine) throws -> DoctorReport.Finding {
  try #require(DoctorReport(machine).findings.first { $0.subject == subject })
}
