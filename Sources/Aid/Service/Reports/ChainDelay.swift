import Acoustics
import Engine
import HearingDSP

/// Delay of the chain beyond that of its blocks.
///
/// - Threads: control.
struct ChainDelay: Sendable {
  /// Group delays of the last chain's bands, which take milliseconds to work out; gains change more often.
  private var known: (bands: BandLayout, geometry: ChainGeometry, delay: GroupDelay)?

  /// Group delay at 1 kHz with the gains that speech of 65 dB SPL gets, mean of both ears, s.
  ///
  /// 1 kHz and 65 dB SPL: where a hearing aid's delay is usually quoted, at the level of ordinary speech.
  mutating func seconds(for hearing: HearingSettings, _ geometry: ChainGeometry) -> Double? {
    let delay = groupDelay(hearing.bands, geometry)
    var sum = 0.0
    for ear in Ear.allCases {
      guard let fitting = try? hearing.fitting(for: ear) else { return nil }
      let gains = fitting.curves.enumerated().map { band, curve in
        let edges = hearing.bands.edges
        let speech = LongTermAverageSpeechSpectrum.bandLevel(
          from: edges[band], to: edges[band + 1], overall: SoundPressureLevel(65))
        // A band without speech keeps the gain of a soft sound. The filter has the gain in the digits.
        return curve.gain(at: speech.decibels.isFinite ? speech : SoundPressureLevel(30))
          + fitting.digitalOffset(inBand: band)
      }
      sum += delay.delay(gains: gains, at: 1000)
    }
    return sum / 2
  }

  private mutating func groupDelay(_ bands: BandLayout, _ geometry: ChainGeometry) -> GroupDelay {
    if let known, known.bands == bands, known.geometry == geometry { return known.delay }
    let delay = GroupDelay(bands: bands, geometry: geometry)
    known = (bands, geometry, delay)
    return delay
  }
}
