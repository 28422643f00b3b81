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
  /// Where the reference thresholds are laid down.
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
