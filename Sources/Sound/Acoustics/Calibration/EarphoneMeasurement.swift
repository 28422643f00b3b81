import Base

/// Readings of a sound level meter on a coupler, from which the sensitivity of earphones follows.
///
/// It is kept with the calibration: whoever reads that can work the levels out again, and a status of verified rests on
/// nothing else.
///
/// - Threads: control.
public struct EarphoneMeasurement: Sendable, Hashable, Codable {
  /// A tone, and its level on the coupler.
  public struct Reading: Sendable, Hashable, Codable {
    /// Earphone that played.
    public let ear: Ear
    /// Hz.
    public let frequency: Double
    /// Level of the tone as played.
    public let played: FullScaleLevel
    /// Level that the meter showed.
    public let read: SoundPressureLevel

    /// Creates a reading.
    ///
    /// - Throws: ``AcousticsError`` for a frequency or a level that no earphone and no meter has.
    public init(
      ear: Ear, frequency: Double, played: FullScaleLevel, read: SoundPressureLevel
    ) throws(AcousticsError) {
      guard EarphoneMeasurement.frequencies.contains(frequency) else {
        throw AcousticsError("\(frequency.shortText) Hz", expected: "20 to 20000 Hz")
      }
      guard EarphoneMeasurement.playedLevels.contains(played) else {
        throw AcousticsError(
          "a tone played at \(played.decibels.shortText) dB FS", expected: "−100 to 0 dB FS")
      }
      guard EarphoneMeasurement.fullScales.contains(read - played.decibels) else {
        let (low, high) = (
          EarphoneMeasurement.fullScales.lowerBound, EarphoneMeasurement.fullScales.upperBound
        )
        throw AcousticsError(
          "\(read.decibels.shortText) dB SPL for a tone at \(played.decibels.readText) dB FS",
          expected:
            "\((low + played.decibels).decibels.shortText) to \((high + played.decibels).decibels.shortText)"
        )
      }
      (self.ear, self.frequency, self.played, self.read) = (ear, frequency, played, read)
    }

    /// Level that full scale makes.
    public var fullScale: SoundPressureLevel { read - played.decibels }

    private enum CodingKeys: CodingKey { case ear, frequency, played, read }

    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      try self.init(
        ear: try values.decode(Ear.self, forKey: .ear),
        frequency: try values.decode(Double.self, forKey: .frequency),
        played: try values.decode(FullScaleLevel.self, forKey: .played),
        read: try values.decode(SoundPressureLevel.self, forKey: .read))
    }

