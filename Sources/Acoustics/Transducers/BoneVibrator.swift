/// A bone vibrator, whose reference thresholds are vibratory forces (RETVFL), not sound pressures.
public struct BoneVibrator: Sendable, Hashable {
  public let name: String
  /// Coupler, and place on the skull.
  public let coupler: String
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
