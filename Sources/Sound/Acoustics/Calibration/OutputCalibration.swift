/// The way from a digital signal to the sound an earphone makes, and on to hearing levels.
///
/// dB SPL is that in the coupler of ``transducer``; dB HL needs its reference thresholds. Every number
/// carries the status of this calibration, or a worse one of the reference threshold.
///
/// - Threads: control.
public struct OutputCalibration: Sendable, Hashable {
  /// The earphones, and the status of their calibration.
  public let device: DeviceCalibration

  /// Sound pressure level at 0 dB FS, each ear.
  public let sensitivity: Binaural<Sensitivity>

  /// Transducer that dB HL refers to; without it only dB SPL and dB SL are available.
  public let transducer: Transducer?

  /// Greatest level that the earphones make as they should, at any frequency; nil: not stated. A tone above it is
  /// refused (``ReachableLevels``).
  public let maximumLevel: SoundPressureLevel?

  /// Readings that ``sensitivity`` follows from; nil: none are kept.
  public let measurement: EarphoneMeasurement?

  /// Check of the levels by ears; nil: none was made.
  public var earCheck: EarCheck?

  /// Creates a calibration of both earphones.
  public init(
    device: DeviceCalibration, sensitivity: Binaural<Sensitivity>, transducer: Transducer? = nil,
    maximumLevel: SoundPressureLevel? = nil
  ) {
    (self.device, self.sensitivity, self.transducer) = (device, sensitivity, transducer)
    (self.maximumLevel, measurement) = (maximumLevel, nil)
  }

  /// Creates a calibration from what was measured.
  ///
  /// - Throws: ``AcousticsError`` for levels that no earphone has.
  public init(
    device: DeviceCalibration, measurement: EarphoneMeasurement, transducer: Transducer? = nil,
    maximumLevel: SoundPressureLevel? = nil
  ) throws(AcousticsError) {
    (self.device, self.measurement, self.transducer) = (device, measurement, transducer)
    (sensitivity, self.maximumLevel) = (try measurement.sensitivity(), maximumLevel)
  }

  /// True where a level in dB HL or dB SPL is the same sound by both: the same levels at full scale and transducer, and earphones that are
  /// not known to be of another model. Name, day, status with its caveat, readings and the check by ears change no level.
  public func hasLevels(of other: OutputCalibration) -> Bool {
    let isOtherModel = device.identity?.match(other.device.identity) == .other
    return !isOtherModel && sensitivity == other.sensitivity && transducer == other.transducer
  }

  /// The same of another device, and with another transducer.
  public func with(_ device: DeviceCalibration, transducer: Transducer?) -> OutputCalibration {
    OutputCalibration(
      device, sensitivity, transducer, maximumLevel: maximumLevel, measurement: measurement,
      earCheck: earCheck)
  }

  init(
    _ device: DeviceCalibration, _ sensitivity: Binaural<Sensitivity>, _ transducer: Transducer?,
    maximumLevel: SoundPressureLevel?, measurement: EarphoneMeasurement?, earCheck: EarCheck?
  ) {
    (self.device, self.sensitivity, self.transducer) = (device, sensitivity, transducer)
    (self.maximumLevel, self.measurement, self.earCheck) = (maximumLevel, measurement, earCheck)
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

  /// Record of the earphones as it counts for levels in dB HL at some frequencies: its status is no better than that of the reference
  /// thresholds there.
  public func hearingDevice(at frequencies: some Sequence<Double>) -> DeviceCalibration {
    guard let uncertainty = transducer?.uncertainty(at: frequencies) else { return device }
    return device.held(to: .provisional, because: uncertainty)
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
