import Base

/// Figures of a daemon for monitoring, as `auricle metrics` prints them.
///
/// Only the machine's: no prescription, gain, level, limit or program, no calibration, no name of a person, clinic, device or file. What
/// depends on a prescription by a detour is left out too: the chain's own delay, the limiter's work, clipping.
package struct MetricsText: Sendable {
  private let report: StatusReport?

  /// - Parameter report: Nil: no daemon runs.
  package init(_ report: StatusReport?) { self.report = report }

  /// A whole exposition.
  package var text: String { families.map(\.text).joined() + "# EOF\n" }

  private var families: [MetricFamily] {
    let up = MetricFamily("up", "1 while a daemon answers.", report == nil ? 0 : 1)
    guard let report else { return [up] }
    return [up] + process(report) + state(report) + sound(report) + priority(report)
  }

  private func process(_ report: StatusReport) -> [MetricFamily] {
    let daemon = report.daemon
    return [
      MetricFamily(
        "build_info", "Version of the daemon that answers, as a label.",
        samples: [.init(labels: [("version", daemon.version)], value: 1)]),
      MetricFamily(
        "start_time_seconds", unit: "seconds", "Start of the daemon since 1970-01-01 UTC.",
        daemon.startedUnixSeconds),
      MetricFamily(
        "uptime_seconds", unit: "seconds", "Time since the start of the daemon.",
        max(0, daemon.nowUnixSeconds - daemon.startedUnixSeconds)),
      MetricFamily(
        "crashes", kind: .counter,
        "Times that the daemon crashed and was restarted, since auricle start; those of a service are not "
          + "counted, auricle_start_time_seconds tells them.",
        Double(daemon.restart?.count ?? 0)),
    ]
  }

  private func state(_ report: StatusReport) -> [MetricFamily] {
    [
      MetricFamily(
        "state", "1 for the state of the sound, 0 for the others.",
        samples: StatusReport.State.Name.allCases.map { name in
          .init(labels: [("state", name.rawValue)], value: report.state.name == name ? 1 : 0)
        }),
      MetricFamily(
        "state_start_time_seconds", unit: "seconds", "Beginning of that state since 1970-01-01 UTC.",
        report.state.sinceUnixSeconds),
      MetricFamily("muted", "1 while silence was asked for.", report.state.isMuted ? 1 : 0),
      MetricFamily("devices_open", "1 while the sound devices are open.", report.devices == nil ? 0 : 1),
    ]
  }

  private func sound(_ report: StatusReport) -> [MetricFamily] {
    let xruns = report.meters.xruns
    let load = report.meters.load
    let (isOpen, stream) = (report.devices != nil, report.devices?.playback)
    return [
      MetricFamily(
        "xruns", kind: .counter, "Periods that were missed since the start.",
        samples: [
          .init(labels: [("direction", "capture")], value: Double(xruns.capture)),
          .init(labels: [("direction", "playback")], value: Double(xruns.playback)),
        ]),
      MetricFamily(
        "lost_seconds", kind: .counter, unit: "seconds", "Sound lost since the start.", xruns.lostSeconds),
      MetricFamily(
        "device_reopens", kind: .counter, "Times that the devices were closed and reopened.",
        Double(xruns.deviceReopens)),
      // The chain's part depends on the gain by some tenths of a millisecond.
      MetricFamily(
        "delay_seconds", unit: "seconds", "Delay from microphone to earphone, in whole milliseconds.",
        report.latency?.loopSeconds.map { ($0 * 1000).rounded() / 1000 }),
      MetricFamily(
        "period_seconds", unit: "seconds", "Time in which a block of sound has to be processed.",
        report.devices.flatMap {
          $0.playback.rateHz > 0 ? Double($0.blockFrames) / Double($0.playback.rateHz) : nil
        }),
      MetricFamily(
        "sample_rate_hertz", unit: "hertz", "Samples of a second.", stream.map { Double($0.rateHz) }),
      MetricFamily(
        "load_ratio", unit: "ratio",
        "Processing time as a share of the period, since the devices were opened.",
        samples: isOpen
          ? [
            ("median", load.medianShare), ("percentile99", load.percentile99Share),
            ("maximum", load.maximumShare),
          ]
          .map { .init(labels: [("of", $0.0)], value: $0.1) } : []),
      MetricFamily(
        "clock_shared", "1 when one clock paces microphone and earphones.",
        report.clock.map { $0.isShared ? 1 : 0 }),
      MetricFamily(
        "clock_ratio", unit: "ratio", "Rate of the earphones' clock by that of the microphone's.",
        report.clock.flatMap { $0.isShared ? 1 : $0.driftPPM.map { 1 + $0 * 1e-6 } }),
    ]
  }

  private func priority(_ report: StatusReport) -> [MetricFamily] {
    [
      MetricFamily(
        "realtime", "1 while the audio thread has real-time priority.", report.realtime.isGranted ? 1 : 0),
      MetricFamily("realtime_priority", "That priority, 0 for none.", Double(report.realtime.priority)),
      MetricFamily("memory_locked", "1 while memory is locked.", report.memory.isLocked ? 1 : 0),
    ]
  }
}
