import Acoustics
import CommonTesting
import SimulatedListeners
import Testing

@testable import Procedures

@Suite("Hearing test") struct HearingTestTests {
  private static let limits = HearingTestPlan.Limits(lowest: HearingLevel(-10), highest: HearingLevel(90))

  private static func plan(
    _ method: HearingTestPlan.Method = .hughsonWestlake,
    catchShare: Double = HearingTestPlan.usualCatchShare
  ) throws -> HearingTestPlan {
    let limits = try #require(limits)
    return HearingTestPlan(
      method: method,
      limits: Binaural(
        both: Dictionary(uniqueKeysWithValues: HearingTestPlan.usualFrequencies.map { ($0, limits) })),
      catchShare: catchShare)
  }

  /// A sloping loss, worse on the right.
  private static func threshold(_ ear: Ear, _ frequency: Double) -> Double {
    (ear == .right ? 25 : 10) + frequency / 200
  }

  /// Lets a listener do a whole test.
  ///
  /// - Parameter drift: Rise of all thresholds from the first trial to the last of each ear, dB.
  private func carryOut(
    _ test: inout HearingTest, _ model: ListenerModel, _ random: inout SeededGenerator, drift: Double = 0
  ) {
    var (ear, searches, frequency) = (Ear.right, 0, 0.0)
    while let trial = test.next {
      if trial.ear != ear { (ear, searches) = (trial.ear, 0) }
      // A third search at 1 kHz drifts no further.
      if trial.frequency != frequency { (frequency, searches) = (trial.frequency, searches + 1) }
      let drifted = drift * Double(searches - 1) / Double(HearingTestPlan.usualFrequencies.count)
      var listener = SimulatedListener(
        threshold: Self.threshold(trial.ear, trial.frequency) + drifted, model: model, random: random)
      test.answer(listener.hears(trial.level) ? .heard(after: 0.4) : .notHeard)
      random = listener.random
    }
  }

  private static let attentive = ListenerModel(spread: 2, guesses: 0.01, lapses: 0.01)

  @Test(
    "both ears' audiograms come back within 5 dB on average, right first, each with 1 kHz tested twice",
    arguments: [HearingTestPlan.Method.hughsonWestlake, .bayesian])
  func whole(method: HearingTestPlan.Method) throws {
    var random = SeededGenerator(1)
    var test = HearingTest(try Self.plan(method), seed: 9)
    #expect(test.next?.ear == .right && test.next?.frequency == 1000 && test.progress == 0)
    carryOut(&test, Self.attentive, &random)
    let result = try #require(HearingTestResult(test))
    #expect(result.doubts.isEmpty && test.progress == 1)
    #expect(result.found.count == 18 && result.found.count { $0.frequency == 1000 } == 4)
    for ear in Ear.allCases {
      let points = result.audiograms[ear].airPoints
      #expect(points.map(\.frequency) == HearingTestPlan.usualFrequencies.sorted())
      let errors = points.map { $0.threshold.decibels - Self.threshold(ear, $0.frequency) }
      #expect(abs(errors.reduce(0, +) / Double(errors.count)) <= 5)
    }
    #expect(result.found.allSatisfy { ($0.interval != nil) == (method == .bayesian) })
  }

