/// The way from a microphone's digital signal to the sound pressure in front of it.
///
/// - Threads: control; `nominal` values are copied to audio.
public struct InputCalibration: Sendable, Hashable, Codable {
  /// The microphone, and the status of its calibration.
  public let device: DeviceCalibration

  /// Sound pressure level at 0 dB FS of each channel. A single entry stands for all channels.
  public let channels: [Sensitivity]

  /// Readings that ``channels`` follow from; nil: none are kept.
  public let measurement: MicrophoneMeasurement?

  /// Creates a calibration.
  ///
  /// - Throws: ``AcousticsError`` without channels.
  public init(device: DeviceCalibration, channels: [Sensitivity]) throws(AcousticsError) {
    guard !channels.isEmpty else { throw AcousticsError("no entry", expected: "at least one") }
    self.init(checked: device, channels: channels)
  }

  /// Creates a calibration from what was measured.
  ///
  /// - Throws: ``AcousticsError`` for levels that no microphone has.
  public init(device: DeviceCalibration, measurement: MicrophoneMeasurement) throws(AcousticsError) {
    (self.device, self.measurement) = (device, measurement)
    channels = try measurement.sensitivities()
  }

  /// Creates a calibration from at least one channel.
  package init(checked device: DeviceCalibration, channels: [Sensitivity]) {
    (self.device, self.channels, measurement) = (device, channels, nil)
  }

  /// The same of another device.
  public func with(_ device: DeviceCalibration) -> InputCalibration {
    InputCalibration(device, channels, measurement)
  }

  private init(
    _ device: DeviceCalibration, _ channels: [Sensitivity], _ measurement: MicrophoneMeasurement?
  ) {
    (self.device, self.channels, self.measurement) = (device, channels, measurement)
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

  private enum CodingKeys: CodingKey { case device, channels, measurement }

  /// With a measurement, levels are worked out from its readings, and those that stand beside it have to agree.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let device = try container.decode(DeviceCalibration.self, forKey: .device)
    guard let measurement = try container.decodeIfPresent(MicrophoneMeasurement.self, forKey: .measurement)
    else {
      try self.init(device: device, channels: try container.decode([Sensitivity].self, forKey: .channels))
      return
    }
    try self.init(device: device, measurement: measurement)
    guard let stated = try container.decodeIfPresent([Sensitivity].self, forKey: .channels) else { return }
    guard stated.count == channels.count else {
      throw AcousticsError("\(stated.count) channels", expected: "the \(channels.count) that were measured")
    }
    for (index, channel) in channels.enumerated() {
      try stated[index].check(against: channel, of: "channel \(index)")
    }
  }

  /// With a measurement, its readings alone: the levels follow from them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(device, forKey: .device)
    try container.encodeIfPresent(measurement, forKey: .measurement)
    if measurement == nil { try container.encode(channels, forKey: .channels) }
  }
}
