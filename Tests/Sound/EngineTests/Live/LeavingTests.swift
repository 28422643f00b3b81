import AudioIO
import HearingDSP
import Realtime
import Testing

@testable import AudioIOTesting
@testable import Engine
@testable import EngineTesting

/// A part that is to leave the loop, and is wanted again before it is silent.
@Suite("A part that leaves the loop") struct LeavingTests {
  /// Linear; far below every limit.
  static let factor: Float = 1e-3

  /// A constant, so that every step that is heard is the ramp's.
  static func take(_ factor: Float, _ limits: OutputLimits) -> Take {
    Take(
      .init(ear: .left, factor: factor, settling: 60_000, frames: 1), of: PeriodicSound([1]),
      limits: limits, wake: nil)
  }

  @Test(
    "falls silent by its ramp and takes up nothing meanwhile: no step above a raised cosine's, 1.5 / N"
  )
  func leaves() throws {
    let limits = try OutputLimits(OutputSafetyTests.ears())
    let script = try CountedScript()
    let state = LoopState()
    state.wanted.store(.procedure, ordering: .relaxed)
    let changes = Handover(Take.none)
    changes.publish(Self.take(Self.factor, limits))
    var left = 0
    // 5 ms into the fall of 20 ms, another test begins.
    script.at(20_000) {
      left = script.rig.heardLeft.count
      state.wanted.store(.aid, ordering: .releasing)
    }
    script.at(20_240) {
      state.wanted.store(.procedure, ordering: .releasing)
      changes.publish(Self.take(-Self.factor, limits))
    }
    script.at(60_000) { script.stop.request() }
    var loop = AudioLoop(
      stream: script.stream(), settings: { CountedScript.settings }, state: state)
    try loop.stream.open()
    let geometry = try ChainGeometry(sampleRate: LiveBench.rate, blockFrames: LiveBench.period)
    var limited = LimitedPerformer(TakePerformer(geometry: geometry), limits: limits, rise: LiveBench.rise)
    var block = SoundBlock(frames: LiveBench.period)
    var tap = MeterTap(state, blockTime: Double(LiveBench.period) / LiveBench.rate)
    let ending = loop.flow(
      &limited, as: .procedure, changes: changes, &block, &tap, until: script.stop)
    loop.stream.close()

    #expect(ending == .handedOver)
    let heard = script.rig.heardLeft
    #expect(abs(heard[left - 1] - Self.factor) <= 1e-6)
    let steepest = 1.5 / Float(OutputSafety.fallTime * LiveBench.rate) * Self.factor
    // Rounding of samples as the card takes them, and of the ramp's polynomial.
    let steps = zip(heard[(left - 1)...], heard[left...]).map { abs($0 - $1) }
    #expect(steps.max() ?? 1 <= 1.01 * steepest + 1e-7)
    #expect(heard.allSatisfy { $0 >= 0 })
  }
}
