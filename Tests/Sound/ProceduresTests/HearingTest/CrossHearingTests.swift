import Acoustics
import CommonTesting
import Glibc
import Testing

@testable import Procedures

@Suite("Hearing test with noise in the other ear") struct CrossHearingTests {
  /// A listener with two inner ears, each of which hears the other's sounds through the skull.
  private struct Listener {
    /// dB HL, of the inner ears; infinite: dead.
    var thresholds: Binaural<Double>
    /// Of sounds on their way to the other ear, dB: more than the least that the test assumes, as with most people.
    var attenuation: Double
    var model: ListenerModel

    /// Level by which noise lifts a threshold: the powers of both add up.
    private func masked(_ threshold: Double, by noise: Double) -> Double {
      threshold.isFinite ? 10 * log10(pow(10, threshold / 10) + pow(10, noise / 10)) : threshold
    }

    func probability(_ trial: HearingTest.Trial) -> Double {
      let noise = trial.noise?.decibels ?? -.infinity
      guard let level = trial.level?.decibels else { return model.guesses }
      let own = ListenerModel(spread: model.spread, guesses: 0, lapses: 0)
      let here = own.probability(
        ofHearing: level, threshold: masked(thresholds[trial.ear], by: noise - attenuation))
      let there = own.probability(
        ofHearing: level - attenuation, threshold: masked(thresholds[trial.ear.opposite], by: noise))
      let either = 1 - (1 - here) * (1 - there)
      return model.guesses + (1 - model.guesses - model.lapses) * either
    }
  }

  private static let highest = 90.0

