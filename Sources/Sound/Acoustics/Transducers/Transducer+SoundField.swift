extension Transducer {
  /// A loudspeaker in front, heard with both ears.
  ///
  /// ISO 389-7:2005, on which openMHA (retspl_ISO389_7_freefield) and phonometry 3.3.0 agree. Not for
  /// earphones.
  public static let freeField = Transducer(
    "free-field", name: "loudspeaker in front, both ears, free field",
    coupler: "sound field, at the place of the head", standard: "ISO 389-7:2005",
    referenceThresholds: ReferenceTable(
      [
        20: 78.5, 25: 68.7, 31.5: 59.5, 40: 51.1, 50: 44, 63: 37.5, 80: 31.5, 100: 26.5,
        125: 22.1, 160: 17.9, 200: 14.4, 250: 11.4, 315: 8.6, 400: 6.2, 500: 4.4, 630: 3, 750: 2.4,
        800: 2.2, 1000: 2.4, 1250: 3.5, 1500: 2.4, 1600: 1.7, 2000: -1.3, 2500: -4.2, 3000: -5.8,
        3150: -6, 4000: -5.4, 5000: -1.5, 6000: 4.3, 6300: 6, 8000: 12.6, 9000: 13.9,
        10_000: 13.9, 11_200: 13, 12_500: 12.3, 14_000: 18.4, 16_000: 40.2, 18_000: 73.2,
      ]))

  /// Sound from all sides, heard with both ears.
  ///
  /// ISO 389-7:2005, as quoted in the Auditory Modeling Toolbox and phonometry 3.3.0. Not for earphones.
  public static let diffuseField = Transducer(
    "diffuse-field", name: "diffuse sound field, both ears",
    coupler: "sound field, at the place of the head", standard: "ISO 389-7:2005",
    referenceThresholds: ReferenceTable(
      [
        125: 22.1, 160: 17.9, 200: 14.4, 250: 11.4, 315: 8.4, 400: 5.8, 500: 3.8, 630: 2.1,
        750: 1.2, 800: 1, 1000: 0.8, 1250: 1.9, 1500: 1, 1600: 0.5, 2000: -1.5, 2500: -3.1, 3000: -4,
        3150: -4, 4000: -3.8, 5000: -1.8, 6000: 1.4, 6300: 2.5, 8000: 6.8,
      ]))

  /// Minimum audible pressure at the eardrum.
  ///
  /// Bentler & Pavlovic (1989) after ISO 226, as quoted in the Auditory Modeling Toolbox.
  public static let eardrum = Transducer(
    "eardrum", name: "any source, measured at the eardrum",
    coupler: "eardrum", standard: "Bentler & Pavlovic 1989",
    referenceThresholds: ReferenceTable(
      [
        125: 23.8, 160: 19.6, 200: 16.6, 250: 14.1, 315: 11.7, 400: 9.4, 500: 7.9, 630: 7.1,
        800: 7, 1000: 6.7, 1250: 8.2, 1600: 9.5, 2000: 12.4, 2500: 14.3, 3150: 10.7, 4000: 10.6,
        5000: 10.9, 6300: 14.1, 8000: 16.1,
      ]))
}
