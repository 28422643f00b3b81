import Acoustics
import CommonTesting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// The chain goes on while it is muted, and its limiter sees what is not played.
@Suite("Feedback canceller: muted") struct MutedFeedbackTests {
  static let second = AddedStableGainTests.second

  /// Step of a path in the hop behind 0.3 s in which surroundings were heard and nothing was sent.
  private static func step(isFast: Bool) throws -> [Float] {
    let geometry = FeedbackGeometry(try ChainGeometry(sampleRate: 44_100, blockFrames: 64))
    var estimate = PathEstimate(geometry)
    let silence = HalfSpectrum(length: geometry.length)
    let surroundings = HalfSpectrum(length: geometry.length)
    let sent = HalfSpectrum(length: geometry.length)
    for k in 0...sent.half { (surroundings.re[k], sent.re[k]) = (1, 0.1) }
    for _ in 0..<200 {
      estimate.process(sent: silence, remainder: surroundings, frames: 64, isFast: isFast)
    }
    estimate.process(sent: sent, remainder: surroundings, frames: 64, isFast: false)
    return (0...sent.half).map { estimate.step.re[$0] }
  }

  @Test("fast adaptation to sound that cannot be what was sent leaves the next steps as they are")
  func nothingSent() throws {
    #expect(try Self.step(isFast: true) == Self.step(isFast: false))
  }

  @Test("a muted output is not asked by its level, however loud it is; played again it is, within a second")
  func unasked() throws {
    let part = Self.second / 20 / 64 * 64
    // 85 and 25 dB lie 5 dB above the limit.
    let tone = Signal.tone(1000, level: 85, count: 80 * part)
    var loop = try ClosedLoop(
      gain: 25, feedback: ClosedLoop.control(cancelling: false), path: [0], limit: 105)
    loop.rig.chain.close()
    var asked: [Bool] = []
    for n in 0..<80 {
      if n == 60 { loop.rig.chain.open() }
      _ = loop.run(tone[n * part..<(n + 1) * part])
      asked.append(loop.rig.chain.performer.feedback.canceller.ears.left.howls.relief.isProbing)
    }
    #expect(!asked[..<60].contains(true))
    #expect(asked[60...].contains(true))
  }

  @Test(
    "an output that rises from silence is asked by its level from a tenth of its amplitude on, not before")
  func rising() throws {
    let part = Self.second / 20 / 64 * 64
    // 5 dB above the limit, as above.
    let tone = Signal.tone(1000, level: 85, count: 40 * part)
    var loop = try ClosedLoop(
      gain: 25, feedback: ClosedLoop.control(cancelling: false), path: [0], limit: 105, rise: 5)
    var asked: [Bool] = []
    for n in 0..<40 {
      _ = loop.run(tone[n * part..<(n + 1) * part])
      asked.append(loop.rig.chain.performer.feedback.canceller.ears.left.howls.relief.isProbing)
    }
    // 3x² − 2x³ is 0.1 at x = 0.196, after 0.98 s; 0.3 s of patience follow. A part lasts 49 ms.
    #expect(!asked[..<19].contains(true))
    #expect(asked[19...].contains(true))
  }

  @Test("a howl that begins while the output rises for 5 s is no longer loud after 2 s")
  func howlWhileRising() throws {
    let sound = Signal.noise(peak: Float(Signal.amplitude(40)), count: 8 * Self.second)
    // 9 ms, where the phase tells little; 10 dB beyond the edge in the end.
    let delay = 400
    var loop = try ClosedLoop(
      gain: 35, feedback: ClosedLoop.control(cancelling: false, delay: delay),
      path: SyntheticPath.all[0].scaled(-25), limit: 100, delay: delay, rise: 5)
    let output = loop.run(sound[...])
    // 0.3 s until it is asked and 0.5 s of questions, more than once as the gain goes on rising; 1.4 s by a model of the rules, and
    // 2.3 s where it is asked behind 80 % of the rise alone. In steps of 10 ms.
    #expect(HowlTests.longest(output, above: 90) <= 200)
    #expect(loop.rig.chain.meters.left.howls >= 1)
  }

  @Test(
    "after two loud seconds of mute the path is known as before, and the loop as stable", arguments: [0, 3])
  func mute(_ index: Int) throws {
    let sound = FeedbackSound.noise.samples(13 * Self.second)
    let control = ClosedLoop.control()
    var loop = try ClosedLoop(
      gain: 19, feedback: control, path: SyntheticPath.all[index].scaled(-25), limit: 118)
    _ = loop.run(sound[0..<3 * Self.second])
    // 9 dB beyond what is stable without.
    for (second, gain) in [(3, 24.0), (4, 29), (5, 34), (6, 34)] {
      try loop.set(gain: gain, feedback: control, limit: 118, transition: 0.5)
      _ = loop.run(sound[second * Self.second..<(second + 1) * Self.second])
    }
    let (added, before) = (loop.addedStableGain(), loop.rig.chain.meters.left)
    loop.rig.chain.close()
    _ = loop.run(sound[7 * Self.second..<8 * Self.second])
    // 40 dB more: 65 + 40 + 34 dB SPL are 21 dB above the limit.
    let loud = sound[8 * Self.second..<10 * Self.second].map { 100 * $0 }
    _ = loop.run(loud[...])
    _ = loop.run(sound[10 * Self.second..<11 * Self.second])
    let kept = loop.addedStableGain()
    loop.rig.chain.open()
    let output = loop.run(sound[11 * Self.second..<13 * Self.second])
    let (after, meters) = (loop.addedStableGain(), loop.rig.chain.meters.left)
    #expect(meters.feedbackResets == before.feedbackResets && meters.howls == before.howls)
    // Nothing is learned while nothing is sent; then the canceller goes on as it does.
    #expect(abs(kept - added) < 1, "\(added), \(kept)")
    #expect(after > added - 3, "\(added), \(after)")
    let gained = Measure.level(of: output[Self.second...]) - Measure.level(of: sound[(12 * Self.second)...])
    // Sound that goes round may add 2 dB.
    #expect(abs(gained - 34) < 2, "\(gained)")
  }
}
