public import Acoustics
import Base

/// Findings in one ear's audiogram.
struct EarReview {
  typealias Finding = AudiogramReview.Finding

  let ear: Ear
  let audiogram: Audiogram
  /// The other ear's; nil: not looked at.
  var other: Audiogram?

  /// Frequencies every fitting rule here rests on, Hz.
  static let neededFrequencies: [Double] = [500, 1000, 2000, 4000]

  /// Fall or rise over an octave above which an audiogram is called steep, dB, and very steep. Own choice
  /// within usual wording (sloping up to 20 dB, precipitous from there or from 25; from memory).
  static let steepSlope = 20.0
  static let verySteepSlope = 30.0

  /// Air–bone gap above which the difference is no error of measurement when seen twice, dB: two steps of
  /// an audiometer. Own choice.
  static let repeatedGap = 10.0

  /// Air–bone gap that counts alone, dB; at 500, 1000 and 2000 Hz together the sign on which an aid's
  /// label sends people to a physician, 21 CFR 801.422 (formerly 801.420; from memory).
  static let singleGap = 15.0
  static let physicianFrequencies: Set<Double> = [500, 1000, 2000]

  /// Difference by which the other ear's bone conduction must be worse, so that bone conduction without masking is this ear's, dB: rule 2
  /// of the British Society of Audiology takes a gap of as much for one that needs masking (2018; from memory).
  static let boneDifference = 10.0

  /// Bone worse than air by more than this is no error of measurement, dB: two steps. Own choice.
  static let impossibleGap = 10.0

  /// Threshold above which insertion gain may end before speech is heard, dB HL: N7 and S2 at their worst.
  /// Own choice.
  static let reach = 90.0

  /// Frequencies of audiometers, Hz (IEC 60645-1, with the extended range; from memory), and 375 Hz, which the
  /// standard audiograms have (Bisgaard et al. 2010).
  static let usualFrequencies: Set<Double> = [
    125, 250, 375, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 9000, 10_000, 11_200, 12_500, 14_000,
    16_000,
  ]

  /// Step of audiometers, dB (ISO 8253-1; from memory).
  static let step = 5.0

  var findings: [Finding] {
    guard !audiogram.airPoints.isEmpty else {
      let sentence = "The \(ear.rawValue) ear has no air-conduction thresholds and gets no gain."
      return [
        Finding(kind: .notTested, severity: .caution, ears: [ear], frequencies: [], sentence: sentence)
      ]
    }
    return
      ([missing, slope(falling: true), slope(falling: false), airBoneGap, boneWorse]
      + [noResponse, beyondReach, unusualSteps, unusualFrequencies]).compactMap { $0 }
  }

  /// "500, 1000 and 2000 Hz".
  static func list(_ frequencies: [Double]) -> String {
    English.list(frequencies.map(\.shortText), "and") + " Hz"
  }

  /// Bone conduction in force by frequency, Hz: the masked threshold where there are two.
  private static func bone(of audiogram: Audiogram) -> [Double: Audiogram.Point] {
    // Masked ones follow unmasked ones.
    Dictionary(
      audiogram.points.filter { $0.conduction == .bone }.map { ($0.frequency, $0) },
      uniquingKeysWith: { _, masked in masked })
  }

  /// The same in dB HL, where the tone was heard.
  private var bone: [Double: Double] {
    Self.bone(of: audiogram).filter(\.value.hasResponse).mapValues(\.threshold.decibels)
  }

  /// The better of air and bone conduction by frequency, Hz, dB HL. A tone that was not heard counts in neither.
  var best: [Double: Double] {
    let air = audiogram.airPoints.filter(\.hasResponse).map { ($0.frequency, $0.threshold.decibels) }
    return bone.merging(air, uniquingKeysWith: min)
  }

  /// True where bone conduction at a frequency, Hz, was not masked and the other ear's is not known to be worse.
  private func mayBeOthers(at frequency: Double) -> Bool {
    guard let other, let own = Self.bone(of: audiogram)[frequency], !own.isMasked else { return false }
    // Of a tone that was not heard it is the least that the threshold can be.
    guard let level = Self.bone(of: other)[frequency]?.threshold else { return true }
    return level - own.threshold < Self.boneDifference
  }

