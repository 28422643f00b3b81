import AudioIOTesting
import Testing

@testable import Engine
@testable import EngineTesting

@Suite("Told latency") struct ToldLatencyTests {
  @Test("a period too many nineteen times in twenty does not hide the right one")
  func tooLong() {
    var told = ToldLatency()
    #expect(told.believed == nil)
    for reading in 0..<400 { told.tell(reading % 20 == 0 ? 192 : 256) }
    #expect(told.believed == 192)
  }

  @Test("what is told once in fifty times is not believed")
  func tooShort() {
    var told = ToldLatency()
    for reading in 0..<10_000 {
      told.tell(reading % 50 == 0 ? 64 : 192)
      if reading > 0 { #expect(told.believed == 192) }
    }
  }

  @Test(
    "the first reading is believed, and of delays that wander the shortest three in a hundred are left out")
  func wandering() {
    var told = ToldLatency()
    told.tell(500)
    #expect(told.believed == 500)
    told = ToldLatency()
    for reading in 0..<1000 { told.tell(1000 + reading * 37 % 1000) }
    // 0.03 of 1000, and one.
    #expect(told.believed == 1031)
  }

  @Test(
    "a delay beyond all sense, which is a plugin's to tell, is told as the greatest number, not as a negative one"
  )
  func beyondSense() throws {
    let bench = try LiveBench()
    bench.rig.setBehind(.playback, Int(Int32.max))
    bench.run(until: 60)
    let reading = bench.state.reading.load()
    #expect(reading.deviceLatency == Int32.max && reading.believedLatency == Int32.max)
  }
}
