import Glibc
import Testing

@testable import AudioIOTesting
@testable import Engine
@testable import EngineTesting

/// Sound that a recorder is given, on a scripted card.
@Suite("Sound of a watch") struct WatchedSoundTests {
  /// Sound and frames of 3000 blocks of a tone of 1 kHz at 60 dB SPL, fetched every 20 blocks but between two.
  private static func watch(
    without gap: Range<Int> = 0..<0
  ) throws -> (sound: [WatchedSound], frames: [SpectrumFrame]) {
    let bench = try LiveBench { $0.hearing = SpectrumFrameTests.hearing }
    // A sine at 60 dB below full scale, which is 120 dB SPL.
    bench.rig.source = { frame, _ in Float(0.001 * sin(2 * .pi * 1000 * Double(frame) / LiveBench.rate)) }
    let aid = bench.aid()
    aid.spectra.start()
    aid.spectra.keepSound(true)
    var (sound, frames) = ([WatchedSound](), [SpectrumFrame]())
    for block in stride(from: 20, to: 3000, by: 20) where !gap.contains(block) {
      bench.before(block: block) {
        frames += aid.spectra.frames()
        sound += aid.spectra.takeSound()
      }
    }
    bench.before(block: 3000) { bench.stop.request() }
    try aid.start()
    #expect(eventually { aid.state == .stopped })
    aid.stop()
    return (sound, frames)
  }

  /// Level of one channel, dB SPL: full scale is a sine of 120 dB SPL, whose mean square is ½.
  private static func level(_ samples: some Sequence<SIMD4<Float>>, _ channel: Int) -> Double {
    let squares = samples.map { Double($0[channel]) * Double($0[channel]) }
    return 10 * log10(2 * squares.reduce(0, +) / Double(squares.count)) + 120
  }

  @Test(
    "has the level of the tone, and of its spectrum within 0.1 dB, before and behind the aid, without a gap"
  )
  func level() throws {
    let (sound, frames) = try Self.watch()
    #expect(sound.allSatisfy { $0.lost == 0 && $0.sampleRate == LiveBench.rate })
    for (stretch, next) in zip(sound, sound.dropFirst()) {
      #expect(abs(next.end - stretch.end - Double(next.samples.count) / LiveBench.rate) < 1e-9)
    }
    // The last second: the gain has settled.
    let end = try #require(sound.last?.end)
    let late = sound.filter { $0.end > end - 1 }.flatMap(\.samples)
    let spectra = frames.filter { $0.time > end - 1 }
    #expect(abs(Self.level(late, 0) - 60) < 0.1)
    for (channel, levels) in [
      spectra.map(\.ears.left.input.level), spectra.map(\.ears.right.input.level),
      spectra.map(\.ears.left.output.level), spectra.map(\.ears.right.output.level),
    ].enumerated() {
      #expect(abs(Self.level(late, channel) - SpectrumFrameTests.mean(levels)) < 0.1)
    }
  }

  @Test("that nobody fetches is counted where it is missing: with it, the sound is as long as time")
  func gap() throws {
    let (sound, _) = try Self.watch(without: 1000..<1600)
    let lost = sound.filter { $0.lost > 0 }
    #expect(lost.count == 1)
    let (first, last) = (try #require(sound.first), try #require(sound.last))
    let frames = sound.dropFirst().reduce(0) { $0 + $1.samples.count + $1.lost }
    // Time is that of the card: the sound that came and what was lost of it, whole blocks.
    #expect(abs((last.end - first.end) * LiveBench.rate - Double(frames)) < 0.5)
    #expect(frames % 64 == 0 && frames > 2900 * 64 - 64 * 64)
    // The ring held 16,384 frames of the 600 blocks.
    #expect(try #require(lost.first).lost > 600 * 64 - 16_384 - 40 * 64)
  }

  @Test("goes on in time where the devices are opened anew at another rate, and so do its spectra")
  func otherRate() throws {
    let bench = try LiveBench { $0.hearing = SpectrumFrameTests.hearing }
    let aid = bench.aid()
    aid.spectra.start()
    aid.spectra.keepSound(true)
    var (times, ends) = ([Double](), [Double]())
    for block in stride(from: 20, to: 8000, by: 20) {
      bench.before(block: block) {
        times += aid.spectra.frames().map(\.time)
        ends += aid.spectra.takeSound().map(\.end)
      }
    }
    for block in [4000, 8000] { bench.before(block: block) { bench.stop.request() } }
    func play() throws -> Double {
      let before = bench.blocks
      try aid.start()
      #expect(eventually { aid.state == .stopped })
      aid.stop()
      return Double(64 * (bench.blocks - before))
    }
    var sound = try play() / LiveBench.rate
    var settings = bench.settings
    settings.stream.rate = 48_000
    try aid.replace(settings)
    sound += try play() / 48_000
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(zip(ends, ends.dropFirst()).allSatisfy { $0 < $1 })
    // Two frames, one look, and the fall: 0.16 s. By the later rate the former sound alone would be 0.47 s shorter.
    #expect(try #require(times.last) > sound - 0.3)
  }

  @Test("is handed out only where somebody asks for it")
  func unasked() throws {
    let bench = try LiveBench { $0.hearing = SpectrumFrameTests.hearing }
    let aid = bench.aid()
    aid.spectra.start()
    var sound: [WatchedSound] = []
    bench.before(block: 200) {
      _ = aid.spectra.frames()
      sound = aid.spectra.takeSound()
      bench.stop.request()
    }
    try aid.start()
    #expect(eventually { aid.state == .stopped })
    aid.stop()
    #expect(sound.isEmpty)
  }
}