  private static func plan(
    attenuation: Double? = HearingTestPlan.supraAuralAttenuation,
    method: HearingTestPlan.Method = .hughsonWestlake,
    frequencies: [Double] = [1000, 2000], highest: Double = highest, highestLeft: Double = highest
  ) throws -> HearingTestPlan {
    func limits(_ highest: Double) throws -> [Double: HearingTestPlan.Limits] {
      let limits = try #require(
        HearingTestPlan.Limits(lowest: HearingLevel(-10), highest: HearingLevel(highest)))
      return Dictionary(uniqueKeysWithValues: frequencies.map { ($0, limits) })
    }
    return HearingTestPlan(
      method: method, frequencies: frequencies,
      limits: Binaural(left: try limits(highestLeft), right: try limits(highest)), attenuation: attenuation)
  }

  private func carriedOut(
    _ plan: HearingTestPlan, _ listener: Listener, seed: UInt64, _ random: inout SeededGenerator
  ) -> HearingTest {
    var test = HearingTest(plan, seed: seed)
    while let trial = test.next {
      let isHeard = Double.random(in: 0..<1, using: &random) < listener.probability(trial)
      test.answer(isHeard ? .heard(after: 0.4) : .notHeard)
    }
    return test
  }

  private static let attentive = ListenerModel(spread: 4, guesses: 0.01, lapses: 0.01)

  @Test("a test of one ear alone names the frequencies at which the other one may have heard the tones")
  func oneEar() throws {
    var random = SeededGenerator(4)
    // 40 dB less than the least threshold of an audiogram, −10 dB HL: tones from 30 dB HL on may reach an ear that hears best.
    for (threshold, isDoubted) in [(60.0, true), (5, false)] {
      var plan = try Self.plan()
      plan.ears = [.left]
      let listener = Listener(
        thresholds: Binaural(left: threshold, right: threshold), attenuation: 60, model: Self.attentive)
      let test = carriedOut(plan, listener, seed: 1, &random)
      let result = try #require(HearingTestResult(test))
      #expect(
        result.doubts.contains(.otherEarUnknown(.left, [1000, 2000])) == isDoubted, "\(result.doubts)")
    }
    // Both ears: what one may have heard of the other is searched again.
    let both = carriedOut(
      try Self.plan(), Listener(thresholds: Binaural(both: 60), attenuation: 60, model: Self.attentive),
      seed: 1, &random)
    let doubts = try #require(HearingTestResult(both)).doubts
    #expect(!doubts.contains { if case .otherEarUnknown = $0 { true } else { false } })
  }

  /// Doubts of a test without silences: the left ear hears from 60 dB HL on, the right one from 10.
  ///
  /// - Parameter hearsAt2000: Answer of the right ear to a tone of 2000 Hz, dB HL.
  private func doubts(
    right: HearingTestPlan.Limits?, hearsAt2000: (Double) -> Bool = { $0 >= 10 }
  ) throws -> [HearingTestResult.Doubt] {
    var plan = try Self.plan()
    plan.catchShare = 0
    plan.limits.right[2000] = right
    var test = HearingTest(plan, seed: 1)
    while let trial = test.next {
      let level = try #require(trial.level).decibels
      let isHeard =
        switch (trial.ear, trial.frequency) {
        case (.left, _): level >= 60
        case (.right, 2000): hearsAt2000(level)
        case (.right, _): level >= 10
        }
      test.answer(isHeard ? .heard(after: 0.4) : .notHeard)
    }
    return try #require(HearingTestResult(test)).doubts
  }

  @Test(
    "where the other ear has no threshold it may have heard the tones there, also in a test of both ears")
  func unknownFrequency() throws {
    let unknown = HearingTestResult.Doubt.otherEarUnknown(.left, [2000], isTested: true)
    let whole = HearingTestPlan.Limits(lowest: HearingLevel(-10), highest: HearingLevel(90))
    #expect(try doubts(right: whole).isEmpty)
    // Its calibration does not reach so high.
    #expect(try doubts(right: nil) == [unknown])
    // Of 60 dB HL 20 may arrive: no tone as loud as that was tried in vain, and one was.
    for (highest, expected) in [(15, [unknown]), (20, [])] as [(Double, [HearingTestResult.Doubt])] {
      let limits = HearingTestPlan.Limits(lowest: HearingLevel(-10), highest: HearingLevel(highest))
      let found = try doubts(right: limits) { _ in false }
      #expect(found == expected)
    }
    // Up by 5 dB to a level that is lower each time, and down by 10: none is heard in two ascents.
    var (isRising, top) = (false, 80.0)
    let contradictory = try doubts(right: whole) { level in
      let isHeard = isRising ? level >= top : level > 0
      if isRising, isHeard { top -= 5 }
      if isRising == isHeard { isRising.toggle() }
      return isHeard
    }
    #expect(contradictory == [.unsettled(.right, [2000]), unknown])
    // Both were tested, so that advice is for a test of one ear.
    let sentence =
      "The right ear, whose threshold is not known there, may have heard sounds of the left ear at 2000 Hz"
    #expect(unknown.description == sentence + ".")
    #expect(
      HearingTestResult.Doubt.otherEarUnknown(.left, [2000]).description
        == sentence + ": test both ears there.")
  }

  @Test("a test by noise masks nothing, and names the frequencies at which the other ear may have heard it")
  func noiseSignal() throws {
    var random = SeededGenerator(8)
    var plan = try Self.plan()
    plan.signal = .narrowNoise
    // 60 dB apart, and 20: with errors of 10 dB at most still beyond 40, and not.
    for (poor, isDoubted) in [(65.0, true), (25, false)] {
      let listener = Listener(
        thresholds: Binaural(left: 5, right: poor), attenuation: 120,
        model: ListenerModel(spread: 2, guesses: 0, lapses: 0))
      let test = carriedOut(plan, listener, seed: 1, &random)
      #expect(test.record.allSatisfy { $0.trial.noise == nil })
      let result = try #require(HearingTestResult(test))
      #expect(result.doubts.contains(.notMasked(.right, [1000, 2000])) == isDoubted, "\(result.doubts)")
      let sentence =
        "The left ear may have heard noise of the right ear at 1000, 2000 Hz: a test by noise masks nothing, so test "
        + "there by tones."
      #expect(HearingTestSummary(result).doubts.contains(sentence) == isDoubted)
    }
    // Of one ear alone nothing is known of the other, as in a test by tones.
    plan.ears = [.right]
    let alone = carriedOut(
      plan, Listener(thresholds: Binaural(both: 60), attenuation: 120, model: Self.attentive), seed: 1,
      &random)
    #expect(try #require(HearingTestResult(alone)).doubts.contains(.otherEarUnknown(.right, [1000, 2000])))
  }

  @Test(
    "of a dead ear a test without noise draws the other ear's shadow; with noise it finds no response in nine of ten or more",
    arguments: [HearingTestPlan.Method.hughsonWestlake, .bayesian])
  func deadEar(method: HearingTestPlan.Method) throws {
    var random = SeededGenerator(1)
    var (shadows, right, all) = (0, 0, 0)
    for seed in 0..<300 as Range<UInt64> {
      let good = Double.random(in: 0...20, using: &random)
      let listener = Listener(
        thresholds: Binaural(left: good, right: .infinity),
        attenuation: Double.random(in: 50...60, using: &random),
        model: Self.attentive)
      let plain = carriedOut(try Self.plan(attenuation: nil, method: method), listener, seed: seed, &random)
      let shadow = try #require(HearingTestResult(plain)).audiograms.right
      // Within 10 dB of what reaches the good ear.
      if shadow.airPoints.allSatisfy({
        $0.hasResponse && abs($0.threshold.decibels - good - listener.attenuation) <= 10
      }) {
        shadows += 1
      }
      #expect(
        plain.found.allSatisfy { $0.noise == nil } && plain.record.allSatisfy { $0.trial.noise == nil })
      let masked = carriedOut(try Self.plan(method: method), listener, seed: seed, &random)
      let points = try #require(HearingTestResult(masked)).audiograms.right.airPoints
      all += points.count
      right += points.count { $0.isMasked && !$0.hasResponse && $0.threshold == HearingLevel(Self.highest) }
    }
    #expect(shadows >= 270)
    #expect(Double(right) >= 0.9 * Double(all))
  }

  @Test(
    "of an ear that hears worse than the other's shadow, the masked threshold lies within 10 dB of its own in nine of ten or more",
    arguments: [HearingTestPlan.Method.hughsonWestlake, .bayesian])
  func poorEar(method: HearingTestPlan.Method) throws {
    var random = SeededGenerator(2)
    var (right, unmasked, all) = (0, 0, 0)
    for seed in 0..<300 as Range<UInt64> {
      let good = Double.random(in: -5...20, using: &random)
      let poor = good + Double.random(in: 45...60, using: &random)
      let listener = Listener(
        thresholds: Binaural(left: good, right: poor),
        attenuation: Double.random(in: 42...60, using: &random),
        model: Self.attentive)
      let test = carriedOut(try Self.plan(method: method), listener, seed: seed, &random)
      let result = try #require(HearingTestResult(test))
      for point in result.audiograms.right.airPoints {
        all += 1
        if !point.isMasked { unmasked += 1 }
        // Hughson–Westlake lies 2.5 dB above the level heard half of the time, as without noise.
        let bias = method == .hughsonWestlake ? 2.5 : 0
        if point.isMasked, point.hasResponse, abs(point.threshold.decibels - bias - poor) <= 10 {
          right += 1
        }
      }
      #expect(result.audiograms.left.airPoints.allSatisfy { !$0.isMasked })
      #expect(test.progress == 1 && result.insufficientlyMasked.right.isEmpty)
    }
    // Some thresholds are found less than 40 dB above the other ear's, by chance: 45 dB apart each is found with 3 dB of error.
    #expect(unmasked <= all / 20)
    #expect(Double(right) >= 0.9 * Double(all))
  }

  @Test(
    "ears less than the attenuation apart are not masked, nor is an ear that hears nothing at its limit")
  func notNeeded() throws {
    var random = SeededGenerator(3)
    let steady = ListenerModel(spread: 2, guesses: 0.01, lapses: 0.01)
    for seed in 0..<100 as Range<UInt64> {
      for (poor, attenuation) in [(30.0, 60.0), (.infinity, 120)] {
        let listener = Listener(
          thresholds: Binaural(left: 5, right: poor), attenuation: attenuation, model: steady)
        let test = carriedOut(try Self.plan(), listener, seed: seed, &random)
        #expect(test.record.allSatisfy { $0.trial.noise == nil })
      }
    }
  }

  @Test(
    "noise begins 10 dB above the other ear, rises by 10 dB, sounds with silences too, and stays below the ceiling"
  )
  func noise() throws {
    var random = SeededGenerator(4)
    var silences = 0
    for seed in 0..<100 as Range<UInt64> {
      let listener = Listener(
        thresholds: Binaural(left: 10, right: 75), attenuation: 55, model: Self.attentive)
      let test = carriedOut(try Self.plan(highestLeft: 50), listener, seed: seed, &random)
      let masked = test.record.map(\.trial).filter { $0.noise != nil }
      silences += masked.count { $0.level == nil }
      for frequency in [1000.0, 2000] {
        let levels = masked.filter { $0.frequency == frequency }.compactMap(\.noise?.decibels)
        let other = try #require(
          test.found.filter { $0.ear == .left && $0.frequency == frequency }.compactMap(
            \.outcome.level?.decibels
          )
          .min())
        #expect(levels.first.map { $0 == other + 10 } ?? true)
        #expect(levels.allSatisfy { $0 <= 50 && ($0 - other).truncatingRemainder(dividingBy: 10) == 0 })
      }
    }
    #expect(silences > 50)
  }

  @Test("where the noise may not be loud enough the threshold stays unmasked, and is named")
  func insufficient() throws {
    var random = SeededGenerator(5)
    let listener = Listener(
      thresholds: Binaural(left: 10, right: .infinity), attenuation: 50,
      model: ListenerModel(spread: 2, guesses: 0, lapses: 0))
    let test = carriedOut(try Self.plan(highestLeft: 30), listener, seed: 1, &random)
    let result = try #require(HearingTestResult(test))
    #expect(result.insufficientlyMasked.right == [1000, 2000] && result.insufficientlyMasked.left.isEmpty)
    #expect(result.audiograms.right.airPoints.allSatisfy { !$0.isMasked && $0.hasResponse })
    let masked = test.found.filter { $0.masking != .none }
    #expect(masked.count == 2)
    for found in masked {
      guard case .insufficient(let noise) = found.masking else { return #expect(Bool(false)) }
      #expect(noise <= HearingLevel(30) && noise == found.noise)
    }
  }

  @Test("noise that would reach the tested ear as loud as the tone is not asked for")
  func overmasking() {
    // 10 dB of attenuation: beside a tone at 40 dB HL noise must lie below 50 dB HL.
    var search = PlateauSearch(
      tone: HearingLevel(40), other: HearingLevel(25), ceiling: (HearingLevel(90), HearingLevel(90)),
      attenuation: 10)
    #expect(search.next?.noise == HearingLevel(35))
    search.answer(isHeard: true)
    #expect(search.next?.noise == HearingLevel(45))
    search.answer(isHeard: true)
    #expect(search.next == nil && search.outcome == .insufficient(noise: 45))
    // Noise that may not sound at all.
    let none = PlateauSearch(
      tone: HearingLevel(90), other: HearingLevel(45), ceiling: (HearingLevel(90), HearingLevel(50)),
      attenuation: 40)
    #expect(none.next == nil && none.outcome == .insufficient(noise: 45))
  }

  @Test("a tone that rises with the noise makes no plateau; one that stays for three levels of noise does")
  func plateau() {
    var search = PlateauSearch(
      tone: HearingLevel(50), other: HearingLevel(0), ceiling: (HearingLevel(90), HearingLevel(90)),
      attenuation: 40)
    // The other ear's shadow, 40 dB above the noise, up to the ear's own 70 dB HL.
    while let (tone, noise) = search.next {
      search.answer(isHeard: tone.decibels >= min(70, noise.decibels + 40))
    }
    #expect(search.outcome == .plateau(tone: 70, noise: 40))
  }

  @Test(
    "left anywhere, a test with noise goes on with the trial that was open; interrupted ones keep their noise"
  )
  func resumed() throws {
    var random = SeededGenerator(6)
    let listener = Listener(
      thresholds: Binaural(left: 10, right: 75), attenuation: 50, model: Self.attentive)
    let test = carriedOut(try Self.plan(), listener, seed: 4, &random)
    let responses = test.record.map(\.response)
    #expect(test.record.contains { $0.trial.noise != nil })
    for count in stride(from: 0, through: responses.count, by: 5) {
      var other = HearingTest(try Self.plan(), seed: 4, resuming: Array(responses.prefix(count)))
      #expect(other.next == (count < responses.count ? test.record[count].trial : nil))
      if let next = other.next {
        other.answer(.interrupted)
        #expect(other.next?.noise == next.noise && other.next?.level == next.level)
      }
    }
  }

  @Test("whatever is answered, it ends, and nothing is louder than its ear's limit")
  func anything() throws {
    var random = SeededGenerator(7)
    for seed in 0..<200 as Range<UInt64> {
      let plan = try Self.plan(highestLeft: 60)
      var test = HearingTest(plan, seed: seed)
      // The left ear hears all, the right one by chance: noise is needed often.
      while let trial = test.next, test.record.count < 2000 {
        if let level = trial.level { #expect(level.decibels <= (trial.ear == .left ? 60 : 90)) }
        if let noise = trial.noise { #expect(noise.decibels <= (trial.ear == .right ? 60 : 90)) }
        let isHeard = trial.ear == .left || Int.random(in: 0..<3, using: &random) == 0
        test.answer(isHeard ? .heard(after: 0.3) : .notHeard)
      }
      #expect(test.next == nil && (0...1).contains(test.progress))
    }
  }
}
