import AudioIO
import AudioIOTesting
import Testing

@testable import Engine
@testable import EngineTesting

@Suite("Drop-outs again and again") struct DropoutTests {
  /// Blocks of 64 frames in a second.
  static let second = LiveBench.rate / Double(LiveBench.period)

  /// A bench with drop-outs every 100 blocks, 0.15 s, from one time to another; and the times at which the reading says that
  /// they keep the sound down.
  static func play(rise: Double, from first: Double, to last: Double, until end: Double) throws -> [Double]
  {
    let bench = try LiveBench(recordingCapacity: 1) { $0.ramp = rise }
    var told: [Double] = []
    for block in stride(from: Int(first * second), through: Int(last * second), by: 100) {
      bench.before(block: block) {
        bench.rig.schedule(ScriptedFault(.playback, .write, .fail(.xrun)))
      }
    }
    for block in stride(from: 0, to: Int(end * second), by: 69) {
      bench.before(block: block) {
        if bench.state.reading.load().isKeptDown { told.append(Double(block) / second) }
      }
    }
    bench.run(until: Int(end * second))
    #expect(bench.losses.isEmpty && !bench.ranAway)
    #expect(bench.restarts.count == Int((last - first) * second) / 100 + 1)
    return told
  }

  /// One second of sound, 5 s of drop-outs, then sound again; full sound is there after 0.5 s. Readings are 0.05 s apart, looks
  /// 0.1 s.
  @Test("that keep the sound below its level are told after 3 s of them, until it has been full for 3 s")
  func keptDown() throws {
    let told = try Self.play(rise: 0.5, from: 1, to: 6, until: 10)
    let (first, last) = (try #require(told.first), try #require(told.last))
    #expect(first >= 4 && first < 4.2)
    // The last drop-out is up to 0.15 s before 6 s.
    #expect(last > 9.1 && last < 9.6)
    #expect(
      told.count == Int(((last - first) / 69 * Self.second).rounded()) + 1, "and all the time between")
  }

  @Test("between which the sound reaches its level are not")
  func shortRise() throws {
    #expect(try Self.play(rise: LiveBench.rise, from: 1, to: 6, until: 8) == [])
  }

  @Test("before a mute are forgotten by it")
  func muted() {
    var watch = DropoutWatch()
    for _ in 0..<3 { watch.note() }
    for _ in 0..<50 { watch.count(0.1, isRising: true) }
    watch.forget()
    #expect(!watch.isKeptDown)
    for _ in 0..<50 { watch.count(0.1, isRising: true) }
    #expect(!watch.isKeptDown)
  }

  @Test("two of them during one long rise are not, and three are")
  func few() {
    for (count, isTold) in [(2, false), (3, true)] {
      var watch = DropoutWatch()
      for _ in 0..<count { watch.note() }
      for _ in 0..<50 { watch.count(0.1, isRising: true) }
      #expect(watch.isKeptDown == isTold)
    }
  }
}
