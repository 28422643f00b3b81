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
    status: CalibrationStatus = .verified, referenceThresholds: ReferenceTable<SoundPressureLevel>
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
  /// - Throws: ``CalibrationError/frequencyOutsideTable(frequency:range:)``.
  public func referenceThreshold(
    at frequency: Double
  ) throws(CalibrationError) -> Calibrated<SoundPressureLevel> {
    let reference = try referenceThresholds.level(at: frequency)
    return Calibrated(reference.value, status: min(status, reference.status))
  }

  /// Sound pressure level in the coupler of a hearing level.
  ///
  /// - Throws: ``CalibrationError/frequencyOutsideTable(frequency:range:)``.
  public func soundPressureLevel(
    of hearing: HearingLevel, at frequency: Double
  ) throws(CalibrationError) -> Calibrated<SoundPressureLevel> {
    try referenceThreshold(at: frequency).map { $0 + hearing.decibels }
  }

  /// Hearing level of a sound pressure level in the coupler.
  ///
  /// - Throws: ``CalibrationError/frequencyOutsideTable(frequency:range:)``.
  public func hearingLevel(
    of sound: SoundPressureLevel, at frequency: Double
  ) throws(CalibrationError) -> Calibrated<HearingLevel> {
    try referenceThreshold(at: frequency).map { HearingLevel(sound - $0) }
  }

  /// All transducers known here.
  public static let all: [Transducer] = [
    .tdh39, .supraAural, .dt48, .hda200, .hda300, .er3aEarSimulator, .er3aCoupler, .er2a, .freeField,
    .diffuseField, .eardrum, .airPods1, .airPods2, .airPods3, .airPodsPro1, .airPodsPro2, .airPodsMax,
    .earPods,
  ]

  /// The transducer of this identifier, if any.
  public static func named(_ identifier: String) -> Transducer? {
    all.first { $0.identifier == identifier }
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
    table = LogFrequencyTable(rows.map(\.key), rows.map(\.value))
    unverifiedFrequencies = unverified
  }

  /// Frequencies of the rows, Hz, rising.
  public var frequencies: [Double] { table.frequencies }

  /// First and last frequency, Hz.
  public var range: ClosedRange<Double> { table.range }

  /// The level at a frequency, Hz; provisional when a row it is made from is unverified.
  ///
  /// - Throws: ``CalibrationError/frequencyOutsideTable(frequency:range:)``.
  public func level(at frequency: Double) throws(CalibrationError) -> Calibrated<Reference> {
    guard let level = table.value(at: frequency) else {
      throw .frequencyOutsideTable(frequency: frequency, range: range)
    }
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
  /// - Throws: ``CalibrationError/frequencyOutsideTable(frequency:range:)``.
  public func forceLevel(
    of hearing: HearingLevel, at frequency: Double
  ) throws(CalibrationError) -> Calibrated<VibratoryForceLevel> {
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

extension Transducer {
  /// Circumaural earphone HDA 200.
  ///
  /// Up to 8 kHz ISO 389-8:2004, on which openMHA (retspl_ISO389_8_HDA200), the Auditory Modeling Toolbox
  /// and HearLevel (P. D. Best) agree; from 9 kHz ISO 389-5:2006, on which the latter two agree.
  public static let hda200 = Transducer(
    "hda200", name: "Sennheiser HDA 200",
    coupler: "IEC 60318-1 + type 1 adapter", standard: "ISO 389-8:2004; above 8 kHz ISO 389-5:2006",
    referenceThresholds: ReferenceTable(
      [
        125: 30.5, 160: 26, 200: 22, 250: 18, 315: 15.5, 400: 13.5, 500: 11, 630: 8, 750: 6,
        800: 6, 1000: 5.5, 1250: 6, 1500: 5.5, 1600: 5.5, 2000: 4.5, 2500: 3, 3000: 2.5, 3150: 4,
        4000: 9.5, 5000: 14, 6000: 17, 6300: 17.5, 8000: 17.5, 9000: 19, 10_000: 22, 11_200: 23,
        12_500: 27.5, 14_000: 35, 16_000: 56,
      ]))

  /// Circumaural earphone HDA 300: not the HDA 200, whose figures go under this name in places.
  ///
  /// Manufacturer’s data, read from HearLevel (P. D. Best) and confirmed at six frequencies by another
  /// program.
  public static let hda300 = Transducer(
    "hda300", name: "Sennheiser HDA 300",
    coupler: "IEC 60318-1, per manufacturer", standard: "Sennheiser publication 545391/A01",
    referenceThresholds: ReferenceTable(
      [
        125: 26.2, 250: 20.1, 500: 8.6, 1000: 2.7, 1500: 3.2, 2000: 0.5, 3000: -1.6, 4000: 0.1,
        5000: 11.3, 6000: 20.9, 8000: 23.1, 9000: 27.1, 10_000: 18.5, 11_200: 22.9, 12_500: 27,
        14_000: 32.8, 16_000: 47.7,
      ]))
}

extension ReferenceTable<SoundPressureLevel> {
  /// HDA 200 from 9 kHz in the withdrawn edition ISO/TR 389-5:1998, which openMHA still has.
  ///
  /// Up to 1 dB from the 2006 edition used in ``Transducer/hda200``: only for reading older audiograms.
  public static let hda200Edition1998 = ReferenceTable(
    [9000: 18.5, 10_000: 22, 11_200: 23, 12_500: 28, 14_000: 36, 16_000: 56])
}
