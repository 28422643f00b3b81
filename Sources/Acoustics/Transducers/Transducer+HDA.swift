extension Transducer {
  /// Circumaural earphone HDA 200.
  ///
  /// Up to 8 kHz ISO 389-8:2004, on which openMHA (retspl_ISO389_8_HDA200), the Auditory Modeling Toolbox
  /// and HearLevel (P. D. Best) agree; from 9 kHz ISO 389-5:2006, on which the latter two agree.
  public static let hda200 = Transducer(
    "hda200", name: "Sennheiser HDA 200",
    coupler: "IEC 60318-1 + type 1 adapter", standard: "ISO 389-8:2004; above 8 kHz ISO 389-5:2006",
    referenceThresholds: ReferenceTable(
      [
        125: 30.5, 160: 26, 200: 22, 250: 18, 315: 15.5, 400: 13.5, 500: 11, 630: 8, 750: 6,
        800: 6, 1000: 5.5, 1250: 6, 1500: 5.5, 1600: 5.5, 2000: 4.5, 2500: 3, 3000: 2.5, 3150: 4,
        4000: 9.5, 5000: 14, 6000: 17, 6300: 17.5, 8000: 17.5, 9000: 19, 10_000: 22, 11_200: 23,
        12_500: 27.5, 14_000: 35, 16_000: 56,
      ]))

  /// Circumaural earphone HDA 300: not the HDA 200, whose figures go under this name in places.
  ///
  /// Manufacturer’s data, read from HearLevel (P. D. Best) and confirmed at six frequencies by another
  /// program.
  public static let hda300 = Transducer(
    "hda300", name: "Sennheiser HDA 300",
    coupler: "IEC 60318-1, per manufacturer", standard: "Sennheiser publication 545391/A01",
    referenceThresholds: ReferenceTable(
      [
        125: 26.2, 250: 20.1, 500: 8.6, 1000: 2.7, 1500: 3.2, 2000: 0.5, 3000: -1.6, 4000: 0.1,
        5000: 11.3, 6000: 20.9, 8000: 23.1, 9000: 27.1, 10_000: 18.5, 11_200: 22.9, 12_500: 27,
        14_000: 32.8, 16_000: 47.7,
      ]))
}

extension ReferenceTable<SoundPressureLevel> {
  /// HDA 200 from 9 kHz in the withdrawn edition ISO/TR 389-5:1998, which openMHA still has.
  ///
  /// Up to 1 dB from the 2006 edition used in ``Transducer/hda200``: for reading older audiograms, no more.
  public static let hda200Edition1998 = ReferenceTable(
    [9000: 18.5, 10_000: 22, 11_200: 23, 12_500: 28, 14_000: 36, 16_000: 56])
}
