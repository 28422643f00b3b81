public import Base

/// Figures of a model of earphones: how it is known, where its levels were taken, and from whom they are.
///
/// A model is not the pair in use, so no profile is better than provisional.
///
/// - Threads: control.
public struct DeviceProfile: Sendable, Hashable {
  /// Short name for files and commands: `airpods-pro-2`.
  public let identifier: String
  /// Name for people.
  public let name: String
  /// Numbers by which the model can be known; nil: none. They prove nothing, for any device can have them.
  public let identity: DeviceIdentity?
  /// Transducer that dB HL refers to; nil: none is known.
  public let transducer: Transducer?
  /// Coupler in which the levels were taken, or that it is not stated.
  public let coupler: String
  /// Level at 0 dB FS by frequency, both ears.
  public let sensitivity: Sensitivity
  /// Greatest level that it makes as it should; nil: not stated, so that full scale bounds it.
  public let maximumLevel: SoundPressureLevel?
  /// Setting of controls in the way that the levels hold for.
  public let condition: String
  /// Publication the figures are from.
  public let source: String
  /// Day of that publication, or of the measurement.
  public let date: CalendarDate?
  /// Person or company that measured.
  public let examiner: String
  /// Reliability of the figures, `provisional` at best.
  public let status: CalibrationStatus

  /// The calibration that follows.
  public var calibration: OutputCalibration {
    OutputCalibration(
      device: DeviceCalibration(
        device: name, date: date, status: status,
        source: "\(source), by \(examiner); coupler \(coupler); \(condition)", identity: identity),
      sensitivity: Binaural(both: sensitivity), transducer: transducer, maximumLevel: maximumLevel)
  }

  /// The profile of this identifier, if any.
  public static func named(_ identifier: String) -> DeviceProfile? {
    all.first { $0.identifier == identifier }
  }
}

extension DeviceProfile {
  /// All that are shipped.
  public static let all = [
    apple("airpods-1", [0x2002], firstAirPods), apple("airpods-2", [0x200F], firstAirPods),
    apple(
      "airpods-3", [0x2013],
      [83.97, 82.02, 81.10, 82.70, 84.20, 85.90, 88.12, 91.80, 89.63, 90.40, 85.14]),
    apple(
      "airpods-pro-1", [0x200E],
      [83.54, 83.11, 84.58, 84.02, 82.80, 86.20, 89.29, 92.67, 89.76, 86.64, 88.22]),
    apple(
      "airpods-pro-2", [0x2014, 0x2024],
      [84.05, 83.16, 84.13, 83.95, 83.67, 84.79, 86.52, 89.24, 86.64, 86.50, 90.11]),
    apple(
      "airpods-max", [0x200A, 0x201F],
      [82.6, 81.5, 81.2, 82.4, 83.7, 84.5, 87.5, 87.9, 82.7, 82.9, 86.3]),
    apple(
      "earpods", [], [91.28, 88.38, 86.82, 86.16, 86.37, 89.83, 91.62, 92.31, 90.19, 93.91, 90.04],
      loss: 0.5,
      condition:
        "at the output of an iPhone alone, volume at its greatest: another converter has another voltage"),
  ]

  private static let firstAirPods = [
    88.97, 86.30, 84.49, 83.59, 83.89, 87.60, 90.07, 92.51, 88.87, 91.46, 89.61,
  ]

  /// Earphones of ResearchKit 3.2.0, tables `frequency_dBSPL_*` and `volume_curve_*` of its tone audiometry: levels of a tone at
  /// −30 dB FS with the volume at its greatest, so that full scale is 30 dB above, and the volume curve's loss below, which is
  /// 0.5 dB for wired earphones and none for others. Its generator takes that row at every volume, by a slip of its code, and its
  /// table in dB FS for the AirPods Pro contradicts these by up to 15 dB; neither is followed here.
  ///
  /// Bluetooth products of Apple's (vendor 004C), as the extension Bluetooth-Battery-Meter of maniacx.github.com lists them
  /// (lib/devices/airpods/deviceConfigs). The EarPods have none: whatever converter they are on, their levels are an iPhone's.
  private static func apple(
    _ identifier: String, _ products: [UInt16], _ levels: [Double], loss: Double = 0,
    condition: String = "volume at its greatest"
  ) -> DeviceProfile {
    let transducer = Transducer.named(identifier)
    let frequencies = [125.0, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]
    let name = transducer?.name ?? identifier
    return DeviceProfile(
      identifier: identifier, name: name,
      identity: products.isEmpty
        ? nil
        : DeviceIdentity(products.map { DeviceProduct(.bluetooth, vendor: 0x4C, product: $0) }, name: name),
      transducer: transducer,
      coupler: transducer?.coupler ?? "not stated",
      sensitivity: Sensitivity(checkedTable: frequencies, levels.map { $0 + 30 - loss }), maximumLevel: nil,
      condition: condition, source: "ResearchKit 3.2.0", date: CalendarDate(year: 2025, month: 8, day: 12),
      examiner: "Apple", status: .provisional)
  }
}
