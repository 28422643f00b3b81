extension Transducer {
  /// All transducers known here.
  public static let all = earphones + insertEarphones + soundFields + consumerEarphones

  /// The transducer of this identifier, if any.
  public static func named(_ identifier: String) -> Transducer? {
    all.first { $0.identifier == identifier }
  }

  private static let earphones = [
    // TDH-39 with MX-41/AR cushion in the 6 cm³ coupler.
    // The columns of ISO 389-1 are read from the MATLAB function HearLevel (P. D. Best), which cites it.
    Transducer(
      "tdh39", name: "Telephonics TDH-39", coupler: "IEC 60318-3 (6 cm³)", standard: "ISO 389-1",
      ReferenceTable([
        125: 45, 160: 37.5, 200: 31.5, 250: 25.5, 315: 20, 400: 15, 500: 11.5, 630: 8.5, 750: 7.5,
        800: 7, 1000: 7, 1250: 6.5, 1500: 6.5, 1600: 7, 2000: 9, 2500: 9.5, 3000: 10, 3150: 10,
        4000: 9.5, 5000: 13, 6000: 15.5, 6300: 15, 8000: 13,
      ])),
    // Supra-aural earphones in the artificial ear.
    // The columns of ISO 389-1 are read from the MATLAB function HearLevel (P. D. Best), which cites it.
    Transducer(
      "supra-aural",
      name: "any supra-aural earphone of the standard pattern (TDH-39, TDH-49, TDH-50, DD45)",
      coupler: "IEC 60318-1 (artificial ear)", standard: "ISO 389-1",
      ReferenceTable([
        125: 45, 160: 38.5, 200: 32.5, 250: 27, 315: 22, 400: 17, 500: 13.5, 630: 10.5, 750: 9,
        800: 8.5, 1000: 7.5, 1250: 7.5, 1500: 7.5, 1600: 8, 2000: 9, 2500: 10.5, 3000: 11.5, 3150: 11.5,
        4000: 12, 5000: 11, 6000: 16, 6300: 21, 8000: 15.5,
      ])),
    // DT 48 in the 6 cm³ coupler.
    // The columns of ISO 389-1 are read from the MATLAB function HearLevel (P. D. Best), which cites it.
    Transducer(
      "dt48", name: "Beyerdynamic DT 48", coupler: "IEC 60318-3 (6 cm³)", standard: "ISO 389-1",
      ReferenceTable([
        125: 47.5, 160: 40.5, 200: 34, 250: 28.5, 315: 23, 400: 18.5, 500: 14.5, 630: 11.5, 750: 9.5,
        800: 9, 1000: 8, 1250: 7.5, 1500: 7.5, 1600: 7.5, 2000: 8, 2500: 7, 3000: 6, 3150: 6, 4000: 5.5,
        5000: 7, 6000: 8, 6300: 9, 8000: 14.5,
      ])),
    // Circumaural earphone HDA 200.
    // Up to 8 kHz ISO 389-8:2004, on which openMHA (retspl_ISO389_8_HDA200), the Auditory Modeling Toolbox
    // and HearLevel (P. D. Best) agree; from 9 kHz ISO 389-5:2006, on which the latter two agree.
    Transducer(
      "hda200", name: "Sennheiser HDA 200", coupler: "IEC 60318-1 + type 1 adapter",
      standard: "ISO 389-8:2004; above 8 kHz ISO 389-5:2006",
      ReferenceTable([
        125: 30.5, 160: 26, 200: 22, 250: 18, 315: 15.5, 400: 13.5, 500: 11, 630: 8, 750: 6, 800: 6,
        1000: 5.5, 1250: 6, 1500: 5.5, 1600: 5.5, 2000: 4.5, 2500: 3, 3000: 2.5, 3150: 4, 4000: 9.5,
        5000: 14, 6000: 17, 6300: 17.5, 8000: 17.5, 9000: 19, 10_000: 22, 11_200: 23, 12_500: 27.5,
        14_000: 35, 16_000: 56,
      ])),
    // Circumaural earphone HDA 300: not the HDA 200, whose figures go under this name in places.
    // Manufacturer’s data, read from HearLevel (P. D. Best) and confirmed at six frequencies by another
    // program.
    Transducer(
      "hda300", name: "Sennheiser HDA 300", coupler: "IEC 60318-1, per manufacturer",
      standard: "Sennheiser publication 545391/A01",
      ReferenceTable([
        125: 26.2, 250: 20.1, 500: 8.6, 1000: 2.7, 1500: 3.2, 2000: 0.5, 3000: -1.6, 4000: 0.1,
        5000: 11.3, 6000: 20.9, 8000: 23.1, 9000: 27.1, 10_000: 18.5, 11_200: 22.9, 12_500: 27,
        14_000: 32.8, 16_000: 47.7,
      ])),
  ]

  private static let insertEarphones = [
    // Insert earphone ER-3A (IP30) in the occluded-ear simulator.
    // ISO 389-2, as quoted in the Auditory Modeling Toolbox (arg_absolutethreshold); 750, 1500, 3000 and
    // 6000 Hz, which it lacks, from memory.
    Transducer(
      "er3a", name: "Etymotic ER-3A", coupler: "IEC 60318-4 (occluded-ear simulator)",
      standard: "ISO 389-2",
      ReferenceTable(
        [
          125: 28, 160: 24.5, 200: 21.5, 250: 17.5, 315: 15.5, 400: 13, 500: 9.5, 630: 7.5, 750: 6,
          800: 5.5, 1000: 5.5, 1250: 8.5, 1500: 9.5, 1600: 9.5, 2000: 11.5, 2500: 13.5, 3000: 13,
          3150: 13, 4000: 15, 5000: 18.5, 6000: 16, 6300: 16, 8000: 15.5,
        ], unverified: [750, 1500, 3000, 6000])),
    // Insert earphone ER-3A (IP30) in the 2 cm³ coupler.
    // ISO 389-2, as quoted in the calibration note of a public audiometry program (AudioApp, docs/sources.md).
    Transducer(
      "er3a-2cc", name: "Etymotic ER-3A", coupler: "IEC 60318-5 (2 cm³, HA-2)", standard: "ISO 389-2",
      ReferenceTable([
        125: 26, 250: 14, 500: 5.5, 750: 2, 1000: 0, 1500: 2, 2000: 3, 3000: 3.5, 4000: 5.5, 6000: 2,
        8000: 0,
      ])),
    // Insert earphone ER-2A up to 16 kHz.
    // Han & Poulsen (1998), as quoted in the Auditory Modeling Toolbox (arg_absolutethreshold).
    Transducer(
      "er2a", name: "Etymotic ER-2A", coupler: "IEC 60318-4 (occluded-ear simulator)",
      standard: "Han & Poulsen 1998",
      ReferenceTable([
        125: 30.1, 160: 27.1, 200: 24, 250: 21, 315: 18.2, 400: 15.5, 500: 12.7, 630: 10.9, 800: 9,
        1000: 9.2, 1250: 11.1, 1600: 12.9, 2000: 15.3, 2500: 15.8, 3150: 16.2, 4000: 17.1, 5000: 18.6,
        6300: 20.1, 8000: 19, 9000: 16, 10_000: 20, 11_200: 30.5, 12_500: 37, 14_000: 43.5, 16_000: 53,
      ])),
  ]

  /// Coupler of sound fields.
  static let placeOfHead = "sound field, at the place of the head"

  private static let soundFields = [
    // A loudspeaker in front, heard with both ears.
    // ISO 389-7:2005, on which openMHA (retspl_ISO389_7_freefield) and phonometry 3.3.0 agree. Not for
    // earphones.
    Transducer(
      "free-field", name: "loudspeaker in front, both ears, free field",
      coupler: placeOfHead, standard: "ISO 389-7:2005",
      ReferenceTable([
        20: 78.5, 25: 68.7, 31.5: 59.5, 40: 51.1, 50: 44, 63: 37.5, 80: 31.5, 100: 26.5, 125: 22.1,
        160: 17.9, 200: 14.4, 250: 11.4, 315: 8.6, 400: 6.2, 500: 4.4, 630: 3, 750: 2.4, 800: 2.2,
        1000: 2.4, 1250: 3.5, 1500: 2.4, 1600: 1.7, 2000: -1.3, 2500: -4.2, 3000: -5.8, 3150: -6,
        4000: -5.4, 5000: -1.5, 6000: 4.3, 6300: 6, 8000: 12.6, 9000: 13.9, 10_000: 13.9, 11_200: 13,
        12_500: 12.3, 14_000: 18.4, 16_000: 40.2, 18_000: 73.2,
      ])),
    // Sound from all sides, heard with both ears.
    // ISO 389-7:2005, as quoted in the Auditory Modeling Toolbox and phonometry 3.3.0. Not for earphones.
    Transducer(
      "diffuse-field", name: "diffuse sound field, both ears",
      coupler: placeOfHead, standard: "ISO 389-7:2005",
      ReferenceTable([
        125: 22.1, 160: 17.9, 200: 14.4, 250: 11.4, 315: 8.4, 400: 5.8, 500: 3.8, 630: 2.1, 750: 1.2,
        800: 1, 1000: 0.8, 1250: 1.9, 1500: 1, 1600: 0.5, 2000: -1.5, 2500: -3.1, 3000: -4, 3150: -4,
        4000: -3.8, 5000: -1.8, 6000: 1.4, 6300: 2.5, 8000: 6.8,
      ])),
    // Minimum audible pressure at the eardrum.
    // Bentler & Pavlovic (1989) after ISO 226, as quoted in the Auditory Modeling Toolbox.
    Transducer(
      "eardrum", name: "any source, measured at the eardrum", coupler: "eardrum",
      standard: "Bentler & Pavlovic 1989",
      ReferenceTable([
        125: 23.8, 160: 19.6, 200: 16.6, 250: 14.1, 315: 11.7, 400: 9.4, 500: 7.9, 630: 7.1, 800: 7,
        1000: 6.7, 1250: 8.2, 1600: 9.5, 2000: 12.4, 2500: 14.3, 3150: 10.7, 4000: 10.6, 5000: 10.9,
        6300: 14.1, 8000: 16.1,
      ])),
  ]

  /// Earphones of ResearchKit 3.2.0 (2025-08-12), tables `retspl_*` of its tone audiometry.
  ///
  /// Provisional: the source does not say in which coupler the levels were taken, and several values at
  /// 750, 1500, 3000 and 6000 Hz are midpoints of their neighbours. Its table in dB FS for the AirPods Pro
  /// contradicts these by up to 15 dB, is used by no code there, and is left out.
  private static let consumerEarphones = [
    consumer(
      "airpods-1", "Apple AirPods (1st generation)", [31, 21, 13, 9, 7, 10, 12, 13.5, 16, 16, 15.5]),
    consumer(
      "airpods-2", "Apple AirPods (2nd generation)",
      [42.45, 30.2, 17.94, 16.45, 14.96, 13.85, 12.73, 13.27, 13.8, 14.81, 15.82]),
    consumer(
      "airpods-3", "Apple AirPods (3rd generation)",
      [39.05, 26.68, 14.31, 13.16, 12.01, 12.64, 13.27, 14.48, 15.69, 14.77, 13.85]),
    consumer(
      "airpods-pro-1", "Apple AirPods Pro (1st generation)",
      [34.04, 23.52, 12.99, 11.13, 9.27, 11.69, 14.11, 13.42, 12.72, 14.62, 16.51]),
    consumer(
      "airpods-pro-2", "Apple AirPods Pro (2nd generation)",
      [34.04, 23.52, 12.99, 11.13, 9.27, 11.69, 14.11, 13.42, 12.72, 14.62, 16.51]),
    consumer(
      "airpods-max", "Apple AirPods Max",
      [25.13, 19.29, 13.45, 10.515, 7.58, 11.45, 15.32, 12.06, 8.79, 3.74, 18.68]),
    consumer(
      "earpods", "Apple EarPods",
      [38.78, 28.99, 21.66, 17.97, 14.28, 13.02, 11.75, 13.69, 15.62, 16.77, 17.92]),
  ]

  private static func consumer(_ identifier: String, _ name: String, _ levels: [Double]) -> Transducer {
    Transducer(
      identifier, name: name, coupler: "not stated", standard: "ResearchKit 3.2.0", status: .provisional,
      ReferenceTable([125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000], levels))
  }
}
