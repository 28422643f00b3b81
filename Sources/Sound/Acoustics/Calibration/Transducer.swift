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
  public let referenceThresholds: ReferenceTable<SoundPressureLevel>

  init(
    _ identifier: String, name: String, coupler: String, standard: String,
    status: CalibrationStatus = .verified, _ referenceThresholds: ReferenceTable<SoundPressureLevel>
  ) {
    self.identifier = identifier
    self.name = name
    self.coupler = coupler
    self.standard = standard
    self.status = status
    self.referenceThresholds = referenceThresholds
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

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(identifier)
  }
}

/// Reference threshold levels by frequency, each row known to be read in a source or not.
///
/// Between rows: linear in dB over log2 of frequency. Outside: refused, since a threshold cannot be
/// guessed.
public struct ReferenceTable<Reference: Level>: Sendable, Hashable {
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

  /// The level at a frequency, Hz; provisional when a row it is made from is unverified.
  ///
  /// - Throws: ``AcousticsError`` outside the table.
  public func level(at frequency: Double) throws(AcousticsError) -> Calibrated<Reference> {
    let level = try table.value(at: frequency)
    let below = frequencies.last { $0 <= frequency }
    let above = frequencies.first { $0 >= frequency }
    let isVerified = [below, above].compactMap(\.self).allSatisfy { !unverifiedFrequencies.contains($0) }
    return Calibrated(Reference(level), status: isVerified ? .verified : .provisional)
  }
}

/// A bone vibrator, whose reference thresholds are vibratory forces (RETVFL), not sound pressures.
public struct BoneVibrator: Sendable, Hashable {
  /// Name for people, such as "HDA 200".
  public let name: String
  /// Coupler, and place on the skull.
  public let coupler: String
  /// Standard or source of the table.
  public let standard: String
  /// RETVFL by frequency, dB re 1 µN.
  public let referenceThresholds: ReferenceTable<VibratoryForceLevel>

  /// Force level of a hearing level.
  ///
  /// - Parameter frequency: Hz.
  /// - Throws: ``AcousticsError`` outside the table.
  public func forceLevel(
    of hearing: HearingLevel, at frequency: Double
  ) throws(AcousticsError) -> Calibrated<VibratoryForceLevel> {
    try referenceThresholds.level(at: frequency).map { $0 + hearing.decibels }
  }

  /// Radioear B-71 on the mastoid.
  ///
  /// ISO 389-3, as quoted in two public programs; 750, 6000 and 8000 Hz from memory.
  public static let b71 = BoneVibrator(
    name: "Radioear B-71", coupler: "IEC 60318-6 mechanical coupler, mastoid", standard: "ISO 389-3",
    referenceThresholds: ReferenceTable(
      [
        250: 67, 315: 64, 400: 61, 500: 58, 750: 48.5, 1000: 42.5, 1500: 36.5, 2000: 31, 2500: 29.5,
        3000: 30, 4000: 35.5, 6000: 40, 8000: 40,
      ], unverified: [750, 6000, 8000]))
}
