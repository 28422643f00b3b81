public import Acoustics
import Base

/// Gain that a fitting gives to an ear which hears normally.
///
/// The ear counts as hearing normally when no threshold from 500 to 4000 Hz is above 20 dB HL: up to there
/// the World Health Organization grades no loss (World Report on Hearing, 2021, for the average of 500,
/// 1000, 2000 and 4000 Hz; from memory). Every published linear rule here gives 0 dB HL up to 1 dB (NAL's k
/// at 1 and 1.5 kHz, the Cambridge formula's intercept at 2 and 5 kHz), which nobody hears as louder; more
/// than that is needless. Fine tuning, a table of targets or a rule that goes by an average may give it.
public struct NeedlessGain: Sendable, Hashable {
  /// Greatest threshold of an ear that hears normally.
  public static let greatestThreshold = HearingLevel(20)

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
    "The \(ear.rawValue) ear hears normally from 500 to 4000 Hz (\(Self.greatestThreshold.decibels.shortText) dB HL or"
      + " better) and would get up to \(gain.shortText) dB of gain at \(frequency.shortText) Hz, which it does not need."
  }

  /// True when no known threshold of the ear is worse than ``greatestThreshold``.
  static func isHealthy(_ audiogram: Audiogram) -> Bool {
    let tested = audiogram.airPoints.filter { frequencies.contains($0.frequency) }
    let read = EarReview.neededFrequencies.compactMap { audiogram.threshold(at: $0) }
    return !read.isEmpty && read.allSatisfy { $0 <= greatestThreshold }
      && tested.allSatisfy { $0.hasResponse && $0.threshold <= greatestThreshold }
  }
}
