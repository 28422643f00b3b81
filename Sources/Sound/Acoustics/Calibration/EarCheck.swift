public import Base
import Glibc

/// A check of earphones by ears: the thresholds of people who hear normally lie about 0 dB HL in the mean, or the levels are wrong.
///
/// It needs no instrument and is no measurement: ears differ by more than earphones do. Whoever was tested is not kept.
///
/// - Threads: control.
public struct EarCheck: Sendable, Hashable, Codable {
  /// A threshold that was found with the earphones.
  public struct Threshold: Sendable, Hashable {
    /// A name for the person, to count ears by.
    let person: String
    let ear: Ear
    /// Hz.
    let frequency: Double
    let level: HearingLevel

    init(person: String, ear: Ear, frequency: Double, level: HearingLevel) {
      (self.person, self.ear, self.frequency, self.level) = (person, ear, frequency, level)
    }
  }

  /// Mean of a frequency.
  public struct Mean: Sendable, Hashable, Codable {
    /// Hz.
    public let frequency: Double
    /// Mean of the thresholds, rounded to a tenth of a decibel.
    public let level: HearingLevel
    /// Ears it is the mean of.
    public let ears: Int
  }

  /// Ears at each frequency, at least; own choice, for the error of a mean of three is little more than half of one ear's.
  public static let leastEars = 3
  /// Greatest distance of a mean from 0 dB HL, dB; own choice: two steps of a threshold search.
  public static let tolerance = 10.0

  /// By rising frequency.
  public let means: [Mean]
  /// Day of the check.
  public let date: CalendarDate

  /// Takes the means.
  ///
  /// - Throws: ``AcousticsError`` for a threshold twice, for one that no audiometer finds, and for too few ears.
  public init(_ thresholds: [Threshold], date: CalendarDate) throws(AcousticsError) {
    var byFrequency: [Double: [Threshold]] = [:]
    for threshold in thresholds {
      let place = "\(threshold.ear.rawValue) ear at \(threshold.frequency.shortText) Hz"
      guard EarphoneMeasurement.frequencies.contains(threshold.frequency) else {
        throw AcousticsError("\(threshold.frequency.shortText) Hz", expected: "20 to 20000 Hz")
      }
      guard (HearingLevel(-20)...HearingLevel(120)).contains(threshold.level) else {
        throw AcousticsError("\(threshold.level.decibels.shortText) dB HL", expected: "−20 to 120 dB HL")
      }
      let others = byFrequency[threshold.frequency] ?? []
      guard !others.contains(where: { ($0.person, $0.ear) == (threshold.person, threshold.ear) }) else {
        throw AcousticsError("the \(place) of one person twice")
      }
      byFrequency[threshold.frequency] = others + [threshold]
    }
    guard !byFrequency.isEmpty else { throw AcousticsError("no threshold", expected: "one at least") }
    means = try byFrequency.sorted { $0.key < $1.key }.map { (frequency, all) throws(AcousticsError) in
      guard all.count >= Self.leastEars else {
        throw AcousticsError(
          "\(English.count(all.count, "ear")) at \(frequency.shortText) Hz",
          expected: "at least \(Self.leastEars)")
      }
      let mean = all.map(\.level.decibels).reduce(0, +) / Double(all.count)
      return Mean(frequency: frequency, level: HearingLevel((mean * 10).rounded() / 10), ears: all.count)
    }
    self.date = date
  }

  /// Frequencies whose mean lies too far from 0 dB HL; none: the earphones' levels are plausible.
  public var outliers: [Mean] { means.filter { abs($0.level.decibels) > Self.tolerance } }

  /// Ears at the frequency that has the fewest.
  public var ears: Int { means.map(\.ears).min() ?? 0 }
}