  /// Nil when it concerns no frequency.
  func finding(
    _ kind: Finding.Kind, _ severity: Finding.Severity, _ frequencies: [Double],
    _ words: @autoclosure () -> String
  ) -> Finding? {
    guard !frequencies.isEmpty else { return nil }
    return Finding(
      kind: kind, severity: severity, ears: [ear], frequencies: frequencies,
      sentence: "The \(ear.rawValue) ear \(words()).")
  }

  private var missing: Finding? {
    let tested = audiogram.airPoints.map(\.frequency)
    let missing = Self.neededFrequencies.filter { !tested.contains($0) }
    return finding(.missingFrequency, .caution, missing, "was not tested at \(Self.list(missing))")
  }

  private func slope(falling: Bool) -> Finding? {
    let points = audiogram.airPoints
    var steepest = 0.0
    var frequencies: Set<Double> = []
    for low in points {
      guard let high = points.first(where: { $0.frequency == low.frequency * 2 }) else { continue }
      let worse = (high.threshold - low.threshold) * (falling ? 1 : -1)
      guard worse > Self.steepSlope else { continue }
      steepest = max(steepest, worse)
      frequencies.formUnion([low.frequency, high.frequency])
    }
    let listed = frequencies.sorted()
    return finding(
      .steepSlope, steepest > Self.verySteepSlope ? .caution : .note, listed,
      "\(falling ? "falls" : "rises") by up to \(steepest.shortText) dB an octave between"
        + " \(listed[0].shortText) and \(listed[listed.count - 1].shortText) Hz")
  }

  private var airBoneGap: Finding? {
    let bone = bone
    let gaps = audiogram.airPoints.compactMap { air in
      bone[air.frequency].map { (frequency: air.frequency, gap: air.threshold.decibels - $0) }
    }
    let clear = gaps.filter { $0.gap > Self.repeatedGap }
    guard clear.count >= 2 || clear.contains(where: { $0.gap >= Self.singleGap }) else { return nil }
    let large = Set(clear.filter { $0.gap >= Self.singleGap }.map(\.frequency))
    let needsPhysician = large.isSuperset(of: Self.physicianFrequencies)
    let doubtful = clear.map(\.frequency).filter(mayBeOthers)
    let cause =
      doubtful.isEmpty
      ? "the loss is partly conductive"
      : "bone conduction without masking may be the other ear's at \(Self.list(doubtful)), otherwise the loss is"
        + " partly conductive"
    return finding(
      .airBoneGap, needsPhysician ? .caution : .note, clear.map(\.frequency),
      "hears better by bone than by air at \(Self.list(clear.map(\.frequency))), by up to"
        + " \((clear.map(\.gap).max() ?? 0).shortText) dB: \(cause), and rules use air conduction alone"
        + (needsPhysician ? "; a physician should see it first" : ""))
  }

  private var boneWorse: Finding? {
    let bone = bone
    let worse = audiogram.airPoints.filter { air in
      guard air.hasResponse, let level = bone[air.frequency] else { return false }
      return level - air.threshold.decibels > Self.impossibleGap
    }.map(\.frequency)
    return finding(
      .boneWorseThanAir, .caution, worse,
      "hears worse by bone than by air at \(Self.list(worse)), which points to an error of measurement")
  }

  private var noResponse: Finding? {
    let frequencies = audiogram.noResponseFrequencies
    return finding(
      .noResponse, .caution, frequencies,
      "did not respond at \(Self.list(frequencies)): the loss there is greater than the number used")
  }

  private var beyondReach: Finding? {
    let frequencies = audiogram.airPoints.filter { $0.threshold.decibels > Self.reach }.map(\.frequency)
    return finding(
      .beyondReach, .caution, frequencies,
      "has thresholds above \(Self.reach.shortText) dB HL at \(Self.list(frequencies)), where gain may not"
        + " make speech audible")
  }

