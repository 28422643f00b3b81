import AudioIOTesting
import Testing

@testable import AudioIO

/// Devices of plugins, whose delay has a part that is in no buffer: that of earphones behind a radio, of a sound
/// server.
@Suite("Delay behind the buffers") struct DelayBehindTests {
  /// Frames that wait in the buffers, and half the converter's filter of 39.
  static let target = 192 + 20
  /// Distance on the way: 8 as on cards (RateMatchingTests), 5 by 300 ppm in the two windows of 0.19 s before
  /// anything is known, and one by rounding.
  static let way = 14

  /// A loop between a microphone on a card and a plugin's earphones, opened.
  func loop(
    _ direction: StreamDirection = .playback, behind: Int, partsPerMillion: Double = 0
  ) throws -> LoopProgram {
    let rig = FakeRig(recordingCapacity: 1 << 12)
    rig.sharesClock = false
    rig.isLinkable = false
    rig.setDrift(.playback, partsPerMillion)
    rig.setBehind(direction, behind)
    // The rig's names are the same, of which devices without a card count as one clock.
    var loop = LoopProgram(rig, pairing: .separate)
    try loop.stream.open()
    return loop
  }

  func blocks(seconds: Int) -> Int { seconds * 44_100 / 64 }

  @Test(
    "whatever lies behind the buffers, they hold the prefill, all delay is told, and a drift is followed",
    arguments: [0, 1102, 6615], [-300, 0, 300.0])
  func holdsPrefill(behind: Int, partsPerMillion: Double) throws {
    // 0, 25 and 150 ms at 44.1 kHz.
    var loop = try self.loop(behind: behind, partsPerMillion: partsPerMillion)
    loop.run(blocks: blocks(seconds: 30))
    #expect(loop.events == [])
    let drift = loop.stream.drift.partsPerMillion
    #expect(abs(try #require(drift) - partsPerMillion) < 10)
    // The rig tells what waits in the buffers and what lies behind: so much of it waits.
    let held = loop.latencies.map { $0 - behind }
    #expect(held.allSatisfy { abs($0 - Self.target) <= Self.way })
    #expect(held.suffix(10_000).allSatisfy { abs($0 - Self.target) <= 3 })
  }

  @Test("a microphone's plugin has a delay behind its buffer, too")
  func ofCapture() throws {
    var loop = try self.loop(.capture, behind: 2205, partsPerMillion: 100)
    loop.run(blocks: blocks(seconds: 20))
    #expect(loop.events == [])
    #expect(loop.latencies.allSatisfy { abs($0 - 2205 - Self.target) <= Self.way })
  }

  @Test("after an underrun the delay is as before")
  func restart() throws {
    var loop = try self.loop(behind: 6615, partsPerMillion: 200)
    loop.run(blocks: blocks(seconds: 20))
    loop.rig.advance(0.1)
    let before = loop.latencies.count
    loop.run(blocks: blocks(seconds: 5))
    #expect(loop.restarts.count == 1 && loop.events.count == 1)
    // The delay behind is known, and so is the drift.
    #expect(loop.latencies[before...].allSatisfy { abs($0 - 6615 - Self.target) <= 8 })
  }

  @Test("a codec that adds or saves much more than half the prefill moves nothing in the buffers")
  func anotherCodec() throws {
    var loop = try self.loop(behind: 1102, partsPerMillion: 200)
    for behind in [1102, 6615, 441] {
      loop.rig.setBehind(.playback, behind)
      let before = loop.latencies.count
      loop.run(blocks: blocks(seconds: 10))
      let held = loop.latencies[before...].map { $0 - behind }
      #expect(held.allSatisfy { abs($0 - Self.target) <= Self.way }, "\(behind)")
    }
    #expect(loop.events == [])
  }

  @Test("a change that the buffers can give comes out of them, and the delay stays")
  func smallChange() throws {
    var loop = try self.loop(behind: 1102)
    loop.run(blocks: blocks(seconds: 10))
    loop.rig.setBehind(.playback, 1102 + 44)
    loop.run(blocks: blocks(seconds: 20))
    #expect(loop.events == [])
    #expect(loop.latencies.suffix(5000).allSatisfy { abs($0 - 1102 - Self.target) <= 3 })
  }

  @Test("frames that a card's driver takes ahead are of the prefill: the delay falls to it")
  func takenAhead() throws {
    let rig = FakeRig(recordingCapacity: 1 << 12)
    rig.sharesClock = false
    rig.isLinkable = false
    rig.takenAhead = 100
    var loop = LoopProgram(rig)
    try loop.stream.open()
    loop.run(blocks: blocks(seconds: 30))
    #expect(loop.events == [])
    #expect(loop.latencies.suffix(10_000).allSatisfy { abs($0 - Self.target) <= 3 })
  }

