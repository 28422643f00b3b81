public import Acoustics

/// Output limit of each band, from the threshold and a ceiling.
///
/// Limit = min(UCL − 5 dB, ceiling), the uncomfortable level UCL estimated as 100 + 0.15 H. This rule of
/// thumb is one public app's choice, not a standard; a measured UCL should replace it. It does not say
/// whether it means dB HL or dB SPL: here it is read as dB SPL, the more careful reading, because reference
/// thresholds are positive (nearly everywhere). The limits are for each band by itself; the sound of all
/// bands together is for a broadband limiter.
public struct MaximumOutput: Sendable, Hashable {
  /// Ceilings accepted. The upper end is the build's own: no setting lifts the output above it.
  public static let ceilings = SoundPressureLevel(60)...SoundPressureLevel(120)

  /// 111 dB SPL, the greatest output 21 CFR 800.30(d)(1) allows an over-the-counter aid at any frequency.
  public static let standard = MaximumOutput(checked: SoundPressureLevel(111))

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
  /// - Throws: ``FittingError/ceilingOutOfRange(_:)``.
  public init(ceiling: SoundPressureLevel) throws(FittingError) {
    guard Self.ceilings.contains(ceiling) else { throw .ceilingOutOfRange(ceiling.decibels) }
    self.init(checked: ceiling)
  }

  private init(checked ceiling: SoundPressureLevel) { self.ceiling = ceiling }

  /// The same rule with a ceiling no higher than `level`. A level above the present ceiling changes
  /// nothing.
  ///
  /// - Throws: ``FittingError/ceilingOutOfRange(_:)`` for a level below 60 dB SPL or not a number.
  public func lowered(to level: SoundPressureLevel) throws(FittingError) -> MaximumOutput {
    level >= ceiling ? self : try MaximumOutput(ceiling: level)
  }

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
