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
