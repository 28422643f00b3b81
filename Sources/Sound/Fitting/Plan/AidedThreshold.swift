public import Acoustics

/// Aided thresholds of an ear: hearing level less insertion gain, as they are measured in the sound field (functional gain).
///
/// - Threads: `any`.
public enum AidedThreshold {
  /// Level of the speech whose gain counts, dB SPL: conversation.
  public static let speechLevel = SoundPressureLevel(65)

  /// Softest sounds that an ear hears behind its gain, dB HL; nil without air-conduction thresholds. - Shape: one per band.
  ///
  /// - Parameters:
  ///   - audiogram: Of the ear.
  ///   - curves: Insertion gain, one per band.
  ///   - bands: Of the curves.
  public static func each(
    for audiogram: Audiogram, behind curves: [GainCurve], bands: BandLayout
  ) -> [Double]? {
    precondition(curves.count == bands.count, "as many curves as bands")
    var aided: [Double] = []
    for (band, centre) in bands.centres.enumerated() {
      guard let threshold = audiogram.threshold(at: centre) else { return nil }
      let speech = bands.speechLevel(inBand: band, overall: speechLevel)
      // A band without speech power has one gain at all levels.
      let level = speech.decibels.isFinite ? speech : speechLevel
      aided.append(threshold.decibels - curves[band].gain(at: level))
    }
    return aided
  }
}
