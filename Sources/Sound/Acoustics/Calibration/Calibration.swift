/// The way from a microphone's digital signal to the sound pressure in front of it.
///
/// - Threads: control; `nominal` values are copied to audio.
public struct InputCalibration: Sendable, Hashable, Codable {
  /// The microphone, and the status of its calibration.
  public let device: DeviceCalibration

  /// Sound pressure level at 0 dB FS of each channel. A single entry stands for all channels.
  public let channels: [Sensitivity]

  /// Creates a calibration.
  ///
  /// - Throws: ``AcousticsError`` without channels.
  public init(device: DeviceCalibration, channels: [Sensitivity]) throws(AcousticsError) {
    guard !channels.isEmpty else { throw AcousticsError("no entry", expected: "at least one") }
    self.init(checked: device, channels: channels)
  }

  /// Creates a calibration from at least one channel.
  package init(checked device: DeviceCalibration, channels: [Sensitivity]) {
    (self.device, self.channels) = (device, channels)
  }

  /// Assumption for a microphone that has not been measured: 0 dB FS is 120 dB SPL, status none.
  ///
  /// 120 dB SPL is the overload point many small microphones are built for, and the same number as in
  /// ``OutputCalibration/assumed``: a prescribed gain of 0 dB is then a digital gain of 0 dB. A more
  /// sensitive microphone reads too high, which asks for less gain, not more.
  public static let assumed = InputCalibration(
    checked: .unknown, channels: [Sensitivity(checkedFlat: SoundPressureLevel(120))])

  /// The sensitivity of a channel, counted from 0.
  ///
  /// - Throws: ``AcousticsError`` when there is no entry for it.
  public func sensitivity(channel: Int) throws(AcousticsError) -> Sensitivity {
    if channels.count == 1, channel >= 0 { return channels[0] }
    guard channels.indices.contains(channel) else {
      throw AcousticsError("channel \(channel): \(channels.count) are calibrated")
    }
    return channels[channel]
  }

  /// Sound pressure level of a signal on a channel.
  ///
  /// - Parameters:
  ///   - level: dB FS, a full-scale sine being 0 dB.
  ///   - channel: Counted from 0.
  ///   - frequency: Hz; nil for sound of unknown content, read with the sensitivity at 1 kHz.
  /// - Throws: ``AcousticsError`` for a channel without an entry, and for a frequency outside its table.
  public func soundPressureLevel(
    of level: FullScaleLevel, channel: Int, at frequency: Double? = nil
  ) throws(AcousticsError) -> Calibrated<SoundPressureLevel> {
    Calibrated(try fullScale(channel: channel, at: frequency) + level.decibels, status: device.status)
  }

  /// Signal level that a sound makes on a channel; parameters and errors as in
  /// ``soundPressureLevel(of:channel:at:)``.
  public func fullScaleLevel(
    of sound: SoundPressureLevel, channel: Int, at frequency: Double? = nil
  ) throws(AcousticsError) -> Calibrated<FullScaleLevel> {
    Calibrated(
      FullScaleLevel(sound - (try fullScale(channel: channel, at: frequency))), status: device.status)
  }

  private func fullScale(channel: Int, at frequency: Double?) throws(AcousticsError) -> SoundPressureLevel {
    let sensitivity = try sensitivity(channel: channel)
    guard let frequency else { return sensitivity.nominalLevel }
    return try sensitivity.level(at: frequency)
  }

  private enum CodingKeys: CodingKey { case device, channels }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      device: try container.decode(DeviceCalibration.self, forKey: .device),
      channels: try container.decode([Sensitivity].self, forKey: .channels))
  }
}

/// The way from a digital signal to the sound an earphone makes, and on to hearing levels.
///
/// dB SPL is that in the coupler of ``transducer``; dB HL needs its reference thresholds. Every number
/// carries the status of this calibration, or a worse one of the reference threshold.
///
/// - Threads: control.
public struct OutputCalibration: Sendable, Hashable, Codable {
  /// The earphones, and the status of their calibration.
  public let device: DeviceCalibration

  /// Sound pressure level at 0 dB FS, each ear.
  public let sensitivity: Binaural<Sensitivity>

  /// Transducer that dB HL refers to; without it only dB SPL and dB SL are available.
  public let transducer: Transducer?

  /// Greatest level that the earphones make as they should, at any frequency; nil: not stated. A tone above it is
  /// refused (``ReachableLevels``).
  public let maximumLevel: SoundPressureLevel?

