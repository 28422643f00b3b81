import Base
import Control
import Engine
import Realtime
import Testing

@testable import AudioIO
@testable import Service

@Suite("Findings on delay") struct DoctorDelayTests {
  private func machine() -> Machine { .usual() }

  @Test(
    "hidden delay is a warning, also that of a radio link",
    arguments: ["default", "plughw:0", "dmix", "bluealsa"])
  func hiddenDelay(_ name: String) throws {
    var machine = machine()
    machine.configuration = .success(try loaded("device.playback = \"\(name)\""))
    let finding = try finding("earphones' device", machine)
    #expect(finding.verdict == .warning)
    #expect(finding.found.contains("adds"))
    #expect(finding.remedy != nil)
  }

  @Test(
    "the delay to expect of Bluetooth earphones is told; a Bluetooth microphone is bad, with the reason")
  func bluetooth() throws {
    var machine = machine()
    machine.configuration = .success(try loaded("device.playback = \"bluealsa:CODEC=aac\""))
    #expect(try finding("earphones' device", machine).found.contains("120 to 200 ms (AAC)"))
    #expect(DoctorReport(machine).isHealthy)
    let refusal = Result { () throws(ConfigurationFailures) in
      try Configuration.reading([UInt8]("device.capture = \"bluealsa\"".utf8), file: "a.toml")
    }
    machine.configuration = refusal
    let found = try finding("configuration", machine)
    #expect(found.verdict == .bad && found.remedy?.contains("telephone quality") == true)
  }

  @Test("the delay of Bluetooth earphones is told as measured where somebody has measured it")
  func measuredBluetooth() throws {
    var machine = machine()
    machine.configuration = .success(try loaded("device.playback = \"bluealsa:CODEC=aac\""))
    var delay = MeasuredFeedbackTests.delay
    (delay.playback, delay.delaySeconds) = ("bluealsa:CODEC=aac", 0.1683)
    machine.measured = FeedbackRecord(leftDelay: delay)
    let found = try finding("earphones' device", machine).found
    #expect(found.contains("168.30 ms, as measured") && !found.contains("120 to 200"))
    machine.configuration = .success(try loaded("device.playback = \"bluealsa:CODEC=aptx\""))
    #expect(try finding("earphones' device", machine).found.contains("70 to 120 ms (APTX)"))
  }

