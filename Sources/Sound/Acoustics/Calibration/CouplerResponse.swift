extension Transducer {
  /// Threshold of both ears below that of one, dB. With 2 the free-field thresholds and those at the eardrum (Bentler & Pavlovic 1989) lie
  /// as far apart as the pressures there do, within 1 dB (`CouplerResponseTests`). W. A. Shaw, Newman & Hirsh (J. Exp. Psychol. 37, 1947, 229)
  /// found 1.5 below the better ear and 3.6 below two that are alike.
  static let binauralAdvantage = 2.0

  /// Coupler response for flat insertion gain (CORFIG), dB: level in the coupler of a sound through the earphone, less the level before a
  /// person comes there of a sound from the front that is as loud.
  ///
  /// A field is louder at the eardrum than at the microphone, by 15 dB near 2.7 kHz, and a coupler has levels of its own. An aid that makes
  /// in the coupler what the microphone takes in would give too little. Both levels of 0 dB HL are known, so the response is their difference:
  /// the earphone's reference threshold less that of a free field. Sound fields have the thresholds of both ears, earphones those of one.
  /// What ISO 389-8 gives for HDA 200 (from memory) lies within 3 dB of it up to 6.3 kHz. A sound field's own response is 0.
  ///
  /// - Parameter frequency: Hz. Outside ``referenceThresholds`` their nearest end counts.
  public func couplerResponse(at frequency: Double) -> Double {
    guard coupler != Self.placeOfHead, let field = Self.named("free-field") else { return 0 }
    let known = min(
      max(frequency, referenceThresholds.range.lowerBound), referenceThresholds.range.upperBound)
    let bothEars = field.referenceThresholds.held(at: known)
    return referenceThresholds.held(at: known) - (bothEars + Self.binauralAdvantage)
  }
}

extension OutputCalibration {
  /// Coupler response for flat insertion gain of these earphones, dB: that of the transducer, where both were read in the coupler that its
  /// reference thresholds hold in, at ``EarphoneMeasurement/neededFrequencies`` at least.
  ///
  /// Otherwise 0. What an earphone of one stated level does between frequencies is not known, and most of those for listening are made to
  /// sound as a field does; levels of another coupler, or of one that nobody states, say nothing about this one.
  ///
  /// - Parameter frequency: Hz.
  public func couplerResponse(at frequency: Double) -> Double {
    guard let transducer, let measurement, transducer.statedCoupler != nil,
      transducer.holds(in: measurement.coupler),
      Ear.allCases.allSatisfy({ measurement.missingFrequencies($0).isEmpty })
    else { return 0 }
    return transducer.couplerResponse(at: frequency)
  }
}