    /// "left ear, 1000 Hz".
    public var place: String { "\(ear.rawValue) ear, \(frequency.shortText) Hz" }
  }

  /// Frequencies of a reading, Hz: those of hearing.
  static let frequencies = 20.0...20_000
  /// Levels at which a tone can have been played.
  static let playedLevels = FullScaleLevel(-100)...FullScaleLevel(0)
  /// Levels that full scale can make at a frequency; own choice: no earphone for ears lies outside, and a digit too many
  /// or too few does.
  static let fullScales = SoundPressureLevel(60)...SoundPressureLevel(150)

  /// In the order in which they were taken.
  public let readings: [Reading]
  /// Person who measured.
  public let examiner: String
  /// Coupler, ear simulator or place in which they were read.
  public let coupler: String
  /// Volume controls of the card as they stood meanwhile; nil where nobody could read any.
  public let volumes: [VolumeSetting]?

  /// Creates a measurement.
  ///
  /// - Throws: ``AcousticsError`` for an ear without a reading.
  public init(
    readings: [Reading], examiner: String, coupler: String, volumes: [VolumeSetting]? = nil
  ) throws(AcousticsError) {
    for ear in Ear.allCases where !readings.contains(where: { $0.ear == ear }) {
      throw AcousticsError("no reading of the \(ear.rawValue) ear", expected: "one of each ear at least")
    }
    (self.readings, self.examiner, self.coupler) = (readings, examiner, coupler)
    self.volumes = volumes
  }

  private enum CodingKeys: CodingKey { case readings, examiner, coupler, volumes }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      readings: try values.decode([Reading].self, forKey: .readings),
      examiner: try values.decode(String.self, forKey: .examiner),
      coupler: try values.decode(String.self, forKey: .coupler),
      volumes: try values.decodeIfPresent([VolumeSetting].self, forKey: .volumes))
  }

  // MARK: - Consequences

  /// Sensitivity that follows: at each frequency that of the loudest tone, which lies farthest above the noise.
  ///
  /// - Throws: ``AcousticsError`` for levels that no earphone has.
  public func sensitivity() throws(AcousticsError) -> Binaural<Sensitivity> {
    Binaural(left: try sensitivity(.left), right: try sensitivity(.right))
  }

  private func sensitivity(_ ear: Ear) throws(AcousticsError) -> Sensitivity {
    try Sensitivity(table: loudest(ear).map { ($0.frequency, $0.fullScale) })
  }

  /// The reading of the loudest tone at each frequency, by frequency.
  private func loudest(_ ear: Ear) -> [Reading] {
    var chosen: [Double: Reading] = [:]
    for reading in readings where reading.ear == ear {
      if let other = chosen[reading.frequency], other.played >= reading.played { continue }
      chosen[reading.frequency] = reading
    }
    return chosen.values.sorted { $0.frequency < $1.frequency }
  }

  // MARK: - Plausibility

  /// Greatest difference of full scale between neighbouring frequencies, dB. Own choice: earphones differ by 10 dB from octave
  /// to octave, a slipped coupler or another range of the meter by more than this.
  public static let greatestJump = 20.0
  /// Distance of the two tones by which linearity is checked, dB, and what the readings may miss it by: ± 1 dB for a step of
  /// an audiometer (IEC 60645-1, from memory).
  public static let linearityStep = (distance: 10.0, tolerance: 1.0)
  /// Frequencies that each ear is read at for a status of verified, Hz; own choice: those that carry speech, and that every
  /// fitting rule needs.
  public static let neededFrequencies = [500.0, 1000, 2000, 4000]

  /// Contradiction between a reading and those before it, a clause; nil: there is none.
  ///
  /// - Parameter earlier: Taken before, also of the other ear.
  public static func contradiction(of reading: Reading, after earlier: [Reading]) -> String? {
    let own = earlier.filter { $0.ear == reading.ear && $0.frequency != reading.frequency }
    func distance(_ other: Reading) -> Double {
      let ratio = other.frequency / reading.frequency
      return max(ratio, 1 / ratio)
    }
    // Also of the same tone: which of two readings that differ is right, nobody knows.
    if let other = earlier.last(where: { $0.ear == reading.ear && $0.frequency == reading.frequency }) {
      let expected = other.read + (reading.played - other.played)
      let error = abs(reading.read - expected)
      guard
        error > linearityStep.tolerance
          * max(1, abs(reading.played - other.played) / linearityStep.distance)
      else { return nil }
      return "\(reading.read.decibels.shortText) dB SPL at \(reading.played.decibels.readText) dB FS after "
        + "\(other.read.decibels.shortText) at \(other.played.decibels.readText): expected \(expected.decibels.shortText) ± "
        + "\(linearityStep.tolerance.shortText), for the level falls as the tone does"
    }
    guard let other = own.min(by: { distance($0) < distance($1) }),
      abs(reading.fullScale - other.fullScale) > greatestJump
    else { return nil }
    let middle = (other.fullScale + reading.played.decibels).decibels
    return "\(reading.read.decibels.shortText) dB SPL at \(reading.frequency.shortText) Hz after "
      + "\(other.read.decibels.shortText) at \(other.frequency.shortText) Hz: expected \((middle - greatestJump).shortText) to "
      + "\((middle + greatestJump).shortText), for an earphone differs by less from one frequency to the next"
  }

  /// Frequencies of ``neededFrequencies`` at which an ear's earphone was not read, Hz.
  func missingFrequencies(_ ear: Ear) -> [Double] {
    Self.neededFrequencies.filter { wanted in
      !readings.contains { $0.ear == ear && $0.frequency == wanted }
    }
  }

  /// Reasons for which these readings do not make a calibration verified, clauses; none: they do.
  public var shortcomings: [String] {
    var found: [String] = []
    for ear in Ear.allCases {
      let own = readings.filter { $0.ear == ear }
      let missing = missingFrequencies(ear)
      if !missing.isEmpty {
        found.append(
          "no reading of the \(ear.rawValue) ear at \(English.list(missing.map(\.shortText), "and")) Hz")
      }
      let isChecked = own.contains { reading in
        own.contains {
          $0.frequency == reading.frequency && $0.played - reading.played >= Self.linearityStep.distance
        }
      }
      if !isChecked {
        found.append(
          "no second, softer tone of the \(ear.rawValue) ear that would show that levels are linear")
      }
    }
    for (index, reading) in readings.enumerated() {
      if let words = Self.contradiction(of: reading, after: Array(readings[..<index])) {
        found.append("\(reading.ear.rawValue) ear, \(words)")
      }
    }
    return found
  }
}
