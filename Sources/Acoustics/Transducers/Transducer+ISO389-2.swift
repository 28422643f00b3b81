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
