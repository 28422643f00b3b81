import Testing

@testable import AudioIO
@testable import AudioIOTesting

@Suite("Capture at another clock's pace") struct PacedCaptureTests {
  @Test(
    "a period that the other side cannot bridge is refused with those that it can; the longest that it can is taken"
  )
  func period() throws {
    // At most 0.1 s, and what the other side bridges: 0.05 s at 96 kHz are 4800 frames.
    for (longest, most) in [(0.05, 4800), (1, 9600)] {
      let rig = FakeRig(recordingCapacity: 0)
      rig.offer.rates = [96_000]
      rig.offer.period = most + 1...65_536
      var capture = PacedCapture(rig.device(.capture), clock: rig.clock)
      do {
        try capture.open(rate: 96_000, jitter: 0.001, longestPeriod: longest)
        Issue.record("it was opened")
      } catch { #expect(error == .periodRefused(name: "fake", granted: most + 1, expected: 1...most)) }
      let closed = capture.format
      #expect(closed == nil && !rig.capture.isOpen)
      rig.offer.period = most...65_536
      try capture.open(rate: 96_000, jitter: 0.001, longestPeriod: longest)
      let granted = capture.format?.period
      #expect(granted == most)
    }
  }
}
