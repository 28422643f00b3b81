public import Acoustics
import Base

/// A way to turn an audiogram into gain.
///
/// - Threads: control.
public protocol FittingRule: Sendable {
  /// Name as printed on a prescription.
  var name: String { get }

  /// One gain curve per band of `bands`, for the ear of `audiogram`.
  ///
  /// - Throws: ``FittingError/insufficientThresholds(measured:)`` when the audiogram has too few points.
  func curves(for audiogram: Audiogram, bands: BandLayout) throws(FittingError) -> [GainCurve]
}

/// A rule whose gain is the same at all levels.
public protocol LinearRule: FittingRule {
  /// Insertion gain, dB, at any frequencies, Hz.
  ///
  /// - Throws: ``FittingError/insufficientThresholds(measured:)`` when the audiogram has too few points.
  func insertionGains(for audiogram: Audiogram, at frequencies: [Double]) throws(FittingError) -> [Double]
}

extension LinearRule {
  public func curves(for audiogram: Audiogram, bands: BandLayout) throws(FittingError) -> [GainCurve] {
    try insertionGains(for: audiogram, at: bands.centres).map(GainCurve.init(unchangingGain:))
  }
}

/// Why decisions and numbers make no plan, or a rule no gain for an ear.
public enum FittingError: Error, Equatable {
  /// Air-conduction thresholds do not reach from 500 to 2000 Hz, where the rule takes its average;
  /// `measured` lists the frequencies there are, Hz.
  case insufficientThresholds(measured: [Double])
  /// A number that is not accepted, as a clause that says of which quantity, and the range that is.
  case notAccepted(String, expected: String)

  /// Refuses frequencies outside 125…16000 Hz, and those that do not lie above the one before.
  ///
  /// - Parameter name: Of what has them, for the message.
  static func check(_ frequencies: [Double], of name: String) throws(FittingError) {
    for (index, frequency) in frequencies.enumerated() {
      guard Audiogram.frequencies.contains(frequency) else {
        throw .notAccepted(
          "\(name) at \(frequency.shortText) Hz", expected: "a frequency of 125 to 16000 Hz")
      }
      guard index == 0 || frequencies[index - 1] < frequency else {
        throw .notAccepted(
          "\(name) at \(frequency.shortText) Hz", expected: "frequencies in increasing order, each once")
      }
    }
  }
}

extension FittingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .insufficientThresholds(let measured):
      (measured.isEmpty
        ? "no air-conduction thresholds: "
        : "air-conduction thresholds at \(measured.map(\.shortText).joined(separator: ", ")) Hz: ")
        + "expected one at or below 500 Hz, one at or above 2000 Hz"
    case .notAccepted(let found, let expected): "\(found): expected \(expected)"
    }
  }
}

/// Output limit of each band, from the threshold and a ceiling.
///
/// Limit = min(UCL − 5 dB, ceiling), the uncomfortable level UCL estimated as 100 + 0.15 H. This rule of
/// thumb is one public app's choice (docs/sources.md), not a standard; a measured UCL should replace it. It
/// does not say whether it means dB HL or dB SPL: here it is read as dB SPL, the more careful reading, because
/// reference thresholds are positive (nearly everywhere). The limits are for each band by itself; the sound of
/// all bands together is for a broadband limiter.
public struct MaximumOutput: Sendable, Hashable {
  /// Ceilings accepted. The upper end is the build's own: no setting lifts the output above it.
  public static let ceilings = SoundPressureLevel(60)...SoundPressureLevel(120)

  /// 111 dB SPL, the greatest output 21 CFR 800.30(d)(1) allows an over-the-counter aid at any frequency.
  public static let standard = MaximumOutput(checked: SoundPressureLevel(111))

  /// The rule under the greatest ceiling accepted, which no threshold reaches: UCL − 5 dB is 113 dB SPL at 120 dB HL.
  static let byThreshold = MaximumOutput(checked: ceilings.upperBound)

  /// Ceiling below which little is left for amplified speech: speech of 62 dB SPL (normal vocal effort at 1 m, ANSI S3.5, from memory),
  /// its peaks 12 dB above its mean, and 10 dB of gain.
  public static let little = SoundPressureLevel(84)

  /// Estimated uncomfortable level of a normal ear, dB SPL.
  static let uncomfortableLevel = 100.0

  /// Its rise per dB of threshold.
  static let uncomfortableShare = 0.15

  /// Distance kept from the uncomfortable level, dB.
  static let margin = 5.0

  /// No band's limit lies above this.
  public let ceiling: SoundPressureLevel

  /// Creates the rule with a ceiling.
  ///
  /// - Throws: ``FittingError`` outside ``ceilings``.
  public init(ceiling: SoundPressureLevel) throws(FittingError) {
    try Self.check(ceiling)
    self.init(checked: ceiling)
  }

  /// Refuses a ceiling outside ``ceilings``.
  package static func check(_ ceiling: SoundPressureLevel) throws(FittingError) {
    guard ceilings.contains(ceiling) else {
      throw .notAccepted(
        "output ceiling \(ceiling.decibels.shortText) dB SPL", expected: "60 to 120 dB SPL")
    }
  }

  private init(checked ceiling: SoundPressureLevel) { self.ceiling = ceiling }

  /// Output limit of each band, dB SPL. An ear without thresholds counts as normal, the lowest limit.
  ///
  /// - Shape: `bands.count`.
  public func limits(for audiogram: Audiogram, bands: BandLayout) -> [SoundPressureLevel] {
    bands.centres.map { limit(for: audiogram, at: $0) }
  }

  /// Output limit at a frequency, Hz.
  func limit(for audiogram: Audiogram, at frequency: Double) -> SoundPressureLevel {
    let threshold = max(0, audiogram.threshold(at: frequency)?.decibels ?? 0)
    let comfortable = Self.uncomfortableLevel + Self.uncomfortableShare * threshold - Self.margin
    return min(ceiling, SoundPressureLevel(comfortable))
  }
}
