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
      findings += Self.asymmetry(ears)
      findings += Ear.allCases.reversed().compactMap { Self.unmaskedDifference(ears, worse: $0) }
      findings += [plan.flatMap { PlanReview.unequalLimits(ears, $0) }].compactMap(\.self)
    }
    let tested = Ear.allCases.filter { !ears[$0].airPoints.isEmpty }
    findings += [plan.flatMap { PlanReview.lowCeiling($0, tested) }].compactMap(\.self)
    for ear in Ear.allCases.reversed() {
      let audiogram = ears[ear]
      let found =
        EarReview(ear: ear, audiogram: audiogram, other: ears[ear.opposite]).findings
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
  static let averagedFrequencies: [Double] = [500, 1000, 2000]

  /// Difference at two adjacent frequencies from which they do, dB, and those frequencies, Hz: NICE
  /// guideline NG98 (2018), recommendation on imaging (from memory).
  static let adjacentDifference = 15.0
  static let adjacentFrequencies: [Double] = [500, 1000, 2000, 4000, 8000]

  /// Difference of unmasked air conduction to the other ear's air or bone conduction from which sound may have crossed to that ear, dB:
  /// rules 1 and 3 of the British Society of Audiology, pure-tone audiometry with supra-aural earphones (2018; from memory).
  static let crossingDifference = 40.0

  /// Differences, or, where none is seen and one ear did not respond, that they cannot be compared.
  private static func asymmetry(_ ears: Binaural<Audiogram>) -> [Finding] {
    let adjacent = adjacentDifferences(ears)
    let seen = [averageAsymmetry(ears), adjacentAsymmetry(adjacent.seen)].compactMap { $0 }
    guard seen.isEmpty else { return seen }
    return [incomparable(ears, at: Set(unheardInAverage(ears) + adjacent.possible).sorted())]
      .compactMap { $0 }
  }

  private static func averageAsymmetry(_ ears: Binaural<Audiogram>) -> Finding? {
    guard let left = ears.left.pureToneAverage, let right = ears.right.pureToneAverage else { return nil }
    let worse: Ear = left > right ? .left : .right
    // The difference is known only where the better ear responded; the worse one may be still worse.
    guard unheard(ears[worse.opposite], at: averagedFrequencies).isEmpty else { return nil }
    let difference = abs(left - right)
    guard difference > averageDifference else { return nil }
    let isLeast = !unheard(ears[worse], at: averagedFrequencies).isEmpty
    return Finding(
      kind: .asymmetry, severity: .caution, ears: Ear.allCases, frequencies: averagedFrequencies,
      sentence: "The \(worse.rawValue) ear's average at \(EarReview.list(averagedFrequencies)) is worse by"
        + " \(difference.shortText) dB\(isLeast ? " or more" : "").")
  }

  private static func adjacentAsymmetry(_ frequencies: [Double]) -> Finding? {
    guard !frequencies.isEmpty else { return nil }
    return Finding(
      kind: .asymmetry, severity: .caution, ears: Ear.allCases, frequencies: frequencies,
      sentence: "The ears differ by \(adjacentDifference.shortText) dB or more at"
        + " \(EarReview.list(frequencies)).")
  }

  private static func incomparable(_ ears: Binaural<Audiogram>, at frequencies: [Double]) -> Finding? {
    guard !frequencies.isEmpty else { return nil }
    let left = Set(unheard(ears.left, at: frequencies))
    let right = Set(unheard(ears.right, at: frequencies))
    let words =
      switch (left.isEmpty, right.isEmpty) {
      case (false, true): "the left one did not respond"
      case (true, false): "the right one did not respond"
      case _ where left == right: "neither responded"
      default: left.isDisjoint(with: right) ? "one of them did not respond" : "one or both did not respond"
      }
    return Finding(
      kind: .asymmetry, severity: .caution, ears: Ear.allCases, frequencies: frequencies,
      sentence: "The ears cannot be compared at \(EarReview.list(frequencies)), where \(words).")
  }

  /// Adjacent frequencies at which the same ear is worse by ``adjacentDifference``, and those at which it may be, for an ear did not
  /// respond there.
  private static func adjacentDifferences(
    _ ears: Binaural<Audiogram>
  ) -> (seen: [Double], possible: [Double]) {
    let tested = adjacentFrequencies.compactMap {
      frequency -> (frequency: Double, range: ClosedRange<Double>)? in
      difference(ears, at: frequency).map { (frequency, $0) }
    }
    let isOpen = { (range: ClosedRange<Double>) in
      range.lowerBound.isInfinite || range.upperBound.isInfinite
    }
    let isUnknown = { (range: ClosedRange<Double>) in
      range.lowerBound.isInfinite && range.upperBound.isInfinite
    }
    var (seen, possible): (Set<Double>, Set<Double>) = ([], [])
    for (a, b) in zip(tested, tested.dropFirst()) {
      // A frequency in between that was not tested parts the two.
      guard a.frequency * 2 == b.frequency else { continue }
      let both = [a.range, b.range]
      // Where neither ear responds nothing says that they differ.
      guard !both.allSatisfy(isUnknown) else { continue }
      let isLeftWorse = both.allSatisfy { $0.lowerBound >= adjacentDifference }
      let isRightWorse = both.allSatisfy { $0.upperBound <= -adjacentDifference }
      let isLeftPossible = both.allSatisfy { $0.upperBound >= adjacentDifference }
      let isRightPossible = both.allSatisfy { $0.lowerBound <= -adjacentDifference }
      if isLeftWorse || isRightWorse {
        seen.formUnion([a.frequency, b.frequency])
      } else if isLeftPossible || isRightPossible {
        possible.formUnion([a, b].filter { isOpen($0.range) }.map { $0.frequency })
      }
    }
    return (seen.sorted(), possible.sorted())
  }

  /// By how much the left ear is worse, dB: all that it may be where an ear did not respond. Nil: untested in an ear.
  private static func difference(
    _ ears: Binaural<Audiogram>, at frequency: Double
  ) -> ClosedRange<Double>? {
    func point(_ ear: Ear) -> Audiogram.Point? {
      ears[ear].airPoints.first { $0.frequency == frequency }
    }
    guard let left = point(.left), let right = point(.right) else { return nil }
    let difference = left.threshold - right.threshold
    switch (left.hasResponse, right.hasResponse) {
    case (true, true): return difference...difference
    case (false, true): return difference...Double.infinity
    case (true, false): return -Double.infinity...difference
    case (false, false): return -Double.infinity...Double.infinity
    }
  }

  /// Frequencies of the average that rest on a tone which one ear did not hear and the other did; none where the averages are not known.
  private static func unheardInAverage(_ ears: Binaural<Audiogram>) -> [Double] {
    guard Ear.allCases.allSatisfy({ ears[$0].pureToneAverage != nil }) else { return [] }
    let (left, right) = (
      unheard(ears.left, at: averagedFrequencies), unheard(ears.right, at: averagedFrequencies)
    )
    return averagedFrequencies.filter { left.contains($0) != right.contains($0) }
  }

  /// Those of some frequencies at which the threshold rests on a tone that was not heard, so that the true one is greater.
  private static func unheard(_ audiogram: Audiogram, at frequencies: [Double]) -> [Double] {
    let points = audiogram.airPoints
    return frequencies.filter { frequency in
      if let point = points.first(where: { $0.frequency == frequency }) { return !point.hasResponse }
      let neighbours = [
        points.last { $0.frequency < frequency }, points.first { $0.frequency > frequency },
      ]
      return neighbours.contains { $0?.hasResponse == false }
    }
  }

  private static func unmaskedDifference(_ ears: Binaural<Audiogram>, worse ear: Ear) -> Finding? {
    let other = EarReview(ear: ear.opposite, audiogram: ears[ear.opposite])
    let frequencies = ears[ear].airPoints.filter { point in
      guard point.hasResponse, !point.isMasked, let better = other.best[point.frequency] else {
        return false
      }
      return point.threshold.decibels - better >= crossingDifference
    }.map(\.frequency)
    return EarReview(ear: ear, audiogram: ears[ear]).finding(
      .unmaskedDifference, .caution, frequencies,
      "is worse than the other, by air or by bone, by \(crossingDifference.shortText) dB or more at"
        + " \(EarReview.list(frequencies)) without masking: the other ear may have heard the tone")
  }
}

extension AudiogramReview {
  /// Something to look at before a prescription is signed.
  public struct Finding: Sendable, Hashable {
    /// Kind of a finding; the raw value is its JSON key.
    public enum Kind: String, Sendable, CaseIterable {
      /// The ears differ more than age or noise usually explain, or nobody knows, for one of them did not respond.
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
      /// A greatest output that leaves little of speech.
      case lowLimit = "low-limit"
      /// A greatest output above what the thresholds let expect.
      case highLimit = "high-limit"
      /// Greatest outputs of the ears that differ more than their thresholds.
      case unequalLimits = "unequal-limits"
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
