import Base
import CommonTesting
import Control
import Engine
import HearingDSP
import Testing

@testable import Service

/// Calls and music as the wearer turns them.
@Suite("Stream of the daemon") struct StreamTimelineTests {
  private let folder = TemporaryFolder()

  private func daemon(
    _ text: String = "device.stream = \"hw:9\"", restart: StatusReport.Restart? = nil,
    isMarkLeft: Bool = false
  ) throws -> Timeline {
    let configuration = try loaded(text)
    let disk = ServiceDisk(folder: folder.path, store: PrescriptionStore(folder: "/nonexistent/book")) {
      .success(configuration)
    }
    var facts = ServiceState.Facts(started: .at(100))
    (facts.restart, facts.isMarkLeft) = (restart, isMarkLeft)
    let programs = disk.readKept().programs
    return Timeline(ServiceState(facts, configuration: configuration, programs: programs), disk: disk)
  }

  private func set(_ daemon: Timeline, _ method: StreamMethods.Set) throws -> StreamAnswer {
    try #require(daemon.ask(method)).get()
  }

  @Test("it is off until somebody turns it on, and then on with what was set")
  func turned() throws {
    let daemon = try daemon()
    #expect(daemon.state.heard.streaming == nil && daemon.state.streamReport?.state == .off)
    let on = try set(daemon, StreamMethods.Set(on: true))
    #expect(on.message == "Stream: on.")
    #expect(daemon.applied?.streaming == StreamingSettings(level: 0, balance: 0, microphoneReduction: 6))
    #expect(try set(daemon, StreamMethods.Set(changeDB: -2)).message == "Level: −2 dB.")
    #expect(try set(daemon, StreamMethods.Set(balanceDB: 3)).message == "Balance: left ear 3.0 dB softer.")
    #expect(daemon.applied?.streaming == StreamingSettings(level: -2, balance: 3, microphoneReduction: 6))
    #expect(try set(daemon, StreamMethods.Set(on: false)).message == "Stream: off.")
    #expect(daemon.applied?.streaming == nil)
  }

  @Test("without a prescription that lets volume be turned up 0 dB is the highest, and that is said")
  func limit() throws {
    let answer = try set(try daemon(), StreamMethods.Set(levelDB: 4))
    #expect(answer.message == "Level: 0 dB. That is the limit: it may be turned from −40 to 0 dB.")
  }

  @Test("a level that the volume holds lower is told as it is heard, beside what was set")
  func held() {
    let limits = AdjustmentLimits(volume: -10...6, tone: 0...0)
    for (volume, expected) in [(0.0, nil), (4, 2.0), (6, 0), (-10, nil)] {
      let report = StatusReport.Stream(
        StreamingReading(), device: "hw:9", settings: StreamingSettings(level: 6), isOn: true,
        limits: limits, volume: volume,
        isSounding: true, note: nil)
      #expect(report.level.valueDB == 6 && report.heldLevelDB == expected)
      let words =
        expected.map { "level +6 dB (held to \($0 == 0 ? "0" : "+2") dB by the volume)" } ?? "level +6 dB"
      #expect(StreamText.line(report) == "waiting: it is being opened (hw:9), \(words)")
    }
  }

  @Test("one that delivers while a test plays waits for its end, and otherwise is about to be heard")
  func besideTest() {
    var reading = StreamingReading()
    (reading.state, reading.level) = (.flowing, -20)
    for (test, reason) in [
      ("hearing test", "a hearing test is under way"), (nil, "it is about to be heard"),
    ] as [(String?, String)] {
      let report = StatusReport.Stream(
        reading, device: "hw:9", settings: StreamingSettings(), isOn: true,
        limits: AdjustmentLimits(volume: -10...0, tone: 0...0), volume: 0, isSounding: true, test: test,
        note: nil)
      #expect(report.words == "waiting: \(reason)" && report.microphonesLoweredNowDB == 0)
    }
  }

  @Test("without a device it is refused with what to do, and nothing is reported of it")
  func withoutDevice() throws {
    let daemon = try daemon("")
    let result = try #require(daemon.ask(StreamMethods.Set(on: true)))
    guard case .failure(let failure) = result else { Issue.record("it was turned on"); return }
    #expect(failure.exitStatus == .configuration && failure.subject == "device.stream")
    #expect(daemon.state.streamReport == nil && daemon.state.report.stream == nil)
    #expect(!daemon.state.programs.memory.stream.isOn)
  }