  private var unusualSteps: Finding? {
    let odd = audiogram.points.filter {
      $0.threshold.decibels.truncatingRemainder(dividingBy: Self.step) != 0
    }
    let frequencies = Set(odd.map(\.frequency)).sorted()
    return finding(
      .unusualStep, .note, frequencies,
      "has thresholds between the \(Self.step.shortText) dB steps of an audiometer at"
        + " \(Self.list(frequencies))")
  }

  private var unusualFrequencies: Finding? {
    let frequencies = Set(audiogram.points.map(\.frequency)).subtracting(Self.usualFrequencies).sorted()
    return finding(
      .unusualFrequency, .note, frequencies,
      "has thresholds at \(Self.list(frequencies)), where audiometers do not measure: it may be mistyped")
  }
}

/// Gain that a fitting gives to an ear which hears normally.
///
/// The ear counts as hearing normally when every threshold from 500 to 4000 Hz is below 20 dB HL: from there on
/// the World Health Organization grades a loss as mild (World Report on Hearing, 2021, table 1.3, for the average
/// of 500, 1000, 2000 and 4000 Hz). In the 5 dB steps of audiometers that is 15 dB HL or better. Every published
/// linear rule here gives 0 dB HL up to 1 dB (NAL's k at 1 and 1.5 kHz, the Cambridge formula's intercept at 2
/// and 5 kHz), which nobody hears as louder; more than that is needless. Fine tuning, a table of targets or a
/// rule that goes by an average may give it.
public struct NeedlessGain: Sendable, Hashable {
  /// Threshold from which on an ear does not hear normally.
  public static let mildLoss = HearingLevel(20)

  /// Range in which thresholds and gains are examined, Hz.
  public static let frequencies = 500.0...4000.0

  /// Gain that is no reason for a caution, dB.
  public static let allowed = 1.0

  /// The ear that hears normally.
  public let ear: Ear
  /// Greatest gain at any level, dB, rounded to 0.1.
  public let gain: Double
  /// Centre of the band that gets it, Hz.
  public let frequency: Double

  /// The greatest gain of an ear that needs none; nil when the ear needs gain or gets no more than
  /// ``allowed``.
  ///
  /// - Parameters:
  ///   - ear: The ear.
  ///   - audiogram: Its thresholds.
  ///   - curves: Its gain, one curve for each band.
  ///   - bands: The bands.
  public init?(_ ear: Ear, _ audiogram: Audiogram, curves: [GainCurve], bands: BandLayout) {
    guard Self.isHealthy(audiogram) else { return nil }
    var (greatest, place) = (0.0, 0.0)
    for (curve, centre) in zip(curves, bands.centres) where Self.frequencies.contains(centre) {
      // No curve of a rule, table or tuning rises beyond its outermost knots.
      let gain = ((curve.knots.map(\.gain).max() ?? 0) * 10).rounded() / 10
      if gain > greatest { (greatest, place) = (gain, centre) }
    }
    guard greatest > Self.allowed else { return nil }
    self.ear = ear
    gain = greatest
    frequency = place
  }

  /// One sentence for a person.
  public var sentence: String {
    "The \(ear.rawValue) ear hears normally from 500 to 4000 Hz (better than"
      + " \(Self.mildLoss.decibels.shortText) dB HL) and would get up to \(gain.shortText) dB of gain at"
      + " \(frequency.shortText) Hz, which it does not need."
  }

  /// True when every known threshold of the ear is better than ``mildLoss``.
  static func isHealthy(_ audiogram: Audiogram) -> Bool {
    let tested = audiogram.airPoints.filter { frequencies.contains($0.frequency) }
    let read = EarReview.neededFrequencies.compactMap { audiogram.threshold(at: $0) }
    return !read.isEmpty && read.allSatisfy { $0 < mildLoss }
      && tested.allSatisfy { $0.hasResponse && $0.threshold < mildLoss }
  }
}