  /// Creates a calibration of both earphones.
  public init(
    device: DeviceCalibration, sensitivity: Binaural<Sensitivity>, transducer: Transducer? = nil,
    maximumLevel: SoundPressureLevel? = nil
  ) {
    (self.device, self.sensitivity, self.transducer) = (device, sensitivity, transducer)
    self.maximumLevel = maximumLevel
  }

  /// Assumption for earphones that have not been measured: 0 dB FS is 120 dB SPL, status none, no
  /// transducer.
  ///
  /// On purpose that of a loud earphone: a real one is quieter than the number says, so a limit kept in
  /// numbers is kept in the ear.
  public static let assumed = OutputCalibration(
    device: .unknown, sensitivity: Binaural(both: Sensitivity(checkedFlat: SoundPressureLevel(120))))

  // MARK: - Sound pressure

  /// Sound pressure level that a tone makes.
  ///
  /// - Parameters:
  ///   - level: dB FS, a full-scale sine being 0 dB.
  ///   - frequency: Hz.
  ///   - ear: Side of the earphone.
  /// - Throws: ``AcousticsError`` for a frequency outside the table.
  public func soundPressureLevel(
    of level: FullScaleLevel, at frequency: Double, ear: Ear
  ) throws(AcousticsError) -> Calibrated<SoundPressureLevel> {
    Calibrated(try sensitivity[ear].level(at: frequency) + level.decibels, status: device.status)
  }

  /// Level of the tone that makes a sound pressure level. Above 0 dB FS it cannot be played.
  ///
  /// - Throws: ``AcousticsError`` for a frequency outside the table.
  public func fullScaleLevel(
    of sound: SoundPressureLevel, at frequency: Double, ear: Ear
  ) throws(AcousticsError) -> Calibrated<FullScaleLevel> {
    Calibrated(FullScaleLevel(sound - (try sensitivity[ear].level(at: frequency))), status: device.status)
  }

  // MARK: - Hearing level

  /// Hearing level of a tone: its sound pressure level less the reference threshold.
  ///
  /// - Throws: ``AcousticsError`` without a transducer, and for a frequency outside a table.
  public func hearingLevel(
    of level: FullScaleLevel, at frequency: Double, ear: Ear
  ) throws(AcousticsError) -> Calibrated<HearingLevel> {
    let reference = try referenceThreshold(at: frequency)
    return try soundPressureLevel(of: level, at: frequency, ear: ear)
      .combined(with: reference) { HearingLevel($0 - $1) }
  }

  /// Level of the tone that has a hearing level.
  ///
  /// - Throws: ``AcousticsError`` without a transducer, and for a frequency outside a table.
  public func fullScaleLevel(
    of hearing: HearingLevel, at frequency: Double, ear: Ear
  ) throws(AcousticsError) -> Calibrated<FullScaleLevel> {
    let reference = try referenceThreshold(at: frequency)
    let level = try fullScaleLevel(of: reference.value + hearing.decibels, at: frequency, ear: ear)
    return level.combined(with: reference) { level, _ in level }
  }

  // MARK: - Sensation level

  /// Level of the tone that lies at a sensation level above a threshold in dB HL.
  ///
  /// - Throws: ``AcousticsError`` without a transducer, and for a frequency outside a table.
  public func fullScaleLevel(
    of sensation: SensationLevel, above threshold: HearingLevel, at frequency: Double, ear: Ear
  ) throws(AcousticsError) -> Calibrated<FullScaleLevel> {
    try fullScaleLevel(of: threshold + sensation.decibels, at: frequency, ear: ear)
  }

  /// Sensation level of a tone above a threshold in dB HL.
  ///
  /// - Throws: ``AcousticsError`` without a transducer, and for a frequency outside a table.
  public func sensationLevel(
    of level: FullScaleLevel, above threshold: HearingLevel, at frequency: Double, ear: Ear
  ) throws(AcousticsError) -> Calibrated<SensationLevel> {
    try hearingLevel(of: level, at: frequency, ear: ear).map { SensationLevel($0 - threshold) }
  }

  private func referenceThreshold(
    at frequency: Double
  ) throws(AcousticsError) -> Calibrated<SoundPressureLevel> {
    guard let transducer else {
      throw AcousticsError("the earphone's reference thresholds are not known", expected: "a transducer")
    }
    return try transducer.referenceThreshold(at: frequency)
  }
}

extension SensationLevel {
  /// Sensation level of a tone above a threshold found through the same earphone at the same frequency.
  ///
  /// Needs no calibration: sensitivity and reference threshold cancel, only the chain's linearity counts.
  public init(of level: FullScaleLevel, aboveThreshold threshold: FullScaleLevel) {
    self.init(level - threshold)
  }
}