  // MARK: - One reading after another

  /// Notes so many readings of earphones that tell `behind` frames beyond the prefill that waits.
  func note(_ delay: inout DelayBehind, behind: Int, times: Int = 1, periods: Int = 3) -> [Bool] {
    let prefill = 64 * periods
    return (0..<times).map { _ in
      delay.note(
        told: (capture: 0, playback: prefill + behind), held: (capture: 0, playback: prefill),
        prefill: prefill, period: 64)
    }
  }

  @Test("it is known with the second window that agrees, and readings before say nothing of the clocks")
  func secondWindow() {
    var delay = DelayBehind(isOfPlayback: true)
    let before = note(&delay, behind: 1000, times: 2 * FillWatch.window - 1)
    #expect(!before.contains(true) && delay.frames == nil)
    let last = note(&delay, behind: 1000)
    #expect(last == [true] && delay.frames == 1000)
  }

  @Test("a plugin that tells nothing until its first packet has gone is not taken at that")
  func firstPacket() {
    var delay = DelayBehind(isOfPlayback: true)
    // Half of the first window: its mean is 500, the others' 1000.
    _ = note(&delay, behind: 0, times: FillWatch.window / 2)
    _ = note(&delay, behind: 1000, times: FillWatch.window / 2)
    _ = note(&delay, behind: 1000, times: FillWatch.window)
    #expect(delay.frames == nil)
    _ = note(&delay, behind: 1000, times: FillWatch.window)
    #expect(delay.frames == 1000)
  }

  @Test("a single reading that is off by more than half the prefill is left out, one of half is not")
  func stray() {
    var delay = DelayBehind(isOfPlayback: true)
    _ = note(&delay, behind: 1000, times: 2 * FillWatch.window)
    let answers = [1097, 1096, 904, 903].flatMap { note(&delay, behind: $0) }
    #expect(answers == [false, true, true, false])
    #expect(delay.frames == 1000)
  }

  // Half of what the prefill has beyond one period of 64: 32 frames of two periods, 64 of three.
  @Test(
    "a change that would leave the buffers less than half their margin is taken up as a whole",
    arguments: [(2, 32, 0), (2, 33, 33), (2, 60, 60), (3, 64, 0), (3, 65, 65), (2, -60, -60)])
  func margin(periods: Int, change: Int, taken: Int) {
    // Wherever in a window it comes.
    for early in [0, FillWatch.window / 4, FillWatch.window / 2, 3 * FillWatch.window / 4] {
      var delay = DelayBehind(isOfPlayback: true)
      _ = note(&delay, behind: 1000, times: 2 * FillWatch.window + early, periods: periods)
      _ = note(&delay, behind: 1000 + change, times: 4 * FillWatch.window, periods: periods)
      #expect(delay.frames == 1000 + taken, "\(early)")
    }
  }

  @Test("a start begins a new window and keeps what was found")
  func start() {
    var delay = DelayBehind(isOfPlayback: true)
    _ = note(&delay, behind: 1000, times: 2 * FillWatch.window)
    _ = note(&delay, behind: 3000, times: 2 * FillWatch.window - 1)
    delay.restart()
    _ = note(&delay, behind: 3000, times: FillWatch.window)
    #expect(delay.frames == 1000)
    _ = note(&delay, behind: 3000, times: FillWatch.window)
    #expect(delay.frames == 3000)
  }

  @Test("delays as great as a device's answer can be are added up without an overflow")
  func greatest() {
    var delay = DelayBehind(isOfCapture: true, isOfPlayback: true)
    let (least, most) = (DeviceAnswer.frames(.min), DeviceAnswer.frames(.max))
    for _ in 0..<2 * FillWatch.window {
      _ = delay.note(told: (most, most), held: (least, least), prefill: 192, period: 64)
    }
    // 2³¹ − 1 less −2³¹, of both.
    #expect(delay.frames == 2 * ((1 << 32) - 1))
  }

  @Test("a device that tells less than it holds has nothing behind it, and a card's is not looked at")
  func nothingBehind() {
    var delay = DelayBehind(isOfPlayback: true)
    _ = note(&delay, behind: -150, times: 2 * FillWatch.window)
    #expect(delay.frames == 0)
    var ofCapture = DelayBehind(isOfCapture: true)
    _ = note(&ofCapture, behind: 1000, times: 2 * FillWatch.window)
    #expect(ofCapture.frames == 0)
    #expect(!DelayBehind().isSought)
  }
}
