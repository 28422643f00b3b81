import Acoustics
import Fitting
import Glibc
import Realtime
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// A stream by a prescription, as it lies in the feed.
@Suite("Prescription of streamed sound") struct StreamingChainTests {
  static let rate = 44_100.0

  /// A setting whose stream is 85 dB SPL at full scale, in earphones of 120 dB SPL.
  static func setting(
    _ curves: [GainCurve], level: Double = 0, frames: Int = 64
  ) throws -> StreamingChain.Setting {
    var ear = ChainRig.ear(curves)
    ear.inputAtFullScale = SoundPressureLevel(85)
    let geometry = try ChainGeometry(sampleRate: rate, blockFrames: frames)
    let parameters = try ChainParameters(
      Binaural(both: ear), dynamics: Dynamics(attack: 0.01, release: 0.05), bands: .standard,
      geometry: geometry)
    return StreamingChain.Setting(parameters, level: level)
  }

  /// What a chain pushes for a sound, in pieces of a length that fits no block.
  static func pushed(
    _ sound: [Float], by chain: inout StreamingChain, from feed: StreamingFeed
  ) -> [Float] {
    var result: [Float] = []
    for start in stride(from: 0, to: sound.count, by: 100) {
      let piece = sound[start..<min(start + 100, sound.count)]
      let buffer = AlignedBuffer<Float>(count: piece.count) { piece[start + $0] }
      chain.process(left: buffer, right: buffer, count: piece.count)
      _ = feed.frames.pop(feed.waiting) { _, frame in result.append(frame[0]) }
    }
    return result
  }

  @Test(
    "a tone gets the gain of its level: that of the stream's calibration and its own level",
    arguments: [(amplitude: Float(0.1), level: 0.0), (0.01, 0), (0.1, -20), (0.05, 10)])
  func gain(amplitude: Float, level: Double) throws {
    let curves = try ChainRig.compressive(2)
    let feed = StreamingFeed()
    var chain = try StreamingChain(try Self.setting(curves, level: level), feed: feed)
    let found = Self.pushed(
      (0..<44_100).map { amplitude * Float(sin(2 * .pi * 1000 * Double($0) / Self.rate)) }, by: &chain,
      from: feed)
    let input = SoundPressureLevel(85 + 20 * log10(Double(amplitude)) + level)
    let target = input + curves[0].gain(at: input)
    let output = Measure.level(of: found[(found.count - 22_050)...], at: 1000)
    #expect(abs(output - target.decibels) < 0.5, "\(output) for \(target)")
    #expect(abs(chain.inputLevel - 20 * log10(Double(amplitude))) < 0.2)
    #expect(feed.isSounding && chain.lostFrames == 0)
  }

  @Test("silence for two seconds is none, a sound above −60 dB FS is")
  func sounding() throws {
    let feed = StreamingFeed()
    var chain = try StreamingChain(try Self.setting(try ChainRig.flat(0)), feed: feed)
    _ = Self.pushed(Signal.silence(4410), by: &chain, from: feed)
    #expect(!feed.isSounding)
    let soft = (0..<4410).map { 0.002 * Float(sin(0.3 * Double($0))) }
    _ = Self.pushed(soft, by: &chain, from: feed)
    #expect(feed.isSounding)
    _ = Self.pushed(Signal.silence(44_100 * 19 / 10), by: &chain, from: feed)
    #expect(feed.isSounding)
    _ = Self.pushed(Signal.silence(44_100 / 5), by: &chain, from: feed)
    #expect(!feed.isSounding)
  }

  /// Sends both channels through a chain and throws away what it pushes.
  static func send(
    _ left: [Float], _ right: [Float], to chain: inout StreamingChain, from feed: StreamingFeed
  ) {
    for start in stride(from: 0, to: left.count, by: 100) {
      let count = min(100, left.count - start)
      let leftBuffer = AlignedBuffer<Float>(count: count) { left[start + $0] }
      let rightBuffer = AlignedBuffer<Float>(count: count) { right[start + $0] }
      chain.process(left: leftBuffer, right: rightBuffer, count: count)
      feed.frames.skip(feed.waiting)
    }
  }

  @Test(
    "a tone of −59 dB FS in either channel is a sound, one of −61 dB FS is silence",
    arguments: [(level: -59.0, isSound: true), (-61, false)])
  func threshold(level: Double, isSound: Bool) throws {
    // Of a tone of this frequency a block's mean square lies within 0.25 dB of the whole's: 1/(64 sin 0.3)
    // of it.
    let tone = (0..<4410).map { Float(pow(10, level / 20) * sin(0.3 * Double($0))) }
    for isLeft in [true, false] {
      let feed = StreamingFeed()
      var chain = try StreamingChain(try Self.setting(try ChainRig.flat(0)), feed: feed)
      let silence = Signal.silence(tone.count)
      Self.send(isLeft ? tone : silence, isLeft ? silence : tone, to: &chain, from: feed)
      #expect(feed.isSounding == isSound)
    }
  }

  @Test("the level is that of the louder channel, whatever lies between both channels' phases")
  func level() throws {
    let omega = 2 * Double.pi * 1000 / Self.rate
    let sine = (0..<44_100).map { 0.1 * Float(sin(omega * Double($0))) }
    let cosine = (0..<44_100).map { 0.1 * Float(cos(omega * Double($0))) }
    // 0.1 is −20 dB, and twice that 6.02 dB more.
    let trials: [(left: [Float], right: [Float], expected: Double)] = [
      (sine, cosine, -20), (sine, cosine.map { 2 * $0 }, -13.98), (sine, Signal.silence(44_100), -20),
    ]
    for (left, right, expected) in trials {
      let feed = StreamingFeed()
      var chain = try StreamingChain(try Self.setting(try ChainRig.flat(0)), feed: feed)
      Self.send(left, right, to: &chain, from: feed)
      // What is left of the beginning after eight time constants, and of the blocks' parts of a period, is
      // less.
      #expect(abs(chain.inputLevel - expected) < 0.1, "\(chain.inputLevel)")
    }
  }

  @Test("another level is reached at 20 dB a second, without a jump")
  func turned() throws {
    let feed = StreamingFeed()
    let curves = try ChainRig.flat(0)
    var chain = try StreamingChain(try Self.setting(curves), feed: feed)
    let tone = (0..<44_100).map { 0.1 * Float(sin(2 * .pi * 1000 * Double($0) / Self.rate)) }
    _ = Self.pushed(tone, by: &chain, from: feed)
    chain.retarget(to: try Self.setting(curves, level: -10))
    let found = Self.pushed(tone, by: &chain, from: feed)
    let levels = stride(from: 0, to: found.count - 2205, by: 2205).map {
      Measure.level(of: found[$0..<$0 + 2205], at: 1000)
    }
    for (now, next) in zip(levels, levels.dropFirst()) { #expect(now - next < 1.2 && now - next > -0.1) }
    // 65 dB SPL in, 0 dB: 10 dB less after half a second.
    #expect(abs(levels[levels.count - 1] - 55) < 0.3)
  }

  @Test("a block longer than a hop, and what is no number, is taken as well")
  func blocks() throws {
    let feed = StreamingFeed()
    var chain = try StreamingChain(try Self.setting(try ChainRig.flat(0), frames: 441), feed: feed)
    var sound = Signal.noise(peak: 0.1, count: 44_100)
    sound[20_000] = .nan
    let found = Self.pushed(sound, by: &chain, from: feed)
    #expect(found.count == 44_100 && Measure.isFinite(found))
    #expect(Measure.peak(found[40_000...]) > 0.001)
  }
}
