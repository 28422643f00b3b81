import AudioIO
import CAllocationProbe
import Glibc
import Testing

/// Calls of the audio thread to alsa-lib itself, counted by the allocation probe.
@Suite("Real-time safety of a stream on a device") struct StreamRealtimeSafetyTests {
  /// Blocks written, and heap calls and locks of all but the first ten: the first call of each path may build metadata.
  static func play(_ pairing: ClockPairing) throws -> (blocks: Int, counts: allocation_probe_counts) {
    var stream = DuplexStream(
      capture: ALSADevice(name: "null", direction: .capture),
      playback: ALSADevice(name: "null", direction: .playback), clock: SystemClock(), pairing: pairing)
    try stream.open()
    var left = [Float](repeating: 0, count: stream.period)
    var right = left
    var blocks = 0
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
    stream.close()
    return withExtendedLifetime((left, right)) { (blocks, counts) }
  }

  @Test(
    "ten thousand blocks over alsa-lib's null device, with one clock and with two: no heap call, no lock",
    .enabled(if: access("/usr/share/alsa/alsa.conf", R_OK) == 0))
  func null() async {
    // A process of its own: alsa-lib reads once whether it shall lock for callers that share a device.
    await #expect(processExitsWith: .success) {
      setenv("LIBASOUND_THREAD_SAFE", "0", 1)
      for pairing in [ClockPairing.shared, .separate] {
        let (blocks, counts) = try StreamRealtimeSafetyTests.play(pairing)
        #expect(blocks == 10_010, "\(pairing)")
        #expect(counts.allocations == 0, "\(pairing)")
        #expect(counts.frees == 0, "\(pairing)")
        #expect(counts.locks == 0, "\(pairing)")
      }
      #expect(allocation_probe_is_active() == LiveRealtimeSafetyTests.isCounting)
    }
  }
}
