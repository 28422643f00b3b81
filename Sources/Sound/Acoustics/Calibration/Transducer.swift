import Base

/// An earphone or sound field together with the coupler its reference thresholds are measured in.
///
/// A reference equivalent threshold sound pressure level (RETSPL) holds for that pair only: the same
/// earphone has another in another coupler (ER-3A: 2 to 15.5 dB apart). The figures of the standards are
/// taken from programs that cite them, named at each table; the standards themselves were not at hand.
public struct Transducer: Sendable, Hashable {
  /// Short name for files and commands: `hda200`.
  public let identifier: String
  /// Name for people: `Sennheiser HDA 200`.
  public let name: String
  /// Coupler, ear simulator or place in which dB SPL is taken.
  public let coupler: String
  /// Standard that lays down the reference thresholds.
  public let standard: String
  /// Status that a calibration with this transducer reaches at best.
  public let status: CalibrationStatus
  /// RETSPL by frequency.
  public let referenceThresholds: ReferenceTable

  init(
    _ identifier: String, name: String, coupler: String, standard: String,
    status: CalibrationStatus = .verified, _ referenceThresholds: ReferenceTable
  ) {
    (self.identifier, self.name, self.coupler) = (identifier, name, coupler)
    (self.standard, self.status, self.referenceThresholds) = (standard, status, referenceThresholds)
  }

  /// Reference threshold (0 dB HL) at a frequency, Hz.
  ///
  /// - Throws: ``AcousticsError`` outside the table.
  public func referenceThreshold(
    at frequency: Double
  ) throws(AcousticsError) -> Calibrated<SoundPressureLevel> {
    let reference = try referenceThresholds.level(at: frequency)
    return Calibrated(reference.value, status: min(status, reference.status))
  }

  /// Sound pressure level in the coupler of a hearing level.
  ///
  /// - Throws: ``AcousticsError`` outside the table.
  public func soundPressureLevel(
    of hearing: HearingLevel, at frequency: Double
  ) throws(AcousticsError) -> Calibrated<SoundPressureLevel> {
    try referenceThreshold(at: frequency).map { $0 + hearing.decibels }
  }

  /// Hearing level of a sound pressure level in the coupler.
  ///
  /// - Throws: ``AcousticsError`` outside the table.
  public func hearingLevel(
    of sound: SoundPressureLevel, at frequency: Double
  ) throws(AcousticsError) -> Calibrated<HearingLevel> {
    try referenceThreshold(at: frequency).map { HearingLevel(sound - $0) }
  }
}

extension Transducer {
  /// Coupler of the reference thresholds; nil where the source does not state it.
  public var statedCoupler: String? { coupler == "not stated" ? nil : coupler }

  /// True where the reference thresholds can be applied to levels in a coupler. Those of a model whose coupler is not stated can
  /// in any, and stay provisional.
  ///
  /// - Parameter coupler: As a person writes it (``CouplerName``).
  public func holds(in coupler: String) -> Bool {
    statedCoupler.map { CouplerName($0) == CouplerName(coupler) } ?? true
  }

  /// Reason for which levels in dB HL at some of these frequencies are provisional, however the earphone was calibrated, a clause; nil: none
  /// is. Frequencies outside the table do not count.
  public func uncertainty(at frequencies: some Sequence<Double>) -> String? {
    let uncertain = Set(frequencies.filter { (try? referenceThreshold(at: $0))?.status == .provisional })
    guard !uncertain.isEmpty else { return nil }
    guard status == .verified else {
      return "the source of the reference thresholds of \(identifier) does not state their coupler"
    }
    let places = English.list(uncertain.sorted().map(\.shortText), "and")
    return "the reference thresholds of \(identifier) at \(places) Hz are from memory"
  }
}

extension Transducer: Codable {
  /// By identifier.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let identifier = try container.decode(String.self)
    guard let transducer = Transducer.named(identifier) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "unknown transducer \"\(identifier)\": expected one of "
          + Transducer.all.map(\.identifier).joined(separator: ", "))
    }
    self = transducer
  }

  public func encode(to encoder: any Encoder) throws { try identifier.encode(to: encoder) }
}

/// Reference threshold levels by frequency, each row known to be read in a source or not.
///
/// Between rows: linear in dB over log2 of frequency. Outside: refused, since a threshold cannot be
/// guessed.
public struct ReferenceTable: Sendable, Hashable {
  private let table: LogFrequencyTable

  /// Frequencies of rows that were not found in any source read, only remembered, Hz.
  public let unverifiedFrequencies: Set<Double>

  /// Rows as `frequency: level`, rising.
  init(_ rows: KeyValuePairs<Double, Double>, unverified: Set<Double> = []) {
    self.init(rows.map(\.key), rows.map(\.value), unverified: unverified)
  }

  init(_ frequencies: [Double], _ levels: [Double], unverified: Set<Double> = []) {
    table = LogFrequencyTable(frequencies, levels)
    unverifiedFrequencies = unverified
  }

  /// Frequencies of the rows, Hz, rising.
  public var frequencies: [Double] { table.frequencies }

  /// First and last frequency, Hz.
  public var range: ClosedRange<Double> { table.range }

  /// The level at a frequency, Hz; outside the table that of its nearest end.
  func held(at frequency: Double) -> Double { table.held(at: frequency) }

  /// The level at a frequency, Hz; provisional when a row it is made from is unverified.
  ///
  /// - Throws: ``AcousticsError`` outside the table.
  public func level(at frequency: Double) throws(AcousticsError) -> Calibrated<SoundPressureLevel> {
    let level = try table.value(at: frequency)
    let below = frequencies.last { $0 <= frequency }
    let above = frequencies.first { $0 >= frequency }
    let isVerified = [below, above].compactMap(\.self).allSatisfy { !unverifiedFrequencies.contains($0) }
    return Calibrated(SoundPressureLevel(level), status: isVerified ? .verified : .provisional)
  }
}
