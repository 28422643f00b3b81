import Acoustics
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// What the figures mean: a blow's softening is the difference between the peaks of the output, with and
/// without, within 20 ms from where the blow begins; an onset's change is the difference between the levels
/// of the first 30 ms of a syllable.
@Suite("Impulse softening") struct ImpulseSofteningTests {
  static let depth = 10.0

  /// Background at 55 dB SPL with clatter that peaks at 100 dB SPL once a second.
  static func room(_ background: [Float]) -> [Float] {
    var result = background
    for (index, start) in stride(from: 44_100, to: result.count - 44_100, by: 44_100).enumerated() {
      for (n, sample) in NoiseSound.clatter(peak: 100, seed: UInt64(index)).enumerated() {
        result[start + n] += sample
      }
    }
    return result
  }

  @Test("clatter at 100 dB SPL is softened by most of the depth, its loudest hop by at least 6 dB")
  func clatter() throws {
    let count = 44_100 * 8 / 64 * 64
    let sound = Self.room(Signal.speechLike(level: 60, count: count))
    var plain = try ChainRig.treated(.plain)
    var soft = try ChainRig.treated(.impulse(Self.depth))
    let (before, after) = (plain.run(sound).left, soft.run(sound).left)
    for start in stride(from: 44_100, to: count - 44_100, by: 44_100) {
      // From the second hop on; in the first the window is on its way.
      let energy = start + 128..<start + 882
      let taken = Measure.level(of: before[energy]) - Measure.level(of: after[energy])
      #expect(taken >= 6 && taken <= Self.depth + 0.1)
      // In the hop in which it comes it is already on its way down.
      let first = start..<start + 128
      #expect(Measure.level(of: before[first]) - Measure.level(of: after[first]) >= 1)
      // After a quarter of a second there is nothing left of it.
      let later = start + 13_230..<start + 17_640
      #expect(abs(Measure.level(of: before[later]) - Measure.level(of: after[later])) < 0.3)
    }
  }

  @Test("onsets of speech at 65 and 75 dB SPL change by less than 1 dB", arguments: [65.0, 75])
  func onsets(_ level: Double) throws {
    let count = 44_100 * 12 / 64 * 64
    let sound = NoiseSound.scaled(Signal.speechLike(level: level, count: count), to: level)
    var plain = try ChainRig.treated(.plain)
    var soft = try ChainRig.treated(.impulse(Self.depth))
    let (before, after) = (plain.run(sound).left, soft.run(sound).left)
    for start in stride(from: 0, to: count - 11_025, by: 11_025) {
      let onset = start..<start + 1323
      guard Measure.level(of: before[onset]) > 30 else { continue }
      #expect(Measure.level(of: before[onset]) - Measure.level(of: after[onset]) < 1)
    }
    #expect(abs(Measure.level(of: before[...]) - Measure.level(of: after[...])) < 0.2)
  }

  @Test("both ears are softened alike, whichever the blow is nearer to")
  func ears() throws {
    let count = 44_100 * 3 / 64 * 64
    let left = Self.room(Signal.speechLike(level: 60, count: count))
    let right = left.map { $0 * 0.2 }
    var soft = try ChainRig.treated(.impulse(Self.depth))
    let output = soft.run(left, right)
    let part = 44_228..<44_900
    let difference = Measure.level(of: output.left[part]) - Measure.level(of: output.right[part])
    #expect(abs(difference - 20 * log10(5)) < 0.1)
  }

  @Test("where it is not shared a blow at one ear leaves the other as it is")
  func apart() throws {
    let count = 44_100 * 4 / 64 * 64
    let tone = Signal.tone(500, level: 60, count: count)
    let clattering = Self.room(Signal.speechLike(level: 60, count: count))
    var treatment = Treatment.impulse(Self.depth)
    treatment.isSofteningShared = false
    var plain = try ChainRig.treated(.plain)
    var soft = try ChainRig.treated(treatment)
    let (before, after) = (plain.run(tone, clattering), soft.run(tone, clattering))
    for start in stride(from: 44_100, to: count - 44_100, by: 44_100) {
      let blow = start + 128..<start + 882
      #expect(Measure.level(of: before.right[blow]) - Measure.level(of: after.right[blow]) >= 6)
      #expect(abs(Measure.level(of: before.left[blow]) - Measure.level(of: after.left[blow])) < 0.05)
    }
  }

  @Test(
    "a change during a blow of whether it is shared takes the transition, and is no step",
    arguments: [true, false])
  func changed(isShared: Bool) throws {
    let count = 44_100 * 4 / 64 * 64
    let tone = Signal.tone(500, level: 60, count: count)
    let clattering = Self.room(Signal.speechLike(level: 60, count: count))
    // 4 ms into the first blow, while it is softened by most of the depth.
    let change = (44_100 + 220) / 64 * 64
    var former = Treatment.impulse(Self.depth)
    former.isSofteningShared = isShared
    former.transition = 0.5
    var next = former
    next.isSofteningShared = !isShared
    var plain = try ChainRig.treated(.plain)
    var kept = try ChainRig.treated(former)
    var moved = try ChainRig.treated(former)
    let (left, right) = (Array(tone[..<change]), Array(clattering[..<change]))
    _ = plain.run(left, right)
    _ = kept.run(left, right)
    _ = moved.run(left, right)
    try kept.retarget(former)
    try moved.retarget(next)
    let (leftRest, rightRest) = (Array(tone[change...]), Array(clattering[change...]))
    let before = plain.run(leftRest, rightRest).left
    let same = kept.run(leftRest, rightRest).left
    let after = moved.run(leftRest, rightRest).left
    // 3 ms of 0.5 s, in which 10 dB end or begin: 0.06 dB, and with the window's length less than 0.2.
    let first = 0..<128
    let softened = Measure.level(of: before[first]) - Measure.level(of: same[first])
    #expect(isShared ? softened >= 3 : abs(softened) < 0.05)
    #expect(abs(Measure.level(of: same[first]) - Measure.level(of: after[first])) < 0.2)
    // The second blow comes when the transition is over.
    let second = 88_200 - change
    let blow = second + 128..<second + 882
    let taken = Measure.level(of: before[blow]) - Measure.level(of: after[blow])
    #expect(isShared ? abs(taken) < 0.05 : taken >= 3)
  }

  @Test("the difference's power is the samples', also for hops of odd length")
  func power() throws {
    let history = try PairHistoryProbe.filled([0.5, -0.25, 0.125, 0.75, -0.5, 0.25], 4)
    let found = ImpulseSoftening.differencePower(history.frames, frames: 3)
    let steps: [Float] = [0.75 - 0.125, -0.5 - 0.75, 0.25 + 0.5]
    let expected = steps.reduce(0) { $0 + $1 * $1 } / 3
    #expect(abs(found.left - expected) < 1e-6)
    #expect(abs(found.right - 4 * expected) < 1e-5)
  }
}

/// A history with given samples at its end, the right ear's twice the left's.
enum PairHistoryProbe {
  static func filled(_ samples: [Float], _ room: Int) throws -> PairHistory {
    var history = PairHistory(length: samples.count + room)
    let doubled = samples.map { 2 * $0 }
    _ = history.process(left: samples.span, right: doubled.span, from: 0, count: samples.count)
    return history
  }
}
