import AudioIO
import CAllocationProbe
import Testing

@Suite("Audio path", .serialized, .enabled(if: ALSALaboratory.isReady && allocation_probe_is_active()))
struct AllocationTests {
  /// Debug builds allocate for every generic call; the audio path is for optimised ones.
  static let isOptimised: Bool = {
    var isDebug = false
    assert(
      {
        isDebug = true
        return true
      }())
    return !isDebug
  }()

  @Test(
    "ten thousand blocks over alsa-lib's null device: no heap call, no lock",
    .enabled(if: isOptimised), arguments: [ClockPairing.shared, .separate])
  func noAllocation(pairing: ClockPairing) throws {
    var stream = DuplexStream(
      capture: ALSADevice(name: "null", direction: .capture),
      playback: ALSADevice(name: "null", direction: .playback), clock: SystemClock(), pairing: pairing)
    try stream.open()
    var left = [Float](repeating: 0, count: stream.period)
    var right = left
    var blocks = 0
    // One block of every path first: the first call may build metadata.
    for measured in [false, true] {
      if measured { allocation_probe_start() }
      for _ in 0..<(measured ? 10_000 : 10) {
        if stream.wait() != .block { continue }
        var leftSpan = left.mutableSpan
        var rightSpan = right.mutableSpan
        if stream.read(left: &leftSpan, right: &rightSpan) != .block { continue }
        if stream.write(left: left.span, right: right.span) == .block { blocks += 1 }
        _ = stream.measureLatency()
      }
      // The restart too: stopped, the next wait begins anew.
      stream.stop()
    }
    let counts = allocation_probe_stop()
    #expect(blocks == 10_010)
    #expect(counts.allocations == 0 && counts.frees == 0)
    #expect(counts.locks == 0)
  }
}
