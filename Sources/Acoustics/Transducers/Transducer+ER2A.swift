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
