import Acoustics
import Base
import Engine
import HearingDSP

/// Room for sound below a limit of the output.
package enum OutputRoom {
  /// Limit below which little is left for amplified speech, dB SPL: speech of 62 dB SPL (normal vocal effort at 1 m, ANSI S3.5,
  /// from memory), its peaks 12 dB above its mean, and 10 dB of gain.
  package static let little = 84.0

  /// Consequence of such a limit, for people.
  package static let words =
    "That is little above the voice of somebody beside you, so that hardly anything can be amplified."

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
