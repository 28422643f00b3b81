import Testing

@testable import HearingDSP

@Suite("Sizes of a chain") struct ChainGeometryTests {
  @Test("at every rate the hops of every block from 16 to 1024 frames cover it exactly, none too long")
  func hops() throws {
    for rate in ChainGeometry.sampleRates {
      for frames in ChainGeometry.blockRange {
        let geometry = try ChainGeometry(sampleRate: rate, blockFrames: frames)
        var next = 0
        var longest = 0
        for hop in 0..<geometry.hopsPerBlock {
          #expect(geometry.hopStart(hop) == next)
          let length = geometry.hopStart(hop + 1) - next
          #expect(length > 0)
          longest = max(longest, length)
          next += length
        }
        #expect(next == frames)
        #expect(longest == geometry.longestHop)
        // 64 frames at 44.1 kHz, and what covers no more time at twice the rate.
        #expect(longest <= (rate > 50_000 ? 128 : 64))
      }
    }
  }

  @Test("the window covers 10.6 to 11.7 ms at every rate")
  func window() throws {
    for rate in ChainGeometry.sampleRates {
      let geometry = try ChainGeometry(sampleRate: rate, blockFrames: 64)
      let time = Double(geometry.filterLength) / rate
      #expect(time > 0.0106 && time < 0.0117)
      #expect(geometry.analysisLength * 2 == geometry.filterLength)
      #expect(geometry.binCount == geometry.filterLength / 2 + 1)
    }
  }

  @Test(
    "other rates are refused with the rate found",
    arguments: [0, 8000, 22_050, 44_101, 192_000, -44_100, .infinity])
  func rates(_ rate: Double) {
    #expect(throws: ChainError.unsupportedSampleRate(rate)) {
      try ChainGeometry(sampleRate: rate, blockFrames: 64)
    }
  }

  @Test("a rate that is no number is refused")
  func noRate() {
    #expect(throws: ChainError.self) { try ChainGeometry(sampleRate: .nan, blockFrames: 64) }
  }

  @Test(
    "what a chain refuses is told in words, with its unit and what is accepted",
    arguments: [
      (ChainError.unsupportedBlock(frames: 2048), "block: found 2048 frames, expected 16 to 1024"),
      (.unsupportedSampleRate(22_050), "sample rate: found 22050 Hz, expected 44100, 48000 or 96000 Hz"),
      (
        .outOfRange(.time, name: "attack", found: 2, range: 0.001...0.1),
        "attack: found 2000 ms, expected 1 to 100 ms"
      ),
      (
        .outOfRange(.level, name: "output limit", found: 130, range: 60...120),
        "output limit: found 130 dB SPL, expected 60 to 120 dB SPL"
      ),
      (.gainOutOfRange(band: 0, limit: 80), "found a gain beyond reach in band 1, expected at most 80 dB"),
      (.noPlan(length: 512), "found no plan for a transform of 512 samples, expected one"),
    ])
  func words(error: ChainError, text: String) { #expect("\(error)" == text) }

  @Test(
    "blocks outside 16...1024 frames are refused with their size",
    arguments: [Int.min, -64, 0, 15, 1025, Int.max])
  func blocks(_ frames: Int) {
    #expect(throws: ChainError.unsupportedBlock(frames: frames)) {
      try ChainGeometry(sampleRate: 48_000, blockFrames: frames)
    }
  }
}