  @Test(
    "the same seed and responses make the same trials; left anywhere, it goes on with the trial that was open"
  )
  func resumed() throws {
    var random = SeededGenerator(2)
    var test = HearingTest(try Self.plan(), seed: 4)
    carryOut(&test, Self.attentive, &random)
    let responses = test.record.map(\.response)
    for count in stride(from: 0, through: responses.count, by: 17) {
      var other = HearingTest(try Self.plan(), seed: 4, resuming: Array(responses.prefix(count)))
      #expect(other.next == (count < responses.count ? test.record[count].trial : nil))
      for response in responses.dropFirst(count) { other.answer(response) }
      #expect(HearingTestResult(other) == HearingTestResult(test))
    }
    #expect(
      HearingTest(try Self.plan(), seed: 5, resuming: responses).record.map(\.trial.gap)
        != test.record.map(\.trial.gap))
  }

  @Test("a trial that was interrupted is asked for again with the same tone, and counts for nothing")
  func interrupted() throws {
    var test = HearingTest(try Self.plan(catchShare: 0), seed: 1)
    let first = try #require(test.next)
    test.answer(.interrupted)
    let again = try #require(test.next)
    #expect(again.level == first.level && again.frequency == first.frequency && again.number == 2)
    test.answer(.heard(after: 0.3))
    #expect(test.next?.level == first.level.map { $0 - 10 })
  }

  @Test(
    "nothing sounds above the limit of its ear and frequency, and a frequency without limits is left out")
  func limits() throws {
    var plan = try Self.plan()
    plan.limits.left[8000] = nil
    plan.limits.right[250] = HearingTestPlan.Limits(lowest: HearingLevel(0), highest: HearingLevel(20))
    var test = HearingTest(plan, seed: 3)
    while let trial = test.next {
      if let level = trial.level {
        let limits = try #require(plan.limits[trial.ear][trial.frequency])
        #expect(level >= limits.lowest && level <= limits.highest)
      }
      test.answer(.notHeard)
    }
    #expect(HearingTestResult(test)?.audiograms.left.airPoints.map(\.frequency).contains(8000) == false)
    #expect(HearingTestPlan.Limits(lowest: HearingLevel(10), highest: HearingLevel(5)) == nil)
  }

  @Test("who never responds, and who always does, is told as such, every time")
  func useless() throws {
    for seed in 0..<200 {
      var silent = HearingTest(try Self.plan(), seed: UInt64(seed))
      while silent.next != nil { silent.answer(.notHeard) }
      #expect(HearingTestResult(silent)?.doubts == [.noResponse(.right), .noResponse(.left)])
      // 30, 50, 60, 70, 80, 85 and three times 90 dB HL in each of 18 searches.
      #expect(silent.record.count { $0.trial.level != nil } == 18 * 9)
      var always = HearingTest(try Self.plan(), seed: UInt64(seed))
      while always.next != nil { always.answer(.heard(after: 0.2)) }
      #expect(
        HearingTestResult(always)?.doubts.contains { if case .falseAlarms = $0 { true } else { false } }
          == true)
    }
  }

  @Test(
    "softest tones above 0 dB HL that were heard are a doubt with their frequencies; at -10 dB HL none",
    arguments: [HearingTestPlan.Method.hughsonWestlake, .bayesian])
  func heardAtFloor(method: HearingTestPlan.Method) throws {
    for (lowest, isDoubted) in [(26.0, true), (-10, false)] {
      let limits = try #require(
        HearingTestPlan.Limits(lowest: HearingLevel(lowest), highest: HearingLevel(90)))
      let plan = HearingTestPlan(
        method: method, ears: [.left], frequencies: [1000, 500],
        limits: Binaural(both: [1000: limits, 500: limits]), catchShare: 0)
      var test = HearingTest(plan, seed: 1)
      while test.next != nil { test.answer(.heard(after: 0.4)) }
      let doubts = try #require(HearingTestResult(test)).doubts
      let expected: [HearingTestResult.Doubt] =
        isDoubted ? [.atFloor(.left, [500, 1000], highest: HearingLevel(26))] : []
      #expect(doubts == expected)
      #expect(doubts.contains { $0.description.contains("up to 26 dB HL, at 500, 1000 Hz: ") } == isDoubted)
    }
  }

  /// First tones of the searches of an ear that hears each tone from its threshold on, dB HL.
  private func firstTones(
    _ thresholds: [(frequency: Double, level: Double)], rules: Int? = HearingTestPlan.presentRules,
    within limits: HearingTestPlan.Limits? = HearingTestTests.limits
  ) throws -> [Double] {
    let limits = try #require(limits)
    var plan = HearingTestPlan(
      method: .hughsonWestlake, ears: [.right], frequencies: thresholds.map(\.frequency),
      limits: Binaural(
        both: Dictionary(uniqueKeysWithValues: thresholds.map { ($0.frequency, limits) })), catchShare: 0)
    plan.rules = rules
    var test = HearingTest(plan, seed: 1)
    var tones: [Double] = []
    while let trial = test.next {
      let level = try #require(trial.level).decibels
      if test.found.count == tones.count { tones.append(level) }
      let threshold = try #require(thresholds.first { $0.frequency == trial.frequency }).level
      test.answer(level >= threshold ? .heard(after: 0.4) : .notHeard)
    }
    return tones
  }

  /// A loss of the treble, in the usual order.
  private static let sloping: [(frequency: Double, level: Double)] = [
    (1000, 20), (2000, 40), (3000, 50), (4000, 60), (6000, 70), (8000, 80), (500, 10), (250, 10),
  ]

  @Test(
    "a search begins 10 dB above the nearest threshold of its ear, so that a sloping loss makes no loud first tone"
  )
  func neighbours() throws {
    let tones = try firstTones(Self.sloping)
    // Nearest to 2000 Hz is 1000, to 3000 is 2000 and so on; to 500 it is 1000, to 250 is 500, to 1000 itself.
    #expect(tones == [30, 30, 50, 60, 70, 80, 30, 20, 30])
    for (tone, threshold) in zip(tones, Self.sloping + Self.sloping.prefix(1)) {
      #expect(tone <= threshold.level + 30)
    }
    // By the threshold found last, 80 dB HL at 8000 Hz.
    #expect(try firstTones(Self.sloping, rules: nil)[6] == 90)
  }

  @Test(
    "by a threshold more than an octave away it begins at 60 dB HL at most, by one within an octave louder too"
  )
  func distantNeighbour() throws {
    func tones(_ frequencies: [Double]) throws -> [Double] {
      try firstTones(frequencies.enumerated().map { ($0.element, $0.offset == 0 ? 80 : 20) })
    }
    // 8000 Hz first, and again at the end.
    #expect(try tones([8000, 3000]) == [30, 60, 90])
    #expect(try tones([8000, 4000]) == [30, 90, 90])
    // 1000 Hz is an octave from both: the lower threshold counts.
    #expect(try tones([2000, 500, 1000]) == [30, 60, 30, 90])
  }

  @Test(
    "a frequency whose softest tone was heard is a neighbour: what follows begins 10 dB above that tone"
  )
  func atFloorNeighbour() throws {
    let limits = HearingTestPlan.Limits(lowest: HearingLevel(26), highest: HearingLevel(90))
    let tones = try firstTones(
      [(1000, 10), (2000, 10), (3000, 10), (4000, 70), (8000, 80), (500, 10), (250, 10)], within: limits)
    // Up and down from 36 dB HL by 10 and 5, the threshold of 70 comes out as 71; 8000 Hz begins above that.
    #expect(tones == [30, 36, 36, 36, 81, 36, 36, 36])
  }

  @Test("a frequency at which nothing was heard is no neighbour")
  func noNeighbour() throws {
    // 2000 Hz begins as the first one does; 1000 Hz again by 2000.
    #expect(try firstTones([(1000, .infinity), (2000, 20)]) == [30, 30, 30])
  }

  @Test("a third search of the retest frequency is its last, also where it ends unsettled")
  func contradictoryRetest() throws {
    let limits = try #require(Self.limits)
    let plan = HearingTestPlan(
      method: .hughsonWestlake, ears: [.right], frequencies: [1000],
      limits: Binaural(both: [1000: limits]), catchShare: 0)
    var test = HearingTest(plan, seed: 1)
    // Down to 0 dB HL by answers "heard", up by others to a level that is 5 dB lower each time: none is heard in two ascents.
    var (isRising, top) = (false, 80.0)
    while let trial = test.next, test.record.count < 300 {
      let level = try #require(trial.level).decibels
      var isHeard = level >= (test.found.isEmpty ? 20 : 50)
      if test.found.count > 1 {
        isHeard = isRising ? level >= top : level > 0
        if isRising, isHeard { top -= 5 }
        if isRising == isHeard { isRising.toggle() }
      }
      test.answer(isHeard ? .heard(after: 0.4) : .notHeard)
    }
    let result = try #require(HearingTestResult(test))
    #expect(result.found.map(\.outcome).last == .unsettled && result.found.count == 3)
    #expect(result.doubts == [.retest(.right, difference: 30), .unsettled(.right, [1000])])
  }

  @Test(
    "a drift of 15 dB is found in nine of ten tests or more, and steady listeners are doubted in one of twelve at most"
  )
  func drift() throws {
    var random = SeededGenerator(5)
    var (caught, doubted) = (0, 0)
    let runs = 1000
    for run in 0..<runs {
      for drift in [0.0, 15] {
        var test = HearingTest(try Self.plan(), seed: UInt64(run))
        carryOut(&test, ListenerModel(spread: 4, guesses: 0.01, lapses: 0.01), &random, drift: drift)
        let isDoubted = HearingTestResult(test)?.doubts.isEmpty == false
        if drift == 0, isDoubted { doubted += 1 }
        if drift > 0, isDoubted { caught += 1 }
      }
    }
    #expect(Double(caught) >= 0.9 * Double(runs))
    #expect(Double(doubted) <= 0.08 * Double(runs))
  }
}
