import Acoustics

/// A search of a hearing test at one ear and frequency, by whichever method, with noise in the other ear or without.
///
/// - Threads: any.
struct EarSearch: Sendable {
  let ear: Ear
  /// Hz.
  let frequency: Double
  /// Nil until it has ended.
  private(set) var found: FoundThreshold?
  private var phase: Phase
  private let plan: HearingTestPlan
  private let limits: HearingTestPlan.Limits

  /// First tone above the threshold that is expected, dB, so that it is heard (own choice).
  static let startDistance = 10.0

  private enum Phase {
    /// Noise is looked for that keeps the other ear from hearing the tone.
    case plateau(PlateauSearch, CrossHearing)
    /// The threshold is searched; tones that it took to find the noise.
    case threshold(any ThresholdSearch, FoundThreshold.Masking, toneCount: Int)
  }

  /// - Parameters:
  ///   - start: Level of the first tone, by whichever method begins anywhere; nil: the method's own.
  ///   - crossHearing: Makes a search with noise in the other ear.
  /// - Returns: Nil for an ear and a frequency without limits.
  init?(
    _ plan: HearingTestPlan, _ ear: Ear, _ frequency: Double, from start: HearingLevel?,
    against crossHearing: CrossHearing? = nil
  ) {
    guard let limits = plan.limits[ear][frequency] else { return nil }
    (self.ear, self.frequency, self.plan, self.limits) = (ear, frequency, plan, limits)
    let thresholds = Self.search(plan, limits, from: start)
    phase = .threshold(thresholds, .none, toneCount: 0)
    guard let crossHearing, let attenuation = plan.attenuation else { return }
    let plateau = PlateauSearch(
      tone: crossHearing.own, other: crossHearing.other,
      ceiling: (
        limits.highest,
        (plan.limits[ear.opposite][frequency]?.highest).map { $0 - Stimulus.maskingRoom }
          ?? crossHearing.other
      ),
      attenuation: attenuation)
    phase = .plateau(plateau, crossHearing)
    advance()
  }

  private static func search(
    _ plan: HearingTestPlan, _ limits: HearingTestPlan.Limits, from start: HearingLevel?
  ) -> any ThresholdSearch {
    let range = limits.lowest...limits.highest
    return switch plan.method {
    case .hughsonWestlake:
      HughsonWestlake(
        start: start ?? HughsonWestlake.usualStart, limits: range, hasFirstRules: plan.hasFirstRules)
    case .bayesian: BayesianThreshold(limits: range)
    }
  }

  /// The next tone and the noise in the other ear; nil: ended.
  var next: (tone: HearingLevel, noise: HearingLevel?)? {
    switch phase {
    case .plateau(let search, _): search.next.map { ($0.tone, $0.noise) }
    case .threshold(let search, let masking, _): search.next.map { ($0, masking.noise) }
    }
  }

  mutating func answer(isHeard: Bool) {
    switch phase {
    case .plateau(var search, let crossHearing):
      search.answer(isHeard: isHeard)
      phase = .plateau(search, crossHearing)
    case .threshold(var search, let masking, let toneCount):
      search.answer(isHeard: isHeard)
      phase = .threshold(search, masking, toneCount: toneCount)
    }
    advance()
  }

  /// Goes on to what follows the part that has ended, if one has.
  private mutating func advance() {
    switch phase {
    case .plateau(let search, let crossHearing):
      switch search.outcome {
      case .plateau(let tone, let noise):
        phase = .threshold(
          Self.search(plan, limits, from: HearingLevel(tone) + Self.startDistance),
          .noise(HearingLevel(noise)), toneCount: search.toneCount)
      case .noResponse(let noise):
        end(.noResponse(upTo: limits.highest), .noise(HearingLevel(noise)), search.toneCount)
      case .insufficient(let noise):
        // The threshold found without noise stays, and is told to be open.
        end(.threshold(crossHearing.own), .insufficient(upTo: HearingLevel(noise)), search.toneCount)
      case nil: break
      }
    case .threshold(let search, let masking, let toneCount):
      guard let outcome = search.outcome else { return }
      end(
        outcome, masking, toneCount + search.toneCount,
        interval: (search as? BayesianThreshold)?.interval(0.9))
    }
  }

  private mutating func end(
    _ outcome: ThresholdOutcome, _ masking: FoundThreshold.Masking, _ toneCount: Int,
    interval: ClosedRange<Double>? = nil
  ) {
    found = FoundThreshold(
      ear: ear, frequency: frequency, outcome: outcome, toneCount: toneCount, interval: interval,
      masking: masking)
  }
}
