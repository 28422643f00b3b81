import Base
import CAllocationProbe
import Glibc
import Synchronization
import Testing

@testable import Realtime

/// What the audio thread does with this module, proven three ways: the compiler analyses the functions marked
/// `@_noAllocation` below (this file does not compile otherwise), the allocation probe counts, and
/// RealtimeSanitizer watches when the tests are linked with it.
@Suite("Real-time safety of the hand-over structures") struct RealtimeSafetyTests {
  final class Gains: Sendable {
    let left: Float
    let bands: AlignedBuffer<Float>
    init(_ left: Float) {
      self.left = left
      bands = AlignedBuffer(count: 20)
    }
  }

  struct Event: BitwiseCopyable, Sendable {
    var kind: UInt8
    var time: Double
  }

  /// An audio thread's side of everything.
  final class Engine: Sendable {
    let events = SPSCRing<Event>(capacity: 16)
    let reading = WideValue(1)
    let meters = Seqlock(WideValue(2))
    let gains = Handover(Gains(1))

    @_noAllocation
    func block(_ scratch: inout AlignedBuffer<Float>) -> Float {
      var sum: Float = 0
      if gains.update() { sum += 1 }
      sum += gains.withCurrent { bandSum($0) }
      meters.store(reading)
      if !events.push(Event(kind: 1, time: SystemTime.monotonic)) { sum -= 1 }
      if let event = events.pop() { sum += Float(event.time - event.time) }
      scratch.fill(sum)
      for index in 0..<scratch.count { scratch[index] += squareRoot(scratch[index]) }
      sum += Float(truncated(scratch[0]))
      sum += Float(SystemTime.thread * 0)
      let control = flushDenormals()
      control.restore()
      return sum
    }
  }

  /// Warm-up, then whatever the measure counts; returns the last result so that nothing is left out.
  func run(_ engine: Engine, measure: (() -> Void) -> Void) -> Float {
    var scratch = AlignedBuffer<Float>(count: 64)
    var result = engine.block(&scratch)
    engine.gains.publish(Gains(2))
    measure { for _ in 0..<100 { result = engine.block(&scratch) } }
    return result
  }

  @Test("no heap call and no lock in 100 rounds, hand-over of a new object included")
  func probe() {
    #expect(allocation_probe_is_active() == (getenv("AURICLE_SANITIZER") == nil))
    let engine = Engine()
    var counts = allocation_probe_counts()
    _ = run(engine) { work in
      allocation_probe_start()
      work()
      counts = allocation_probe_stop()
    }
    #expect(engine.gains.withCurrent { $0.left } == 2)
    #expect(counts.allocations == 0)
    #expect(counts.frees == 0)
    #expect(counts.locks == 0)
  }

  @Test("nothing in 100 rounds blocks, by RealtimeSanitizer's judgement where it is linked")
  func sanitizer() {
    let engine = Engine()
    _ = run(engine) { work in
      RealtimeScope.enter()
      work()
      RealtimeScope.exit()
    }
    #expect(engine.gains.withCurrent { $0.left } == 2)
    let lane = getenv("AURICLE_SANITIZER").map { String(cString: $0) }
    #expect(RealtimeScope.isChecked == (lane == "realtime"))
  }

  @Test("the sanitizer, where linked, ends a program that allocates inside a scope")
  func sanitizerBites() async {
    await #expect(processExitsWith: RealtimeScope.isChecked ? .failure : .success) {
      RealtimeScope.enter()
      heapRoundTrip()
      RealtimeScope.exit()
    }
  }
}

@_noAllocation
private func bandSum(_ gains: RealtimeSafetyTests.Gains) -> Float {
  var sum = gains.left
  for band in 0..<gains.bands.count { sum += gains.bands[band] }
  return sum
}
