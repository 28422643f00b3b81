extension Transducer {
  /// TDH-39 with MX-41/AR cushion in the 6 cm³ coupler.
  ///
  /// The columns of ISO 389-1 are read from the MATLAB function HearLevel (P. D. Best), which cites it.
  public static let tdh39 = Transducer(
    "tdh39", name: "Telephonics TDH-39",
    coupler: "IEC 60318-3 (6 cm³)", standard: "ISO 389-1",
    referenceThresholds: ReferenceTable(
      [
        125: 45, 160: 37.5, 200: 31.5, 250: 25.5, 315: 20, 400: 15, 500: 11.5, 630: 8.5, 750: 7.5,
        800: 7, 1000: 7, 1250: 6.5, 1500: 6.5, 1600: 7, 2000: 9, 2500: 9.5, 3000: 10, 3150: 10,
        4000: 9.5, 5000: 13, 6000: 15.5, 6300: 15, 8000: 13,
      ]))

  /// Supra-aural earphones in the artificial ear.
  ///
  /// The columns of ISO 389-1 are read from the MATLAB function HearLevel (P. D. Best), which cites it.
  public static let supraAural = Transducer(
    "supra-aural", name: "any supra-aural earphone of the standard pattern (TDH-39, TDH-49, TDH-50, DD45)",
    coupler: "IEC 60318-1 (artificial ear)", standard: "ISO 389-1",
    referenceThresholds: ReferenceTable(
      [
        125: 45, 160: 38.5, 200: 32.5, 250: 27, 315: 22, 400: 17, 500: 13.5, 630: 10.5, 750: 9,
        800: 8.5, 1000: 7.5, 1250: 7.5, 1500: 7.5, 1600: 8, 2000: 9, 2500: 10.5, 3000: 11.5,
        3150: 11.5, 4000: 12, 5000: 11, 6000: 16, 6300: 21, 8000: 15.5,
      ]))

  /// DT 48 in the 6 cm³ coupler.
  ///
  /// The columns of ISO 389-1 are read from the MATLAB function HearLevel (P. D. Best), which cites it.
  public static let dt48 = Transducer(
    "dt48", name: "Beyerdynamic DT 48",
    coupler: "IEC 60318-3 (6 cm³)", standard: "ISO 389-1",
    referenceThresholds: ReferenceTable(
      [
        125: 47.5, 160: 40.5, 200: 34, 250: 28.5, 315: 23, 400: 18.5, 500: 14.5, 630: 11.5,
        750: 9.5, 800: 9, 1000: 8, 1250: 7.5, 1500: 7.5, 1600: 7.5, 2000: 8, 2500: 7, 3000: 6, 3150: 6,
        4000: 5.5, 5000: 7, 6000: 8, 6300: 9, 8000: 14.5,
      ]))
}

extension Transducer {
  /// Insert earphone ER-3A (IP30) in the occluded-ear simulator.
  ///
  /// ISO 389-2, as quoted in the Auditory Modeling Toolbox (arg_absolutethreshold); 750, 1500, 3000 and
  /// 6000 Hz, which it lacks, from memory.
  public static let er3aEarSimulator = Transducer(
    "er3a", name: "Etymotic ER-3A",
    coupler: "IEC 60318-4 (occluded-ear simulator)", standard: "ISO 389-2",
    referenceThresholds: ReferenceTable(
      [
        125: 28, 160: 24.5, 200: 21.5, 250: 17.5, 315: 15.5, 400: 13, 500: 9.5, 630: 7.5, 750: 6,
        800: 5.5, 1000: 5.5, 1250: 8.5, 1500: 9.5, 1600: 9.5, 2000: 11.5, 2500: 13.5, 3000: 13,
        3150: 13, 4000: 15, 5000: 18.5, 6000: 16, 6300: 16, 8000: 15.5,
      ], unverified: [750, 1500, 3000, 6000]))

  /// Insert earphone ER-3A (IP30) in the 2 cm³ coupler.
  ///
  /// ISO 389-2, as quoted in the calibration note of a public audiometry program.
  public static let er3aCoupler = Transducer(
    "er3a-2cc", name: "Etymotic ER-3A",
    coupler: "IEC 60318-5 (2 cm³, HA-2)", standard: "ISO 389-2",
    referenceThresholds: ReferenceTable(
      [
        125: 26, 250: 14, 500: 5.5, 750: 2, 1000: 0, 1500: 2, 2000: 3, 3000: 3.5, 4000: 5.5,
        6000: 2, 8000: 0,
      ]))
}

extension Transducer {
  /// Insert earphone ER-2A up to 16 kHz.
  ///
  /// Han & Poulsen (1998), as quoted in the Auditory Modeling Toolbox (arg_absolutethreshold).
  public static let er2a = Transducer(
    "er2a", name: "Etymotic ER-2A",
    coupler: "IEC 60318-4 (occluded-ear simulator)", standard: "Han & Poulsen 1998",
    referenceThresholds: ReferenceTable(
      [
        125: 30.1, 160: 27.1, 200: 24, 250: 21, 315: 18.2, 400: 15.5, 500: 12.7, 630: 10.9,
        800: 9, 1000: 9.2, 1250: 11.1, 1600: 12.9, 2000: 15.3, 2500: 15.8, 3150: 16.2, 4000: 17.1,
        5000: 18.6, 6300: 20.1, 8000: 19, 9000: 16, 10_000: 20, 11_200: 30.5, 12_500: 37,
        14_000: 43.5, 16_000: 53,
      ]))
}
