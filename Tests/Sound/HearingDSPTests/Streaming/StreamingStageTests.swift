import Acoustics
import Fitting
import Glibc
import Realtime
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// Streamed sound as the audio thread adds it: what the feed holds, ramped.
@Suite("Streamed sound in the chain") struct StreamingStageTests {
  static let frames = 64
  static let rate = 44_100.0
  static let fallFrames = 221
  /// Frames that must wait beyond a hop.
  static let reserve = fallFrames + frames

  /// A chain of 0 dB with a feed, and what both ears hear of it.
  struct Bench: ~Copyable {
    let feed = StreamingFeed()
    var chain: LimitedChain
    var left: [Float] = []
    var right: [Float] = []

    init(reduction: Double = 0, limit: Double = 120) throws {
      let geometry = try ChainGeometry(sampleRate: rate, blockFrames: frames)
      var treatment = Treatment.plain
      treatment.streamingReduction = reduction
      let parameters = try ChainParameters(
        Binaural(both: ChainRig.ear(try ChainRig.flat(0), limit: limit)), dynamics: Dynamics(),
        treatment: treatment, bands: .standard, geometry: geometry)
      var chain = try LimitedChain(
        geometry: geometry, bands: .standard, parameters: parameters, rise: 0.05, streaming: feed)
      chain.open()
      self.chain = chain
      feed.target = 512
      feed.isFlowing = true
    }

    /// Pushes the same sample so many times; the right ear's is its negative.
    @discardableResult func push(_ sample: Float, _ count: Int) -> Bool {
      let left = AlignedBuffer<Float>(count: count) { _ in sample }
      let right = AlignedBuffer<Float>(count: count) { _ in -sample }
      return feed.push(left: left, right: right, count: count)
    }

    /// Plays a block of the microphones' sound.
    mutating func play(_ microphones: Float = 0) {
      let input = [Float](repeating: microphones, count: frames)
      var (ownLeft, ownRight) = (input, input)
      do {
        var leftSpan = ownLeft.mutableSpan
        var rightSpan = ownRight.mutableSpan
        chain.process(left: input.span, right: input.span, intoLeft: &leftSpan, intoRight: &rightSpan)
      }
      left += ownLeft
      right += ownRight
    }

    var meters: StreamingMeters { chain.meters.streaming }
  }

  @Test("nothing is heard until the target waits; then it rises as 3x² − 2x³ over 0.2 s, each ear its own")
  func rises() throws {
    var bench = try Bench()
    // The aid itself has risen.
    for _ in 0..<40 { bench.play() }
    bench.push(0.1, 511)
    for _ in 0..<10 { bench.play() }
    #expect(bench.left.allSatisfy { $0 == 0 } && bench.feed.waiting == 511 && !bench.meters.isHeard)
    let start = bench.left.count
    for _ in 0..<200 {
      bench.push(0.1, Self.frames)
      bench.play()
    }
    #expect(bench.meters.isHeard && bench.meters.interruptions == 0)
    for n in stride(from: 0, to: 8820, by: 100) {
      let x = Float(n + 1) / 8820
      #expect(abs(bench.left[start + n] - 0.1 * x * x * (3 - 2 * x)) < 1e-4)
      #expect(bench.right[start + n] == -bench.left[start + n])
    }
    #expect(abs(bench.left[bench.left.count - 1] - 0.1) < 1e-6)
  }

  @Test("what is left falls to silence before it breaks off, and the rest of it is thrown away")
  func falls() throws {
    var bench = try Bench()
    for _ in 0..<300 {
      bench.push(0.1, bench.feed.waiting < 1024 ? Self.frames : 0)
      bench.play()
    }
    while bench.feed.waiting > 0 { bench.play() }
    let steps = zip(bench.left, bench.left.dropFirst()).map { abs($1 - $0) }
    // The steepest place of 3x² − 2x³ is 1.5 in the middle.
    #expect((steps.max() ?? 1) < 0.1 * 1.5 / Float(Self.fallFrames) * 1.05)
    #expect(bench.left[bench.left.count - 1] == 0)
    #expect(!bench.meters.isHeard && bench.meters.interruptions == 1)
    for _ in 0..<10 { bench.play() }
    #expect(bench.meters.interruptions == 1)
  }

  @Test("what piled up while nobody played is thrown away before sound begins")
  func piled() throws {
    var bench = try Bench()
    bench.push(0.1, 20_000)
    bench.play()
    #expect(bench.feed.waiting == 512 - Self.frames)
  }

