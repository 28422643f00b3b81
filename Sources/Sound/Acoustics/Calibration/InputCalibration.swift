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
  /// - Throws: ``CalibrationError/empty`` without channels.
  public init(device: DeviceCalibration, channels: [Sensitivity]) throws(CalibrationError) {
    guard !channels.isEmpty else { throw .empty }
    self.init(checked: device, channels: channels)
  }

  private init(checked device: DeviceCalibration, channels: [Sensitivity]) {
    self.device = device
    self.channels = channels
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
  /// - Throws: ``CalibrationError/noSuchChannel(_:count:)``.
  public func sensitivity(channel: Int) throws(CalibrationError) -> Sensitivity {
    if channels.count == 1, channel >= 0 { return channels[0] }
    guard channels.indices.contains(channel) else {
      throw .noSuchChannel(channel, count: channels.count)
    }
    return channels[channel]
  }

  /// Sound pressure level of a signal on a channel.
  ///
  /// - Parameters:
  ///   - level: dB FS, a full-scale sine being 0 dB.
  ///   - channel: Counted from 0.
  ///   - frequency: Hz; nil for sound of unknown content, read with the sensitivity at 1 kHz.
  /// - Throws: ``CalibrationError`` `noSuchChannel`, `frequencyOutsideTable`.
  public func soundPressureLevel(
    of level: FullScaleLevel, channel: Int, at frequency: Double? = nil
  ) throws(CalibrationError) -> Calibrated<SoundPressureLevel> {
    Calibrated(
      try fullScale(channel: channel, at: frequency) + level.decibels, status: device.status)
  }

  /// Signal level that a sound makes on a channel; parameters and errors as in
  /// ``soundPressureLevel(of:channel:at:)``.
  public func fullScaleLevel(
    of sound: SoundPressureLevel, channel: Int, at frequency: Double? = nil
  ) throws(CalibrationError) -> Calibrated<FullScaleLevel> {
    Calibrated(
      FullScaleLevel(sound - (try fullScale(channel: channel, at: frequency))), status: device.status)
  }

  private func fullScale(
    channel: Int, at frequency: Double?
  ) throws(CalibrationError) -> SoundPressureLevel {
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
