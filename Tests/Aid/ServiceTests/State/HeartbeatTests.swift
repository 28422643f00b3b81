import Control
import Testing

@testable import Service

@Suite struct HeartbeatTests {
  @Test(
    "while sound flows it beats only when blocks advance",
    arguments: [StatusReport.State.Name.running, .muted])
  func flowing(_ name: StatusReport.State.Name) {
    var heartbeat = Heartbeat()
    let beats = [100, 100, 101].map { heartbeat.beats(name, for: 1, blocks: $0) }
    #expect(beats == [true, false, true])
  }

  @Test(
    "a declared state without sound beats always",
    arguments: [StatusReport.State.Name.stopped, .waitingForDevice, .faulted])
  func declared(_ name: StatusReport.State.Name) {
    var heartbeat = Heartbeat()
    let beats = (0..<100).map { heartbeat.beats(name, for: Double($0), blocks: 7) }
    #expect(!beats.contains(false))
  }

  @Test("opening the devices may take ten seconds and no more")
  func starting() {
    var heartbeat = Heartbeat()
    let beats = [9.0, 11].map { heartbeat.beats(.starting, for: $0, blocks: 0) }
    #expect(beats == [true, false])
  }
}
