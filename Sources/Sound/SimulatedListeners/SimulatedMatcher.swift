import Acoustics
import Base
import Procedures

/// A person with a loss of hearing and a tinnitus who is measured by the aid's own procedures, in simulated time.
///
/// The answers follow the same rules by which the procedures are judged: ``SimulatedListener``, ``LoudnessMatcher``, ``PitchMatcher``. The same
/// seed makes the same person and the same answers.
///
/// - Threads: any, one at a time.
public struct SimulatedMatcher: Sendable {
  /// Ear in which the tinnitus is heard; tones come to the other one.
  public let isTinnitusLeft: Bool
  private let model: ListenerModel
  private let audiograms: Binaural<[Double: Double]>
  /// Of the tinnitus above the threshold at its loudness, dB, and its pitch, Hz.
  private let sensation: Double
  private let pitch: Double
  /// Pitch that a search is led by: an octave off of who confuses octaves.
  private let heardPitch: Double
  private var random: SeededNumbers
  /// Sensation level of the last loudness match, dB, at which tones of a pitch match sound.
  private var lastSensation: Double?

  /// Standard deviation of a loudness trial, dB: the middle of the three of the procedures' tests.
  private static let spread = 3.0
  /// Thresholds of a standard audiogram, Hz, and the highest of them, dB HL.
  private static let (frequencies, greatestLoss) = (HearingTestPlan.usualFrequencies.sorted(), 85.0)
  /// Share of people who hear the search for a pitch an octave off. Own choice.
  private static let confusion = 0.15

  /// - Parameters:
  ///   - number: Of the person: listeners of the four kinds that the procedures are tested by come by turns.
  ///   - seed: Of everything that is drawn.
  public init(_ number: Int, seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    model = ListenerModel.simulated[abs(number % ListenerModel.simulated.count)]
    isTinnitusLeft = Bool.random(using: &random)
    // A loss that grows from 1 kHz up. Own choices: 0 to 25 dB HL there, 0 to 15 dB more with each octave.
    audiograms = Binaural { _ in
      let (base, slope) = (
        Double.random(in: 0...25, using: &random), Double.random(in: 0...15, using: &random)
      )
      return Dictionary(
        uniqueKeysWithValues: Self.frequencies.map { frequency in
          let octaves = max(0, Self.octaves(frequency))
          return (frequency, min(Self.greatestLoss, base + slope * octaves))
        })
    }
    // Most tinnitus is matched within some dB of the threshold, at a high pitch. Own choices.
    sensation = Double.random(in: 3...20, using: &random)
    pitch = 1000 * Self.power(of: Double.random(in: 0.5...2.8, using: &random))
    let isConfused = Double.random(in: 0..<1, using: &random) < Self.confusion
    heardPitch = isConfused ? pitch / 2 : pitch
    self.random = random
  }

  /// Ear that hears the tones of a match.
  private var ear: Ear { isTinnitusLeft ? .right : .left }

  // MARK: - Procedures

  /// A loudness match by adjustment.
  ///
  /// - Parameters:
  ///   - frequency: Hz, 250 to 8000.
  ///   - trials: 1 to 20.
  /// - Returns: Nil where it cannot be made safely: the threshold lies above the loudest tone.
  public mutating func loudness(frequency: Double, trials: Int) -> SimulatedRun? {
    let threshold = threshold(ear, frequency)
    guard let range = range(threshold, frequency) else { return nil }
    let matcher = LoudnessMatcher(loudness: threshold + sensation, spread: Self.spread)
    var answers = Answers(
      model: model, loudness: matcher, pitch: PitchMatcher(pitch: pitch, heard: heardPitch))
    let plan = LoudnessPlan(ear: ear, frequency: frequency, range: range, trialCount: trials)
    let (result, seconds) = carryOut(.loudness(plan), &answers)
    guard let found = result?.loudness else { return nil }
    lastSensation = found.sensationLevel.decibels
    return SimulatedRun(found, seconds)
  }

