import Acoustics
import CAllocationProbe
import Fitting
import Glibc
import Realtime
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("What surrounds the wearer") struct SceneClassifierTests {
  /// Long enough that every judgement rests on four seconds of it.
  static let seconds = 8.0

  static func rig(_ sampleRate: Double = Prompts.rate, frames: Int = 64) throws -> ChainRig {
    try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(0))), sampleRate: sampleRate, frames: frames)
  }

  static func reading(
    _ sound: [Float], sampleRate: Double = Prompts.rate, frames: Int = 64
  ) throws -> SceneReading {
    var rig = try rig(sampleRate, frames: frames)
    _ = rig.run(sound)
    return rig.chain.meters.scene
  }

  static func speechNoise(
    _ level: Double, seconds: Double = seconds, sampleRate: Double = Prompts.rate
  ) -> [Float] {
    // Periods of half a second would be heard as a rhythm: noise of four times the rate, read in turns.
    let noise = SpeechNoise(level: level, sampleRate: sampleRate).samples
    var random = Seeded(11)
    var result: [Float] = []
    while result.count < Int(seconds * sampleRate) {
      let piece = Int.random(in: 2000...9000, using: &random)
      let start = Int.random(in: 0..<noise.count - piece, using: &random)
      result += noise[start..<start + piece]
    }
    return Array(result.prefix(Int(seconds * sampleRate)))
  }

  /// Chords of three notes with six partials each, struck every 0.8 s and dying away, dB SPL.
  static func chords(level: Double) -> [Float] {
    let rate = Prompts.rate
    let roots = [220.0, 293.66, 329.63, 246.94]
    var sound = [Float](repeating: 0, count: Int(seconds * rate))
    for n in sound.indices {
      let beat = Int(Double(n) / rate / 0.8)
      let t = Double(n) / rate - 0.8 * Double(beat)
      var sum = 0.0
      // A minor triad: 10:12:15.
      for ratio in [1, 1.2, 1.5] {
        for partial in 1...6 {
          sum += sin(2 * .pi * roots[beat % 4] * ratio * Double(partial) * t) / Double(partial)
        }
      }
      sound[n] = Float(sum * exp(-t / 0.5) * min(1, t / 0.01))
    }
    let factor = Float(pow(10, (level - Measure.level(of: sound[...])) / 20))
    return sound.map { $0 * factor }
  }

  @Test("silence is quiet, and so is noise of 35 dB SPL", arguments: [nil, 35.0])
  func quiet(_ level: Double?) throws {
    let count = Int(Self.seconds * Prompts.rate)
    let reading = try Self.reading(level.map { Self.speechNoise($0) } ?? Signal.silence(count))
    #expect(reading.scene == .quiet)
  }

  @Test("noise with the spectrum of speech is noise, soft and loud", arguments: [50.0, 65, 80])
  func noise(_ level: Double) throws {
    let reading = try Self.reading(Self.speechNoise(level))
    #expect(reading.scene == .noise)
    #expect(reading.confidence > 0.5)
    // The noise's own fluctuation over four seconds is far below 1 dB.
    #expect(abs(Double(reading.level) - level) < 1)
  }

  @Test("a voice is speech at any level from soft to loud", arguments: [50.0, 65, 80])
  func speech(_ level: Double) throws {
    let sound = try #require(Prompts.speech(level: level, seconds: Self.seconds))
    let reading = try Self.reading(sound)
    #expect(reading.scene == .speech)
    // Speech in quiet rises more than 20 dB above what lies between its words.
    #expect(reading.levelAboveBackground > 20)
  }

  @Test("a voice 3 dB above noise is speech in noise")
  func speechInNoise() throws {
    let voice = try #require(Prompts.speech(level: 65, seconds: Self.seconds))
    let sound = zip(voice, Self.speechNoise(62)).map { $0 + $1 }
    #expect(try Self.reading(sound).scene == .speechInNoise)
  }

  @Test("chords are music, and their pitch is steadier than that of noise")
  func music() throws {
    let reading = try Self.reading(Self.chords(level: 65))
    #expect(reading.scene == .music)
    #expect(reading.tonality > 0.5)
    #expect(try Self.reading(Self.speechNoise(65)).tonality < 0.2)
  }

  @Test(
    "the rate and the block change nothing",
    arguments: [(44_100.0, 64), (44_100, 16), (48_000, 1024), (96_000, 441)])
  func sizes(rate: Double, frames: Int) throws {
    let sound = Self.speechNoise(65, sampleRate: rate)
    #expect(try Self.reading(sound, sampleRate: rate, frames: frames).scene == .noise)
  }

  @Test("nothing is said before three seconds, and after a gap in the sound again nothing")
  func beginning() throws {
    var rig = try Self.rig()
    let sound = Self.speechNoise(65)
    _ = rig.run(Array(sound.prefix(Int(2.5 * Prompts.rate))))
    var scene = rig.chain.meters.scene.scene
    #expect(scene == nil)
    _ = rig.run(Array(sound.prefix(Int(1.5 * Prompts.rate))))
    scene = rig.chain.meters.scene.scene
    #expect(scene == .noise)
    rig.chain.restart()
    _ = rig.run(Array(sound.prefix(rig.geometry.blockFrames)))
    scene = rig.chain.meters.scene.scene
    #expect(scene == nil)
  }

  @Test("a noise that stops leaves quiet within six seconds, and the same noise is noise again within six")
  func change() throws {
    var rig = try Self.rig()
    for (level, expected) in [(70.0, Scene.noise), (30, .quiet), (70, .noise)] {
      _ = rig.run(Self.speechNoise(level, seconds: 6))
      let scene = rig.chain.meters.scene.scene
      #expect(scene == expected)
    }
  }

  @Test("whatever comes in, every number of the reading stays finite and in its range")
  func fuzz() throws {
    let count = Int(4 * Prompts.rate)
    var broken = Signal.noise(peak: 0.1, count: count)
    for n in stride(from: 0, to: count, by: 997) { broken[n] = n % 2 == 0 ? .nan : .infinity }
    let sounds = [
      broken, Signal.square(300, peak: 1, count: count), Signal.silence(count),
      Signal.noise(peak: 1e38, count: count),
      [Float](repeating: .leastNonzeroMagnitude, count: count), [Float](repeating: 4, count: count),
      Signal.impulses(peak: 1, first: 5, spacing: 9000, count: count),
    ]
    var rig = try Self.rig()
    for sound in sounds {
      _ = rig.run(sound)
      let reading = rig.chain.meters.scene
      #expect((0...1).contains(reading.confidence))
      #expect((-100...160).contains(reading.level))
      #expect((0...130).contains(reading.levelAboveBackground))
      #expect((0...1).contains(reading.syllabicModulation))
      #expect((0...1).contains(reading.tonality))
      for index in 0..<HearingChain.sceneFeatureCount {
        let feature = rig.chain.performer.sceneFeature(index)
        #expect(feature.isFinite)
      }
      let probability = rig.chain.performer.sceneProbability
      for index in 0..<4 { #expect((0...1).contains(probability[index])) }
    }
    // What was heard before leaves nothing behind.
    _ = rig.run(Self.speechNoise(65))
    let scene = rig.chain.meters.scene.scene
    #expect(scene == .noise)
  }

  @Test("judging takes no heap call and no lock")
  func nothing() throws {
    var rig = try Self.rig()
    let frames = rig.geometry.blockFrames
    let sound = Self.speechNoise(65, seconds: 5)
    var (left, right) = ([Float](repeating: 0, count: frames), [Float](repeating: 0, count: frames))
    for start in stride(from: 0, through: sound.count - frames, by: frames) {
      let input = sound.span.extracting(start..<start + frames)
      var leftOutput = left.mutableSpan
      var rightOutput = right.mutableSpan
      allocation_probe_start()
      RealtimeScope.enter()
      rig.chain.process(left: input, right: input, intoLeft: &leftOutput, intoRight: &rightOutput)
      RealtimeScope.exit()
      let counts = allocation_probe_stop()
      // The first blocks warm up.
      if start > frames * 100 {
        #expect(counts.allocations == 0 && counts.frees == 0 && counts.locks == 0, "\(counts)")
      }
    }
    let judgements = rig.chain.performer.sceneJudgements
    #expect(judgements >= 4)
  }
}
