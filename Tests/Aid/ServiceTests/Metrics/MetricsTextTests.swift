import Control
import Testing

@testable import Service

@Suite("Metrics") struct MetricsTextTests {
  @Test("without a daemon it is a whole exposition that says so and nothing more")
  func down() throws {
    let read = try Exposition(MetricsText(nil).text)
    #expect(read.families.keys.sorted() == ["auricle_up"])
    #expect(read.value("auricle_up") == 0)
  }

  @Test("figures are those of the report, in base units, with type, help, and unit where there is one")
  func figures() throws {
    let read = try Exposition(MetricsText(.sample).text)
    #expect(read.value("auricle_up") == 1)
    #expect(read.value("auricle_build_info", ["version": "0.1.0"]) == 1)
    #expect(read.value("auricle_uptime_seconds") == 11_520)
    #expect(read.value("auricle_state", ["state": "running"]) == 1)
    #expect(read.value("auricle_state", ["state": "faulted"]) == 0)
    #expect(read.families["auricle_state"]?.samples.count == StatusReport.State.Name.allCases.count)
    #expect(read.value("auricle_state_start_time_seconds") == 60)
    #expect(read.value("auricle_xruns_total", ["direction": "capture"]) == 0)
    #expect(read.value("auricle_xruns_total", ["direction": "playback"]) == 2)
    #expect(read.value("auricle_lost_seconds_total") == 0.0041)
    #expect(read.value("auricle_crashes_total") == 0)
    // A service manager's starts are not counted.
    #expect(read.families["auricle_crashes"]?.help.contains("auricle_start_time_seconds") == true)
    // 5.14 ms, told to a millisecond.
    #expect(read.value("auricle_delay_seconds") == 0.005)
    #expect(read.value("auricle_period_seconds") == 64.0 / 44_100)
    #expect(read.value("auricle_load_ratio", ["of": "percentile99"]) == 0.074)
    // −12.34 parts per million.
    #expect(abs(try #require(read.value("auricle_clock_ratio")) - 0.99998766) < 1e-12)
    #expect(read.value("auricle_realtime_priority") == 70)
    #expect(read.value("auricle_realtime") == 1)
    #expect(read.value("auricle_memory_locked") == 0)
    for (name, family) in read.families {
      #expect(
        name.hasPrefix("auricle_") && family.type != "unknown" && family.help.hasSuffix("."), "\(name)")
      #expect(
        !["_seconds", "_ratio", "_hertz"].contains { name.hasSuffix($0) } || !family.unit.isEmpty, "\(name)"
      )
    }
  }

  @Test("the time in which a block has to be processed is the block's, where playback's period is shorter")
  func longerPeriod() throws {
    func stream(_ period: Int) -> StatusReport.Devices.Stream {
      .init(
        name: "hw:A", description: nil, rateHz: 44_100, channels: 2, format: "S16_LE",
        periodFrames: period, periods: 3)
    }
    let report = StatusReport.sample(
      drift: nil, devices: .init(capture: stream(1024), playback: stream(441), periodFrames: 1024))
    let read = try Exposition(MetricsText(report).text)
    #expect(read.value("auricle_period_seconds") == 1024.0 / 44_100)
  }

  @Test("while no device is open, what depends on one is left out, and nothing is told twice")
  func waiting() throws {
    let sample = StatusReport.sample
    var report = StatusReport(
      daemon: sample.daemon, state: .init(.waitingForDevice, reason: "none", since: 1), devices: nil,
      fitting: sample.fitting, calibration: sample.calibration, meters: .silent, latency: nil,
      realtime: sample.realtime, memory: sample.memory, clock: nil, configurationFile: nil)
    report.prescription = nil
    let read = try Exposition(MetricsText(report).text)
    #expect(read.value("auricle_devices_open") == 0)
    #expect(read.value("auricle_state", ["state": "waiting-for-device"]) == 1)
    for name in ["delay_seconds", "load_ratio", "clock_ratio", "clock_shared", "period_seconds"] {
      #expect(read.families["auricle_" + name] == nil, "\(name)")
    }
  }

  @Test("a version with every sign that ends a label stands in it whole")
  func escapes() throws {
    let version = "1.0\"\\\n{x=\"y\"} 2"
    let family = MetricFamily(
      "build_info", "Of \"this\"\\\n.", samples: [.init(labels: [("version", version)], value: 1)])
    let read = try Exposition(family.text + "# EOF\n")
    #expect(read.value("auricle_build_info", ["version": version]) == 1)
  }

  @Test("numbers that are none, or without bound, are left out")
  func finite() {
    #expect(MetricFamily("a", "A.", .nan).text.isEmpty)
    #expect(MetricFamily("a", "A.", .infinity).text.isEmpty)
    #expect(MetricFamily("a", "A.", nil).text.isEmpty)
  }

  @Test("nothing of anybody's hearing, sound, name, device or file is in it")
  func forbidden() throws {
    let sample = StatusReport.sample
    let report = Self.revealing
    let text = MetricsText(report).text
    let words = [
      "Ada", "Clinic", "music", "NAL", "PCH", "HDA", "/etc", "toml", "quiet", "prescription", "gain",
      "fitt", "level",
      "spl", "calibrat", "audiogram", "ear_", "left", "right", "limit", "clip", "volume", "tone", "program",
      "feedback", "wearer",
      "hw:", "S32", "debug", "serial", "tinnitus", "lowering", "pid",
    ]
    for word in words { #expect(!text.lowercased().contains(word.lowercased()), "\(word)") }
    // Numbers of the prescription, the sound and the process, whatever they might be called.
    let read = try Exposition(text)
    let numbers = read.families.values.flatMap(\.samples).map(\.value)
    for number in [111.0, 20, 62.14, 84, 3.4, 27.6, 0.004, 3.1, 812, 77, 4711, 0.00514, 0.00038, 4.2] {
      #expect(!numbers.contains(number), "\(number)")
    }
    // The exposition of two people on one machine is the same.
    let other = StatusReport(
      daemon: sample.daemon, state: sample.state, devices: sample.devices,
      fitting: .init(
        isFitted: false, rule: nil, compressionRatio: nil, ears: [], bandCount: 5, maximumOutputDBSPL: 90),
      calibration: sample.calibration, meters: sample.meters,
      // Another gain, another delay of the chain: within the millisecond.
      latency: .init(loopSeconds: 0.00521, chainSeconds: 0.00045), realtime: sample.realtime,
      memory: sample.memory,
      clock: sample.clock, configurationFile: nil)
    #expect(MetricsText(other).text == text)
  }

  /// A report that says something about everything.
  private static var revealing: StatusReport {
    var report = StatusReport.sample
    report.prescription = .init(
      number: 77, serial: 4711, clinic: "Clinic of Ada", environment: "music", trialEndsUnixSeconds: 4.2,
      notes: ["Ada has a note."])
    return report
  }
}