  /// A pitch match by comparisons, from 500 Hz to 8 kHz.
  ///
  /// - Returns: Nil where fewer than two tones may sound.
  public mutating func pitchMatch() -> SimulatedRun? {
    let points = Self.frequencies.filter { $0 >= 500 }.compactMap { frequency -> LevelCurve.Point? in
      let threshold = threshold(ear, frequency)
      return range(threshold, frequency).map {
        LevelCurve.Point(
          frequency: frequency,
          level: HearingLevel(min(threshold + (lastSensation ?? 10), $0.ceiling.decibels)),
          ceiling: $0.ceiling)
      }
    }
    guard let curve = LevelCurve(points) else { return nil }
    var answers = Answers(
      model: model, loudness: LoudnessMatcher(loudness: 0, spread: 0),
      pitch: PitchMatcher(pitch: pitch, heard: heardPitch))
    let plan = PitchPlan(ear: ear, curve: curve)
    let (result, seconds) = carryOut(.pitch(plan), &answers)
    return result?.pitch.map { SimulatedRun($0, of: plan, seconds) }
  }

  /// A hearing test of both ears, up to 90 dB HL.
  ///
  /// - Parameter isBayesian: False: by Hughson and Westlake.
  public mutating func hearingTest(isBayesian: Bool) -> SimulatedRun? {
    guard let limits = HearingTestPlan.Limits(lowest: HearingLevel(-10), highest: HearingLevel(90)) else {
      return nil
    }
    let plan = HearingTestPlan(
      method: isBayesian ? .bayesian : .hughsonWestlake,
      limits: Binaural(both: Dictionary(uniqueKeysWithValues: Self.frequencies.map { ($0, limits) })),
      attenuation: HearingTestPlan.supraAuralAttenuation)
    var answers = Answers(
      model: model, loudness: LoudnessMatcher(loudness: 0, spread: 0), pitch: PitchMatcher(pitch: pitch))
    answers.thresholds = { [audiograms] ear, frequency in audiograms[ear][frequency] ?? Self.greatestLoss }
    let (result, seconds) = carryOut(.hearingTest(plan), &answers)
    return result?.hearingTest.map { SimulatedRun($0, seconds) }
  }

  /// - Returns: The result; nil of a procedure that takes no answer of these, or no end. And the time, s.
  private mutating func carryOut(
    _ plan: ProcedurePlan, _ answers: inout Answers
  ) -> (ProcedureResult?, seconds: Double) {
    var procedure = plan.begin(seed: random.next())
    var seconds = 0.0
    // A hearing test of both ears has some 250 steps; whoever turns a tone by 1 dB across its range, fewer.
    for _ in 0..<5000 {
      guard let step = procedure.nextStep else { return (procedure.result, seconds) }
      let (answer, time) = answers.answer(step, &random)
      seconds += time
      guard procedure.take(answer) else { return (nil, seconds) }
    }
    return (nil, seconds)
  }

  // MARK: - Levels

  /// dB HL, between points by octaves.
  private func threshold(_ ear: Ear, _ frequency: Double) -> Double {
    let own = audiograms[ear]
    guard let next = Self.frequencies.firstIndex(where: { $0 >= frequency }) else {
      return own[8000] ?? Self.greatestLoss
    }
    let (above, below) = (Self.frequencies[next], Self.frequencies[max(0, next - 1)])
    let (a, b) = (own[below] ?? 0, own[above] ?? 0)
    guard above > below, frequency < above else { return b }
    let share =
      (Self.octaves(frequency) - Self.octaves(below)) / (Self.octaves(above) - Self.octaves(below))
    return a + share * (b - a)
  }

  /// By the reference thresholds of an audiometer's earphone, HDA 200, within the aid's usual limit of 100 dB SPL.
  private func range(_ threshold: Double, _ frequency: Double) -> MatchRange? {
    guard let earphone = Transducer.named("hda200"),
      let reference = try? earphone.referenceThreshold(at: frequency).value
    else { return nil }
    return MatchRange(
      threshold: HearingLevel(threshold), reference: reference, limit: SoundPressureLevel(100))
  }
}