  @Test(
    "the delay is judged as measured where it was, and the period is blamed only where a shorter one would help",
    arguments: [
      // The sample's buffers hold 4 times 64 frames at 44.1 kHz, 5.8 ms.
      (0.0052, nil, nil), (0.0120, 0.0065, nil), (0.0120, nil, "Make device.period smaller."),
      (0.0052, 0.0120, "Make device.period smaller."), (0.0052, 0.2120, LoopDelayText.hidden),
      (0.0600, nil, "Most of it lies behind the buffers of the devices"),
    ] as [(Double, Double?, String?)])
  func daemonsDelay(_ told: Double, _ measured: Double?, _ remedy: String?) throws {
    var machine = machine()
    machine.daemon = .success(
      .sample(
        drift: 0,
        latency: .init(
          loopSeconds: told, chainSeconds: 0.00038,
          measured: measured.map { .init(loopSeconds: $0, measuredUnixSeconds: 1_700_000_000) })))
    let finding = try finding("delay", machine)
    #expect(finding.verdict == (remedy == nil ? .good : .warning))
    #expect((finding.remedy ?? "").hasPrefix(remedy ?? "") && (finding.remedy == nil) == (remedy == nil))
    let words = NumberText.milliseconds(told)
    let day = Timestamp(1_700_000_000).day
    #expect(
      finding.found
        == (measured.map {
          "\(NumberText.milliseconds($0)), measured on \(day); the devices tell \(words); of it the chain's own 0.38 ms"
        } ?? "\(words), of it the chain's own 0.38 ms"))
  }

  @Test(
    "a shorter period is not advised where the delay lies behind the configured periods, however much playback's buffer holds",
    arguments: [
      // Three periods of 64 frames and a block of capture: 256 frames at 44.1 kHz, 5.8 ms. With two clocks the buffer holds 384.
      (6, 3, 0.0190, LoopDelayText.hidden), (6, 3, 0.0150, "Make device.period smaller."),
      // A plugin's buffer of 0.3 s.
      (207, 3, 0.2120, LoopDelayText.hidden),
      // Eight periods and a block are 13.1 ms, of which the devices tell 5.2 ms: no shorter period takes away more.
      (8, 8, 0.0190, LoopDelayText.hidden),
    ])
  func largeBuffer(buffer: Int, configured: Int, measured: Double, remedy: String) throws {
    func stream(_ periods: Int) -> StatusReport.Devices.Stream {
      .init(
        name: "hw:A", description: nil, rateHz: 44_100, channels: 2, format: "S16_LE", periodFrames: 64,
        periods: periods)
    }
    var machine = machine()
    machine.configuration = .success(try loaded("device.periods = \(configured)", folder: "/tmp"))
    machine.daemon = .success(
      .sample(
        drift: nil,
        latency: .init(
          loopSeconds: 0.0052, chainSeconds: 0.00038,
          measured: .init(loopSeconds: measured, measuredUnixSeconds: 1_700_000_000)),
        devices: .init(capture: stream(4), playback: stream(buffer), periodFrames: 64),
        file: "/tmp/auricle.toml"))
    #expect(try finding("delay", machine).remedy == remedy)
  }

  @Test(
    "of periods longer than the file's, a reload is told, as the file may be newer than the aid's devices, and who decides them otherwise",
    arguments: [
      (
        "jack", 256, 64,
        "Otherwise it is the setting of the devices' sound server or plugin: change it there, or choose other devices"
      ),
      (
        "dmix:CARD=Aid", 256, 64,
        "Otherwise it is the setting of the devices' sound server or plugin: change it there, or choose other devices"
      ),
      // A card of its own has neither server nor plugin: ALSA grants the period nearest to the one asked for.
      (
        "hw:CARD=Aid,DEV=0", 256, 64,
        "Otherwise the card has no period nearer to it, and only other devices have"
      ),
      ("jack", 256, 256, nil), ("hw:CARD=Aid,DEV=0", 256, 256, nil),
    ] as [(String, Int, Int, String?)])
  func longerPeriod(device: String, given: Int, asked: Int, cause: String?) throws {
    let stream = StatusReport.Devices.Stream(
      name: device, description: nil, rateHz: 44_100, channels: 2, format: "S32_LE", periodFrames: given,
      periods: 6)
    var machine = machine()
    machine.configuration = .success(try loaded("device.period = \(asked)", folder: "/tmp"))
    machine.daemon = .success(
      .sample(
        drift: nil, latency: .init(loopSeconds: 0.01768, chainSeconds: 0.00038),
        devices: .init(capture: stream, playback: stream, periodFrames: given), file: "/tmp/auricle.toml"))
    let finding = try finding("delay", machine)
    let remedy =
      cause.map {
        "The aid has periods of \(given) frames, not the \(asked) of device.period. If that was changed since its devices were"
          + " opened: auricle reload. \($0): auricle devices"
      } ?? "Make device.period smaller."
    #expect(finding.verdict == .warning && finding.remedy == remedy)
  }

  private static func delay(
    _ delay: Double, told: Double?, spread: Double = 0
  ) -> StatusReport.Feedback.Delay {
    StatusReport.Feedback.Delay(
      measuredUnixSeconds: 0, isTheseDevices: true, capture: "a", playback: "b", rateHz: 48_000,
      periodFrames: 64, levelDBSPL: 55, delaySeconds: delay, spreadSeconds: spread, repetitions: 5,
      deviceDelaySeconds: told, presentSeconds: delay)
  }

  private static func feedback(
    right: StatusReport.Feedback.Delay?, left: StatusReport.Feedback.Delay?
  ) -> StatusReport.Feedback {
    StatusReport.Feedback(
      left: .init(path: nil, delay: left, howls: 0, lastHowlHz: nil, cancellerResets: 0),
      right: .init(path: nil, delay: right, howls: 0, lastHowlHz: nil, cancellerResets: 0),
      isCancelling: true, loopDelaySeconds: nil)
  }

  @Test(
    "a measured delay stands beside what the devices tell, with the difference and what it means",
    arguments: [
      (0.0046, "which agrees with it", nil, false),
      (0.0065, "2.50 ms less than sound takes", "0.9 m of air", false),
      (0.1683, "164.30 ms less than sound takes", "radio link", true),
      (0.0020, "2.00 ms more than sound takes", "counts more than its buffers hold", false),
    ] as [(Double, String, String?, Bool)])
  func loop(_ measured: Double, _ comparison: String, _ meaning: String?, isWarning: Bool) throws {
    let feedback = Self.feedback(
      right: Self.delay(measured, told: 0.004, spread: 0.00002), left: Self.delay(measured, told: 0.004))
    let report = DoctorReport(machine(), loop: .success(feedback))
    let finding = try #require(report.findings.first { $0.subject == "loop delay" })
    let words = NumberText.milliseconds(measured)
    #expect(
      finding.found.hasPrefix(
        "right \(words), left \(words), 5 repetitions each within 0.02 ms, at 55 dB SPL; the devices tell 4.00 ms, "
      ))
    #expect(finding.found.hasSuffix(comparison))
    #expect(meaning.map { finding.remedy?.contains($0) == true } ?? (finding.remedy == nil))
    #expect((finding.verdict == .warning) == isWarning && report.isHealthy)
    #expect((finding.remedy?.contains("reaches loops of 50 ms") == true) == (measured > 0.05))
    #expect(report.loop?.left?.delaySeconds == measured)
    #expect(try JSON.text(report).contains(#""loop":{"left":{"#))
  }

  @Test("devices that tell no delay are compared with nothing; one ear alone stands alone")
  func untoldLoop() throws {
    let feedback = Self.feedback(right: nil, left: Self.delay(0.02, told: nil))
    let report = DoctorReport(machine(), loop: .success(feedback))
    let finding = try #require(report.findings.first { $0.subject == "loop delay" })
    #expect(finding.found == "left 20.00 ms, 5 repetitions each within 0.00 ms, at 55 dB SPL")
    #expect(finding.verdict == .good && finding.remedy == nil && report.loop?.right == nil)
  }

  @Test("a refusal is told with what to do, and no number")
  func refusedLoop() throws {
    let refusal = Failure(FeedbackFault.nothingHeard(.right, level: 75, noise: 30), of: "test")
    let report = DoctorReport(machine(), loop: .failure(refusal))
    let finding = try #require(report.findings.first { $0.subject == "loop delay" })
    #expect(finding.verdict == .warning && report.loop == nil)
    #expect(
      finding.found.hasPrefix(
        "not measured: nothing of 75 dB SPL comes back clearly at the right microphone, expected "))
    #expect(finding.remedy?.contains("cable") == true)
    #expect(!DoctorReport(machine()).findings.contains { $0.subject == "loop delay" })
  }
}