  @Test("on, level and balance are remembered; after a crash it stays off until it is turned on again")
  func remembered() throws {
    _ = try set(try daemon(), StreamMethods.Set(on: true, levelDB: -6, balanceDB: -1))
    let next = try daemon()
    #expect(next.state.heard.streaming == StreamingSettings(level: -6, balance: -1, microphoneReduction: 6))
    // As a service manager starts it again, which tells nothing.
    let left = try daemon(isMarkLeft: true)
    #expect(
      left.state.heard.streaming == nil && left.state.streamReport?.reason?.contains("crashed") == true)
    let crashed = try daemon(restart: StatusReport.Restart(count: 1, unixSeconds: 0, reason: "SIGSEGV"))
    #expect(crashed.state.heard.streaming == nil)
    #expect(crashed.state.streamReport?.state == .off)
    #expect(crashed.state.streamReport?.reason?.contains("crashed") == true)
    // Another turn does not turn it on.
    _ = try set(crashed, StreamMethods.Set(changeDB: 1))
    #expect(crashed.state.heard.streaming == nil)
    _ = try set(crashed, StreamMethods.Set(on: true))
    #expect(crashed.applied?.streaming?.level == -5)
  }

  @Test("off since a crash it stays off after further starts in order as well")
  func heldOff() throws {
    _ = try set(try daemon(), StreamMethods.Set(on: true))
    let crashed = try daemon(isMarkLeft: true)
    crashed.happen(.begin)
    #expect(crashed.state.streamReport?.reason?.contains("crashed") == true)
    let next = try daemon()
    #expect(next.state.heard.streaming == nil && next.state.streamReport?.state == .off)
    #expect(next.state.streamReport?.reason == nil)
  }

  @Test("a level in the file that nobody can have set is damage")
  func damaged() throws {
    folder.write(
      #"{"schema":100,"program":"music","adjustments":{},"stream":{"on":true,"level_db":1e9,"balance_db":0}}"#,
      to: "programs.json")
    let daemon = try daemon()
    #expect(daemon.state.heard.streaming == nil && daemon.state.programs.problem != nil)
  }

  @Test("what becomes of its device stands in status and log")
  func told() throws {
    let daemon = try daemon()
    _ = try set(daemon, StreamMethods.Set(on: true))
    daemon.engine(.running) {
      $0.streaming.state = .waiting(reason: "no such device hw:9")
      $0.streaming.device = "hw:9"
    }
    #expect(daemon.state.streamReport?.words == "waiting: no such device hw:9")
    #expect(daemon.log.last == "warning: stream: waiting: no such device hw:9")
    daemon.engine(.running) { $0.streaming.state = .flowing }
    #expect(daemon.log.last == "info: stream: hw:9 delivers")
    daemon.engine(.running) { _ in }
    #expect(daemon.log.count { $0.contains("delivers") } == 1)
  }

  @Test(
    "a device that hangs is told after 5 s by its own name, whatever was told before and whichever is wanted now, and logged once"
  )
  func hangs() throws {
    let daemon = try daemon()
    _ = try set(daemon, StreamMethods.Set(on: true))
    let since = daemon.now
    daemon.engine(.running) {
      $0.streaming.state = .waiting(reason: "it delivers no sound")
      $0.streaming.call = StreamingReading.Call(device: "hw:8", since: since)
    }
    daemon.pass(4.9)
    #expect(daemon.state.streamReport?.words == "waiting: it delivers no sound")
    daemon.pass(0.2)
    let reason = "hw:8 does not answer, its sound server may hang: end the daemon and start it again"
    #expect(daemon.state.streamReport?.words == "waiting: \(reason)")
    for _ in 0..<3 { daemon.engine(.running) }
    #expect(daemon.log.count { $0 == "warning: stream: \(reason)" } == 1)
    daemon.engine(.running) { ($0.streaming.state, $0.streaming.call) = (.flowing, nil) }
    #expect(daemon.state.streamReport?.reason == "it is about to be heard")
  }

  @Test("the microphones' attenuation is the configuration's, at once after a reload")
  func microphones() throws {
    let daemon = try daemon("device.stream = \"hw:9\"\nstream.microphones = 12")
    _ = try set(daemon, StreamMethods.Set(on: true))
    #expect(daemon.applied?.streaming?.microphoneReduction == 12)
  }
}
