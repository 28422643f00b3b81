import Control
import Engine
import HearingDSP
import Testing

@testable import Service

@Suite("Programs in words") struct ProgramTextTests {
  static let report = ProgramReport(
    chosen: "automatic", inForce: "conversation-in-noise", name: "conversation in noise",
    volume: .init(valueDB: -2, leastDB: -20, mostDB: 0), tone: .init(valueDB: 1.5, leastDB: -6, mostDB: 6),
    scene: .init(
      kind: "speech-in-noise", confidence: 0.9, durationSeconds: 12, levelDBSPL: 72, aboveBackgroundDB: 5,
      isWindy: false),
    reason: "hears speech in noise", notes: ["A note."])

  @Test("program, volume and tone stand in one line, with signs")
  func line() {
    #expect(
      ProgramText.line(Self.report)
        == "automatic, now conversation in noise, volume −2 dB, tone +1.5 dB")
    #expect(ProgramText.words(0) == "as prescribed")
    #expect(ProgramText.range(.init(valueDB: 0, leastDB: -10, mostDB: 4)) == "−10 to +4 dB")
    #expect(ProgramText.range(.init(valueDB: 0, leastDB: -20, mostDB: 0)) == "−20 to 0 dB")
  }

  @Test("the status report tells the program, what is heard and why, and comes back from JSON")
  func status() throws {
    let sample = StatusReport.sample
    let report = StatusReport(
      daemon: sample.daemon, state: sample.state, devices: sample.devices, fitting: sample.fitting,
      program: Self.report, calibration: sample.calibration, meters: sample.meters, latency: sample.latency,
      realtime: sample.realtime, memory: sample.memory, clock: sample.clock, configurationFile: nil)
    let text = StatusText(report).text
    #expect(text.contains("Program     automatic, now conversation in noise, volume −2 dB, tone +1.5 dB\n"))
    #expect(text.contains("            hears speech in noise\n") && text.contains("            A note.\n"))
    let json = try JSON.text(report)
    for key in [
      #""schema":117"#, #""chosen":"automatic""#, #""value_db":-2"#, #""level_db_spl":72"#,
      #""duration_seconds":12"#,
    ] { #expect(json.contains(key), "\(key)") }
    #expect(try JSON.value(StatusReport.self, from: Array(json.utf8)) == report)
  }

  @Test("a level that has no number is absent")
  func silence() throws {
    var reading = SceneReading()
    reading.scene = .quiet
    reading.confidence = 0.9
    var automatic = AutomaticProgram()
    _ = automatic.hear(reading, at: 0)
    (reading.confidence, reading.level, reading.levelAboveBackground) = (.nan, -.infinity, .nan)
    reading.isWindy = true
    let scene = try #require(ProgramReport.Scene(reading, automatic, now: .infinity))
    #expect(
      try JSON.text(scene) == #"{"confidence":0,"duration_seconds":0,"kind":"quiet","windy":true}"#)
  }
}
