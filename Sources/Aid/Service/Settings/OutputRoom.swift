import Acoustics
import Base
import Engine
import Fitting
import HearingDSP

/// Room for sound below a limit of the output.
package enum OutputRoom {
  /// Limit below which little is left for amplified speech, dB SPL (``MaximumOutput/little``).
  package static let little = MaximumOutput.little.decibels

  /// Consequence of such a limit, for people.
  package static let words =
    "That is little above the voice of somebody beside you, so that hardly anything can be amplified."

  /// Sentence on where another limit comes from.
  ///
  /// - Parameter isPrescribed: True where a clinic's card sets it.
  package static func remedy(isPrescribed: Bool) -> String {
    isPrescribed
      ? "Your clinic's card sets it: ask the clinic for another card."
      : "Another one: auricle setup --again, or safety.maximum-output."
  }

  /// Least rise that is told, dB.
  private static let leastTold = 0.5

  /// Sentence without its full stop on a limit that lets through more than before, in digits: whatever calibrations say, that is
  /// what can be louder in the ear. Nil: it does not.
  package static func rise(from former: HearingSettings, to new: HearingSettings) -> String? {
    let rise = Ear.allCases.map { new.limit($0) - former.limit($0) }.max() ?? 0
    guard rise > leastTold else { return nil }
    return "The loudest sound can be \(rise.rounded().shortText) dB louder than before: the limit is "
      + "\(new.outputCeiling.decibels.shortText) dB SPL (safety.maximum-output, and the calibration of the earphones)"
  }
}

extension HearingSettings {
  /// Level of the loudest sine that passes unchanged at both ears, dB relative to full scale. While an end is not calibrated, earphones are
  /// held as if they were at least as loud as the microphones.
  ///
  /// - Throws: ``FittingFailure``.
  package func loudestSine() throws(FittingFailure) -> Double {
    var loudest = 0.0
    for ear in Ear.allCases {
      let held = try fitting(for: ear)
      loudest = min(loudest, held.outputLimit - (held.greatestAtFullScale ?? held.inputAtFullScale))
    }
    return loudest
  }

  /// The limit, dB relative to full scale, which nothing exceeds: it holds as it has to where the earphones are most sensitive
  /// (``OutputLimits``).
  fileprivate func limit(_ ear: Ear) -> Double {
    min(0, outputCeiling.decibels - earphones.sensitivity[ear].loudest.nominalLevel.decibels)
  }
}
