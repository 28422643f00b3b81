public import Acoustics
import Base

/// Findings in an audiogram that an audiologist must see before signing a prescription made from it.
///
/// It judges nothing and stops nothing. Every limit names its source; those from memory say so.
public struct AudiogramReview: Sendable, Hashable {
  /// First what concerns both ears, then the right, then the left, as on paired audiograms; within these by
  /// severity.
  public let findings: [Finding]

  /// Looks through both ears' audiograms, and through the gain that a plan makes from them.
  ///
  /// - Parameters:
  ///   - plan: Nil: the audiograms alone.
  ///   - age: Of the person, whole years; nil: not known.
  public init(_ ears: Binaural<Audiogram>, plan: FittingPlan? = nil, age: Int? = nil) {
    var findings = [age.flatMap { Self.child($0, plan) }].compactMap(\.self)
    if Ear.allCases.allSatisfy({ !ears[$0].airPoints.isEmpty }) {
      findings += [Self.averageAsymmetry(ears), Self.adjacentAsymmetry(ears)].compactMap { $0 }
      findings += Ear.allCases.reversed().compactMap { Self.unmaskedDifference(ears, worse: $0) }
    }
    for ear in Ear.allCases.reversed() {
      let audiogram = ears[ear]
      let found =
        EarReview(ear: ear, audiogram: audiogram).findings
        + (plan.map { PlanReview(ear: ear, audiogram: audiogram, plan: $0).findings } ?? [])
      findings += found.filter { $0.severity == .caution } + found.filter { $0.severity == .note }
    }
    self.findings = findings
  }

  /// Findings worth a second look.
  public var cautions: [Finding] { findings.filter { $0.severity == .caution } }

  /// Age from which the rules here are made for a person, years: that from which 21 CFR 800.30 lets people fit
  /// themselves (from memory).
  static let adult = 18

  private static func child(_ age: Int, _ plan: FittingPlan?) -> Finding? {
    guard age < adult else { return nil }
    let advice =
      if case .tables = plan?.target { "look whether the targets are a child's" } else {
        "the rules here are for adults, and a child needs one for children, such as DSL v5"
      }
    return Finding(
      kind: .child, severity: .caution, ears: Ear.allCases, frequencies: [],
      sentence: "The patient is a child of \(English.count(max(age, 0), "year")): \(advice).")
  }

  // MARK: - Between the ears

  /// Difference of the averages at 500, 1000 and 2000 Hz above which ears count as asymmetric, dB:
  /// American Academy of Otolaryngology, referral criteria (from memory).
  static let averageDifference = 15.0

  /// Difference at two adjacent frequencies from which they do, dB, and those frequencies, Hz: NICE
  /// guideline NG98 (2018), recommendation on imaging (from memory).
  static let adjacentDifference = 15.0
  static let adjacentFrequencies: [Double] = [500, 1000, 2000, 4000, 8000]

  /// Difference of unmasked air conduction from which sound may have crossed to the other ear, dB: rule 1
  /// of the British Society of Audiology, pure-tone audiometry with supra-aural earphones (2018; from
  /// memory).
  static let crossingDifference = 40.0

  private static func averageAsymmetry(_ ears: Binaural<Audiogram>) -> Finding? {
    guard let left = ears.left.pureToneAverage, let right = ears.right.pureToneAverage else { return nil }
    let difference = abs(left - right)
    guard difference > averageDifference else { return nil }
    let worse = left > right ? "left" : "right"
    return Finding(
      kind: .asymmetry, severity: .caution, ears: Ear.allCases, frequencies: [500, 1000, 2000],
      sentence: "The \(worse) ear's average at 500, 1000 and 2000 Hz is worse by"
        + " \(difference.shortText) dB.")
  }

