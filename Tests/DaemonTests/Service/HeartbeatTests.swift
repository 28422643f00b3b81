import Control
import Testing

@testable import Daemon

@Suite struct HeartbeatTests {
  private func state(_ name: StatusReport.State.Name, since: Double = 0) -> StatusReport.State {
    StatusReport.State(name, since: since)
  }

  @Test(
    "while sound flows it beats only when blocks advance",
    arguments: [StatusReport.State.Name.running, .muted])
  func flowing(_ name: StatusReport.State.Name) {
    var heartbeat = Heartbeat()
    let beats = [100, 100, 101].map { heartbeat.beats(state(name), blocks: $0, now: 1) }
    #expect(beats == [true, false, true])
  }

  @Test(
    "a declared state without sound beats always",
    arguments: [StatusReport.State.Name.stopped, .waitingForDevice, .faulted])
  func declared(_ name: StatusReport.State.Name) {
    var heartbeat = Heartbeat()
    let beats = (0..<100).map { heartbeat.beats(state(name), blocks: 7, now: Double($0)) }
    #expect(!beats.contains(false))
  }

  @Test("opening the devices may take ten seconds and no more")
  func starting() {
    var heartbeat = Heartbeat()
    let beats = [109.0, 111].map { heartbeat.beats(state(.starting, since: 100), blocks: 0, now: $0) }
    #expect(beats == [true, false])
  }
}