  @Test("what piles up while it is heard is left, faded out and in")
  func pilesUp() throws {
    var bench = try Bench()
    bench.push(0.1, 600)
    for _ in 0..<300 {
      bench.push(0.1, Self.frames)
      bench.play()
    }
    bench.push(0.1, 3000)
    for _ in 0..<400 {
      bench.push(0.1, Self.frames)
      bench.play()
    }
    let steps = zip(bench.left, bench.left.dropFirst()).map { abs($1 - $0) }
    #expect((steps.max() ?? 1) < 0.1 * 1.5 / Float(Self.fallFrames) * 1.05)
    #expect(bench.feed.waiting < 3 * 512)
    #expect(abs(bench.left[bench.left.count - 1] - 0.1) < 1e-6)
  }

  @Test("what waits at the end of the stream is heard until as little is left as it takes to fall")
  func runsOut() throws {
    var bench = try Bench()
    bench.push(0.1, 600)
    for _ in 0..<300 {
      bench.push(0.1, Self.frames)
      bench.play()
    }
    // More than three times what has to wait, and less than three targets.
    bench.push(0.1, 1400 - bench.feed.waiting)
    bench.feed.target = 0
    let start = bench.left.count
    for _ in 0..<40 { bench.play() }
    let whole = bench.left[start...].count { abs($0 - 0.1) < 1e-6 }
    #expect(whole >= 1400 - Self.reserve - Self.frames)
    let steps = zip(bench.left[start...], bench.left[(start + 1)...]).map { abs($1 - $0) }
    #expect((steps.max() ?? 1) < 0.1 * 1.5 / Float(Self.fallFrames) * 1.05)
    #expect(bench.left[bench.left.count - 1] == 0 && !bench.meters.isHeard && bench.feed.waiting == 0)
  }

  @Test("what has piled up by the end of the stream is left, faded")
  func pilesUpAtTheEnd() throws {
    var bench = try Bench()
    bench.push(0.1, 600)
    for _ in 0..<300 {
      bench.push(0.1, Self.frames)
      bench.play()
    }
    bench.push(0.1, 3000)
    bench.feed.target = 0
    // The fall takes four blocks.
    for _ in 0..<5 { bench.play() }
    #expect(bench.left[bench.left.count - 1] == 0 && bench.feed.waiting == 0)
  }

  @Test("a full feed takes nothing more, and not a part")
  func full() throws {
    let bench = try Bench()
    let areTaken = [StreamingFeed.room - 10, 11, 10].map { bench.push(0.1, $0) }
    #expect(areTaken == [true, false, true])
  }

  @Test("after a gap of the aid what waited is gone")
  func restarts() throws {
    var bench = try Bench()
    bench.push(0.1, 1000)
    for _ in 0..<4 { bench.play() }
    bench.chain.restart()
    #expect(bench.feed.waiting == 0)
  }

  @Test(
    "a stream of anything but numbers, or beyond every gain, ends no sound",
    arguments: [Float.nan, .infinity, -.infinity, 1e30])
  func hostile(sample: Float) throws {
    var bench = try Bench(limit: 100)
    for _ in 0..<300 {
      bench.push(sample, bench.feed.waiting < 1024 ? 128 : 0)
      bench.play(0.001)
    }
    #expect(bench.chain.brokenHops == 0)
    // 100 dB SPL at the peak of a sine, 20 dB below full scale.
    #expect(bench.left.allSatisfy { abs($0) <= 0.1 })
  }

  @Test("microphones are as they were, sample by sample, beside a stream that does not lower them")
  func apart() throws {
    let sound = Signal.speechLike(level: 70, count: Self.frames * 400, sampleRate: Self.rate)
    func run(_ streams: Bool) throws -> [Float] {
      var bench = try Bench()
      for block in 0..<400 {
        if streams { bench.push(0.05, bench.feed.waiting < 1024 ? 128 : 0) }
        let input = Array(sound[block * Self.frames..<(block + 1) * Self.frames])
        var (left, right) = (input, input)
        do {
          var leftSpan = left.mutableSpan
          var rightSpan = right.mutableSpan
          bench.chain.process(
            left: input.span, right: input.span, intoLeft: &leftSpan, intoRight: &rightSpan)
        }
        bench.left += left
      }
      return bench.left
    }
    let (alone, beside) = (try run(false), try run(true))
    // Once risen the difference is the stream, to a rounding of the sum.
    for n in (alone.count - 5000)..<alone.count { #expect(abs(beside[n] - alone[n] - 0.05) < 1e-6) }
  }
}
