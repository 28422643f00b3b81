public import Acoustics

/// Everything that is settled before a hearing test begins.
///
/// - Threads: any.
public struct HearingTestPlan: Sendable, Hashable, Codable {
  /// Search for a threshold, by its name in orders and records.
  public enum Method: String, Sendable, Hashable, Codable {
    /// ``HughsonWestlake``.
    case hughsonWestlake = "hughson-westlake"
    /// ``BayesianThreshold``: shorter, with an interval for each threshold.
    case bayesian
  }

  /// Search by which every threshold is found.
  public var method: Method
  /// Ears in their order; the better one first (ISO 8253-1).
  public var ears: [Ear]
  /// Frequencies of each ear in their order, Hz. The first is tested once more at the end.
  public var frequencies: [Double]
  /// Softest and loudest tone at each frequency of an ear, dB HL: what earphone, resolution and the limit let through.
  public var limits: Binaural<[Double: Limits]>
  /// Kind of the tones.
  public var signal: Stimulus.Signal
  /// Share of trials without a tone.
  public var catchShare: Double
  /// Shortest and longest silence before a trial, s.
  public var gap: ClosedRange<Double>
  /// Least attenuation of sound on its way to the other ear, dB: thresholds that the other ear may have heard are searched again with noise
  /// in it, or, of noise as the signal, are in doubt. Nil: neither. Noise is held to the loudest tone of the ear it sounds in.
  public var attenuation: Double?
  /// Version of the rules by which tones and doubts follow from answers, ``presentRules`` of every plan that is made; nil:
  /// the first, of records from before it was kept.
  public var rules: Int? = presentRules

  /// Rules of this program: a search begins by the nearest threshold, and rises in smaller steps from 50 dB HL up. By
  /// the first ones it began by the threshold found last, and rose in steps of 20 dB without end. By the third ones, these,
  /// a test has two silences at least, and doubts of silences that were all answered and of tones unheard between others.
  public static let presentRules = 3

  /// True of a plan by the first rules, which records alone have: they are worked out again by them, and not gone on
  /// with.
  var hasFirstRules: Bool { rules == nil }

  /// True of a plan by the first or the second rules, likewise.
  var hasFormerDoubts: Bool { (rules ?? 1) < 3 }

  /// Range of the tones at one frequency of an ear.
  public struct Limits: Sendable, Hashable, Codable {
    /// Softest tone that is asked for.
    public let lowest: HearingLevel
    /// Loudest tone that is asked for; not below ``lowest``.
    public let highest: HearingLevel

    /// - Returns: Nil where nothing lies between them.
    public init?(lowest: HearingLevel, highest: HearingLevel) {
      guard lowest <= highest, lowest.decibels.isFinite, highest.decibels.isFinite else { return nil }
      (self.lowest, self.highest) = (lowest, highest)
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let limits = Limits(
        lowest: try container.decode(HearingLevel.self, forKey: .lowest),
        highest: try container.decode(HearingLevel.self, forKey: .highest))
      guard let limits else {
        throw DecodingError.dataCorruptedError(
          forKey: .lowest, in: container,
          debugDescription: "limits of which the lower is not below the higher")
      }
      self = limits
    }
  }

  /// Order of the frequencies of a usual test, Hz (BSA, by programs that follow it; docs/sources.md).
  public static let usualFrequencies = [1000.0, 2000, 3000, 4000, 6000, 8000, 500, 250]
  /// Own choice after the 15 % of a public program (docs/sources.md): one trial of eight.
  public static let usualCatchShare = 0.125
  /// Never shorter than a tone, and not to be counted along (ASHA 2005, by a program that cites it; GSI's manual of the
  /// Pello): own choice, 1.2 to 3 s.
  public static let usualGap = 1.2...3.0

  /// Least interaural attenuation, dB, of earphones on the ear or around it, and of inserts (from memory).
  public static let (supraAuralAttenuation, insertAttenuation) = (40.0, 55.0)

  /// By default both ears, the right one first, by pulsed tones, and no search with noise in the other ear.
  public init(
    method: Method, ears: [Ear] = [.right, .left], frequencies: [Double] = usualFrequencies,
    limits: Binaural<[Double: Limits]>, signal: Stimulus.Signal = .pulsed,
    catchShare: Double = usualCatchShare, gap: ClosedRange<Double> = usualGap, attenuation: Double? = nil
  ) {
    (self.method, self.ears, self.frequencies, self.limits) = (method, ears, frequencies, limits)
    (self.signal, self.catchShare, self.gap, self.attenuation) = (signal, catchShare, gap, attenuation)
  }

  /// True of tones, which noise about their frequency masks. Noise as the signal would be masked by noise of the same kind, for which there
  /// are no corrections.
  var canMask: Bool { !signal.isNoise }

  /// Tones of an ear in their order: each frequency that has limits, then the first once more.
  func searches(of ear: Ear) -> [Double] {
    let tested = frequencies.filter { limits[ear][$0] != nil }
    return tested + tested.prefix(1)
  }
}
