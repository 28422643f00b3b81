import Acoustics
import CAllocationProbe
import Fitting
import Glibc
import Realtime
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// No heap call and no lock on the audio thread, counted by the allocation probe and watched by
/// RealtimeSanitizer where it is linked. The compiler's own analysis of the same functions runs with every
/// release build.
@Suite("Real-time safety of the chain") struct ChainRealtimeSafetyTests {
  struct Sizes: Sendable {
    var rate: Double
    var frames: Int
  }

  static let sizes = [
    Sizes(rate: 44_100, frames: 64), Sizes(rate: 44_100, frames: 16), Sizes(rate: 48_000, frames: 1024),
    Sizes(rate: 96_000, frames: 441),
  ]

  /// Sound of each kind, one block each, repeated until every path has been taken.
  static func blocks(_ sizes: Sizes) -> [[Float]] {
    let count = sizes.frames * 24
    var broken = Signal.noise(peak: 0.1, count: count)
    broken[count / 2] = .nan
    broken[count / 3] = .infinity
    let sounds = [
      Signal.tone(1000, level: 65, count: count, sampleRate: sizes.rate),
      Signal.speechLike(level: 70, count: count, sampleRate: sizes.rate),
      Signal.noise(peak: 1, count: count),
      Signal.silence(count), broken, Signal.square(100, peak: 1, count: count, sampleRate: sizes.rate),
      [Float](repeating: .leastNonzeroMagnitude, count: count),
    ]
    return sounds.flatMap { sound in
      stride(from: 0, to: count, by: sizes.frames).map { Array(sound[$0..<$0 + sizes.frames]) }
    }
  }

  @Test(
    "processing, changing, opening, closing and restarting take no heap call and no lock", arguments: sizes)
  func nothing(_ sizes: Sizes) throws {
    #expect(allocation_probe_is_active() == (getenv("AURICLE_SANITIZER") == nil))
    let geometry = try ChainGeometry(sampleRate: sizes.rate, blockFrames: sizes.frames)
    let settings = try [StandardAudiogram.n3, .n7].map { audiogram in
      let curves = try NALRPCompressive.standard.curves(for: audiogram.audiogram, bands: .standard)
      var ear = ChainRig.ear(curves, limit: 105)
      if audiogram == .n7 {
        ear.lowering = try FrequencyLowering(cutoff: 2000, ratio: 2)
        ear.tinnitusSound = try TinnitusSound(
          shape: .notched(pitch: 4000, width: 1), level: SoundPressureLevel(50))
      }
      var dynamics = Dynamics.speech
      dynamics.binauralLink = 0.5
      return try ChainParameters(
        Binaural(both: ear), dynamics: dynamics,
        bands: .standard,
        geometry: geometry)
    }
    let feed = StreamingFeed()
    let streamed = AlignedBuffer<Float>(count: sizes.frames) { _ in 0.05 }
    (feed.isFlowing, feed.isSounding) = (true, true)
    var chain = try LimitedChain(
      geometry: geometry, bands: .standard, parameters: settings[0], streaming: feed)
    let blocks = Self.blocks(sizes)
    var left = [Float](repeating: 0, count: sizes.frames)
    var right = left
    var (silent, streaming) = (0, 0)
    let control = flushDenormals()
    // The first round warms up: what a first call sets up is not what the audio thread does.
    for round in 0..<3 {
      for (index, block) in blocks.enumerated() {
        let input = block.span
        var leftOutput = left.mutableSpan
        var rightOutput = right.mutableSpan
        // Streamed sound that is there, stays away and comes back.
        feed.target = 4 * sizes.frames + 300
        if index % 50 < 35 { _ = feed.push(left: streamed, right: streamed, count: sizes.frames) }
        allocation_probe_start()
        RealtimeScope.enter()
        if index % 17 == 3 { chain.retarget(to: settings[index % 2]) }
        if index % 40 == 7 { chain.close() }
        if index % 40 == 20 { chain.open() }
        if index % 31 == 9 { chain.restart() }
        chain.process(left: input, right: input, intoLeft: &leftOutput, intoRight: &rightOutput)
        silent += chain.isSilent ? 1 : 0
        streaming += chain.meters.streaming.isHeard ? 1 : 0
        RealtimeScope.exit()
        let counts = allocation_probe_stop()
        if round > 0 {
          #expect(
            counts.allocations == 0 && counts.frees == 0 && counts.locks == 0, "block \(index): \(counts)")
        }
      }
    }
    control.restore()
    #expect(silent > 0 && streaming > 0)
    #expect(chain.meters.left.nonFinite >= 6)
    #expect(chain.meters.left.limitedFrames > 0)
  }
}
