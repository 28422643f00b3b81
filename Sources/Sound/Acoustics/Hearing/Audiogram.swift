import Base

/// Hearing thresholds of one ear by frequency.
///
/// A frequency that was not tested is simply absent. Where masked and unmasked air conduction were both
/// measured, the masked threshold is the ear's own and is the one used. A point without response counts
/// with the loudest level presented and is listed in ``noResponseFrequencies``: the true loss is greater.
///
/// - Threads: any.
public struct Audiogram: Sendable, Hashable {
  /// Frequencies accepted, Hz: the range of clinical and extended high-frequency audiometers.
  public static let frequencies = 125.0...16_000.0

  /// Thresholds accepted: the range of an audiometer's attenuator, −10…120 dB HL.
  public static let levels = HearingLevel(-10)...HearingLevel(120)

  /// Most points: every frequency of an audiometer, tested in all four ways, is well below. Files of other
  /// people's making are read by this program, and the time they take must end.
  public static let greatestPointCount = 200

  /// All points, by conduction (air first), then frequency, then unmasked before masked.
  public let points: [Point]

  /// Air-conduction thresholds in force, nil without any.
  private let air: LogFrequencyTable?

  /// Creates an audiogram from its points, in any order; none at all is allowed.
  ///
  /// - Throws: ``AcousticsError`` naming the first bad point: outside ``frequencies`` or ``levels``, given
  ///   twice, or one too many.
  public init(points: [Point]) throws(AcousticsError) {
    guard points.count <= Self.greatestPointCount else {
      throw AcousticsError(
        "\(points.count) points", expected: "at most \(Self.greatestPointCount)", kind: "too many points")
    }
    for (index, point) in points.enumerated() {
      var path: String { "\(point.conduction) conduction" }
      var place: String { "at \(point.frequency.shortText) Hz" }
      guard Self.frequencies.contains(point.frequency) else {
        throw AcousticsError(
          "\(path) \(place)", expected: "a frequency of 125 to 16000 Hz", kind: "a frequency out of range")
      }
      guard Self.levels.contains(point.threshold) else {
        throw AcousticsError(
          "\(path) of \(point.threshold.decibels.shortText) dB HL \(place)", expected: "-10 to 120 dB HL",
          kind: "a level out of range")
      }
      let isRepeated = points[..<index].contains {
        ($0.frequency, $0.conduction, $0.isMasked) == (point.frequency, point.conduction, point.isMasked)
      }
      guard !isRepeated else {
        throw AcousticsError(
          "\(point.isMasked ? "masked" : "unmasked") \(path) \(place) given twice",
          kind: "a point given twice")
      }
    }
    self.init(checked: points)
  }

  /// Creates an audiogram of unmasked air-conduction thresholds, dB HL by frequency in Hz.
  ///
  /// - Throws: ``AcousticsError`` naming a bad point, the lowest in frequency.
  public init(air thresholds: [Double: Double]) throws(AcousticsError) {
    let points = thresholds.map { Point(frequency: $0.key, threshold: HearingLevel($0.value)) }
    try self.init(points: points.sorted { $0.frequency < $1.frequency })
  }

  /// Creates an audiogram from points known to be good.
  init(checked points: [Point]) {
    let ordered = points.sorted { a, b in
      if a.conduction != b.conduction { return a.conduction == .air }
      if a.frequency != b.frequency { return a.frequency < b.frequency }
      return !a.isMasked && b.isMasked
    }
    self.points = ordered
    let used = Self.pointsInForce(ordered)
    air = used.isEmpty ? nil : LogFrequencyTable(used.map(\.frequency), used.map(\.threshold.decibels))
  }

  /// Air-conduction points that thresholds are read from, by frequency: the masked one where there are two.
  public var airPoints: [Point] { Self.pointsInForce(points) }

  /// Frequencies of ``airPoints`` where even the loudest tone went unheard, Hz.
  public var noResponseFrequencies: [Double] { airPoints.filter { !$0.hasResponse }.map(\.frequency) }

  /// Air-conduction threshold at any frequency, nil when no air-conduction point was measured.
  ///
  /// Between points: linear in dB over log2 of frequency. Outside them: that of the nearest point.
  ///
  /// - Parameter frequency: Hz, positive.
  public func threshold(at frequency: Double) -> HearingLevel? {
    air.map { HearingLevel($0.held(at: frequency)) }
  }

  /// True when air-conduction points lie on both sides of `range` or at its ends, so that every threshold
  /// within is measured or interpolated.
  public func covers(_ range: ClosedRange<Double>) -> Bool {
    guard let air else { return false }
    return air.range.lowerBound <= range.lowerBound && range.upperBound <= air.range.upperBound
  }

  /// Mean air-conduction threshold at 500, 1000 and 2000 Hz, nil unless 500–2000 Hz is covered.
  public var pureToneAverage: HearingLevel? {
    guard let air, covers(500...2000) else { return nil }
    return HearingLevel((air.held(at: 500) + air.held(at: 1000) + air.held(at: 2000)) / 3)
  }

  private static func pointsInForce(_ ordered: [Point]) -> [Point] {
    var used: [Point] = []
    for point in ordered where point.conduction == .air {
      if let last = used.last, last.frequency == point.frequency { used.removeLast() }
      used.append(point)
    }
    return used
  }
}

extension Audiogram: Codable {
  /// The points, as an array; bad ones are refused as by ``init(points:)``.
  public init(from decoder: any Decoder) throws {
    try self.init(points: try decoder.singleValueContainer().decode([Point].self))
  }

  public func encode(to encoder: any Encoder) throws { try points.encode(to: encoder) }
}

extension Audiogram {
  /// The threshold found at one frequency.
  public struct Point: Sendable, Hashable, Codable {
    /// Hz, 125–16000.
    public var frequency: Double
    /// Softest tone heard, or with ``hasResponse`` false the loudest one presented; −10…120 dB HL.
    public var threshold: HearingLevel
    /// Path of the tone to the inner ear.
    public var conduction: Conduction
    /// True when the other ear was masked with noise.
    public var isMasked: Bool
    /// False when the loudest tone presented went unheard: the true threshold lies above ``threshold``.
    public var hasResponse: Bool

    /// Creates a measured threshold; by default by air, not masked, with a response.
    public init(
      frequency: Double, threshold: HearingLevel, conduction: Conduction = .air, isMasked: Bool = false,
      hasResponse: Bool = true
    ) {
      (self.frequency, self.threshold, self.conduction) = (frequency, threshold, conduction)
      (self.isMasked, self.hasResponse) = (isMasked, hasResponse)
    }
  }
}
