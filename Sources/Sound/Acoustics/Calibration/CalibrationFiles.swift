import Base

extension OutputCalibration: Codable {
  private enum CodingKeys: CodingKey {
    case device, sensitivity, transducer, maximumLevel, measurement, earCheck
  }

  /// With a measurement, levels are worked out from its readings, and those that stand beside it have to agree.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let device = try values.decode(DeviceCalibration.self, forKey: .device)
    let measurement = try values.decodeIfPresent(EarphoneMeasurement.self, forKey: .measurement)
    let measured = try measurement?.sensitivity()
    let maximumLevel = try values.decodeIfPresent(SoundPressureLevel.self, forKey: .maximumLevel)
    if let maximumLevel, !Sensitivity.levels.contains(maximumLevel) {
      throw AcousticsError(
        "a greatest level of \(maximumLevel.decibels.shortText) dB SPL", expected: "40 to 180 dB SPL")
    }
    let stated =
      measured == nil
      ? try values.decode(Binaural<Sensitivity>.self, forKey: .sensitivity)
      : try values.decodeIfPresent(Binaural<Sensitivity>.self, forKey: .sensitivity)
    if let measured, let stated {
      for ear in Ear.allCases {
        try stated[ear].check(against: measured[ear], of: "the \(ear.rawValue) ear")
      }
    }
    self.init(
      device, measured ?? stated ?? Binaural(both: Self.assumed.sensitivity.left),
      try values.decodeIfPresent(Transducer.self, forKey: .transducer), maximumLevel: maximumLevel,
      measurement: measurement, earCheck: try values.decodeIfPresent(EarCheck.self, forKey: .earCheck))
  }

  /// With a measurement, its readings alone: the levels follow from them.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(device, forKey: .device)
    try values.encodeIfPresent(measurement, forKey: .measurement)
    if measurement == nil { try values.encode(sensitivity, forKey: .sensitivity) }
    try values.encodeIfPresent(transducer, forKey: .transducer)
    try values.encodeIfPresent(maximumLevel, forKey: .maximumLevel)
    try values.encodeIfPresent(earCheck, forKey: .earCheck)
  }
}

extension Sensitivity {
  /// Distance of a stated level from the measured one that a rounding makes, dB; own choice.
  private static let rounding = 0.1

  /// Refuses levels that are not those that were measured.
  ///
  /// - Parameter place: In a sentence.
  /// - Throws: ``AcousticsError``.
  func check(against measured: Sensitivity, of place: String) throws(AcousticsError) {
    for frequency in measured.frequencies ?? [1000] {
      let (own, its) = (heldLevel(at: frequency), measured.heldLevel(at: frequency))
      guard abs(own - its) > Self.rounding else { continue }
      throw AcousticsError(
        "\(own.decibels.shortText) dB SPL at full scale of \(place) at \(frequency.shortText) Hz",
        expected: "\(its.decibels.shortText), which follows from the readings beside it")
    }
  }
}