  private static func adjacentAsymmetry(_ ears: Binaural<Audiogram>) -> Finding? {
    let (left, right) = (thresholds(ears.left), thresholds(ears.right))
    let tested = adjacentFrequencies.compactMap { frequency -> (Double, Double)? in
      guard let l = left[frequency], let r = right[frequency] else { return nil }
      return (frequency, l - r)
    }
    var frequencies: [Double] = []
    for (a, b) in zip(tested, tested.dropFirst()) {
      let isSameSide = (a.1 > 0) == (b.1 > 0)
      guard isSameSide, min(abs(a.1), abs(b.1)) >= adjacentDifference else { continue }
      // A frequency in between that was not tested parts the two.
      guard a.0 * 2 == b.0 else { continue }
      frequencies += [a.0, b.0].filter { !frequencies.contains($0) }
    }
    guard !frequencies.isEmpty else { return nil }
    return Finding(
      kind: .asymmetry, severity: .caution, ears: Ear.allCases, frequencies: frequencies,
      sentence: "The ears differ by \(adjacentDifference.shortText) dB or more at"
        + " \(EarReview.list(frequencies)).")
  }

  private static func unmaskedDifference(_ ears: Binaural<Audiogram>, worse ear: Ear) -> Finding? {
    // A tone that was not heard was not heard by the other ear either.
    let other = ears[ear.opposite].airPoints.filter(\.hasResponse)
    let frequencies = ears[ear].airPoints.filter { point in
      guard point.hasResponse, !point.isMasked,
        let better = other.first(where: { $0.frequency == point.frequency })
      else { return false }
      return point.threshold - better.threshold >= crossingDifference
    }.map(\.frequency)
    return EarReview(ear: ear, audiogram: ears[ear]).finding(
      .unmaskedDifference, .caution, frequencies,
      "is worse than the other by \(crossingDifference.shortText) dB or more at"
        + " \(EarReview.list(frequencies)) without masking: the other ear may have heard the tone")
  }

  /// Air conduction in force, dB HL by frequency.
  private static func thresholds(_ audiogram: Audiogram) -> [Double: Double] {
    Dictionary(
      audiogram.airPoints.map { ($0.frequency, $0.threshold.decibels) },
      uniquingKeysWith: { _, last in last })
  }
}

extension AudiogramReview {
  /// Something to look at before a prescription is signed.
  public struct Finding: Sendable, Hashable {
    /// Kind of a finding; the raw value is its JSON key.
    public enum Kind: String, Sendable, CaseIterable {
      /// The ears differ more than age or noise usually explain.
      case asymmetry
      /// The ears differ so much that an unmasked threshold may be the other ear's.
      case unmaskedDifference = "unmasked-difference"
      /// Thresholds change fast with frequency.
      case steepSlope = "steep-slope"
      /// Bone conduction is better than air conduction.
      case airBoneGap = "air-bone-gap"
      /// Bone conduction is worse than air conduction, which hearing does not do.
      case boneWorseThanAir = "bone-worse-than-air"
      /// Even the loudest tone went unheard.
      case noResponse = "no-response"
      /// A frequency that a fitting needs was not tested.
      case missingFrequency = "missing-frequency"
      /// No air-conduction threshold at all.
      case notTested = "not-tested"
      /// A loss that an aid may not reach.
      case beyondReach = "beyond-reach"
      /// Gain for an ear that hears normally.
      case needlessGain = "needless-gain"
      /// A table of targets that leaves out frequencies of speech.
      case tooFewTargets = "too-few-targets"
      /// More gain for louder speech.
      case risingGain = "rising-gain"
      /// More gain than the loss itself.
      case excessiveGain = "excessive-gain"
      /// Gain far beyond the frequencies that were tested.
      case untestedGain = "untested-gain"
      /// A person too young for the rules.
      case child
      /// A threshold between the steps of an audiometer.
      case unusualStep = "unusual-step"
      /// A frequency that audiometers do not have.
      case unusualFrequency = "unusual-frequency"
      /// A table of targets that has none for an ear.
      case noTargets = "no-targets"
    }

    /// Weight of a finding.
    public enum Severity: String, Sendable, Comparable {
      /// Worth knowing.
      case note
      /// Worth a second look, or a physician's.
      case caution

      public static func < (a: Severity, b: Severity) -> Bool { a == .note && b == .caution }
    }

    /// Kind of the finding.
    public let kind: Kind
    /// Weight of the finding.
    public let severity: Severity
    /// Ears it concerns, left before right.
    public let ears: [Ear]
    /// Frequencies it concerns, Hz, increasing; none when it is the ear as a whole.
    public let frequencies: [Double]
    /// One sentence for a person.
    public let sentence: String
  }
}
