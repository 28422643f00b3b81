import Base

/// Levels of a microphone's channels while a calibrator sounded in front of it, from which its sensitivity follows.
///
/// - Threads: control.
public struct MicrophoneMeasurement: Sendable, Hashable, Codable {
  /// The calibrator's tone, and its level on a channel.
  public struct Reading: Sendable, Hashable, Codable {
    /// Counted from 0.
    public let channel: Int
    /// Hz.
    public let frequency: Double
    /// Level of the calibrator.
    public let sound: SoundPressureLevel
    /// Level on the channel, a full-scale sine being 0 dB.
    public let measured: FullScaleLevel

    /// Creates a reading.
    ///
    /// - Throws: ``AcousticsError`` for what no calibrator makes and no microphone has.
    public init(
      channel: Int, frequency: Double, sound: SoundPressureLevel, measured: FullScaleLevel
    ) throws(AcousticsError) {
      guard MicrophoneMeasurement.channels.contains(channel) else {
        throw AcousticsError("channel \(channel)", expected: "0 to 63")
      }
      guard EarphoneMeasurement.frequencies.contains(frequency) else {
        throw AcousticsError("\(frequency.shortText) Hz", expected: "20 to 20000 Hz")
      }
      guard MicrophoneMeasurement.calibrators.contains(sound) else {
        throw AcousticsError(
          "a calibrator of \(sound.decibels.shortText) dB SPL",
          expected: "70 to 130 dB SPL, such as 94 or 114")
      }
      guard MicrophoneMeasurement.fullScales.contains(sound - measured.decibels) else {
        let (low, high) = (
          MicrophoneMeasurement.fullScales.upperBound, MicrophoneMeasurement.fullScales.lowerBound
        )
        throw AcousticsError(
          "\(measured.decibels.readText) dB FS for \(sound.decibels.shortText) dB SPL",
          expected: "\((sound - low).readText) to \((sound - high).readText) dB FS")
      }
      (self.channel, self.frequency, self.sound, self.measured) = (channel, frequency, sound, measured)
    }

    private enum CodingKeys: CodingKey { case channel, frequency, sound, measured }

    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      try self.init(
        channel: try values.decode(Int.self, forKey: .channel),
        frequency: try values.decode(Double.self, forKey: .frequency),
        sound: try values.decode(SoundPressureLevel.self, forKey: .sound),
        measured: try values.decode(FullScaleLevel.self, forKey: .measured))
    }
  }

  static let channels = 0...63
  /// Levels of calibrators: 94 and 114 dB SPL are usual (IEC 60942, from memory), pistonphones have 124; own choice around these.
  public static let calibrators = SoundPressureLevel(70)...SoundPressureLevel(130)
  /// Levels that full scale can stand for: those that the configuration takes (auricle.toml(5)).
  static let fullScales = SoundPressureLevel(80)...SoundPressureLevel(160)

  /// One a channel; a single one stands for all.
  public let readings: [Reading]
  /// Person who measured.
  public let examiner: String
  /// The calibrator, as its user knows it.
  public let calibrator: String
  /// Response of the microphone by frequency; nil: taken as flat.
  public let response: FrequencyResponse?

  /// Creates a measurement.
  ///
  /// - Throws: ``AcousticsError`` without a reading, and for channels that are not counted from 0 without a gap.
  public init(
    readings: [Reading], examiner: String, calibrator: String, response: FrequencyResponse? = nil
  ) throws(AcousticsError) {
    guard !readings.isEmpty else { throw AcousticsError("no reading", expected: "one of each channel") }
    guard readings.map(\.channel) == Array(0..<readings.count) else {
      throw AcousticsError(
        "readings of channels \(readings.map { "\($0.channel)" }.joined(separator: ", "))",
        expected: "each channel once, from 0")
    }
    (self.readings, self.examiner) = (readings, examiner)
    (self.calibrator, self.response) = (calibrator, response)
  }

  private enum CodingKeys: CodingKey { case readings, examiner, calibrator, response }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      readings: try values.decode([Reading].self, forKey: .readings),
      examiner: try values.decode(String.self, forKey: .examiner),
      calibrator: try values.decode(String.self, forKey: .calibrator),
      response: try values.decodeIfPresent(FrequencyResponse.self, forKey: .response))
  }

  /// Sensitivity of each channel: the calibrator's level less that on the channel; at other frequencies less what the microphone
  /// responds more there.
  ///
  /// - Throws: ``AcousticsError`` for levels that no microphone has.
  public func sensitivities() throws(AcousticsError) -> [Sensitivity] {
    try readings.map { (reading) throws(AcousticsError) in
      let fullScale = reading.sound - reading.measured.decibels
      guard let response else { return try Sensitivity(flat: fullScale) }
      let reference = response.level(at: reading.frequency)
      return try Sensitivity(
        table: response.rows.map { ($0.frequency, fullScale - ($0.level - reference)) })
    }
  }
}
