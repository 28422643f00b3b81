public import Acoustics
import Glibc

/// Share of speech in quiet that an ear can hear, 0…1: the speech intelligibility index of ANSI S3.5-1997,
/// one-third-octave procedure (formulas and table as phonometry 3.3.0 has them; the standard itself was not at
/// hand).
///
/// The index says what is audible, not what is understood: an ear with a great loss understands less of what it
/// hears than a healthy one, which the standard leaves out.
enum SpeechIntelligibilityIndex {
  /// Centres of the bands, Hz.
  static let frequencies: [Double] = bands.map(\.centre)

  /// The index of speech without other noise than the ear's own.
  ///
  /// - Parameters:
  ///   - speech: Spectrum level at the ear, dB per Hz re 20 µPa, with all gain.
  ///     - Shape: `frequencies.count`.
  ///   - thresholds: dB HL, likewise.
  static func value(speech: [Double], thresholds: [Double]) -> Double {
    let masking = masking(of: speech.map { $0 - selfMasking })
    return bands.indices.reduce(0) { sum, band in
      let disturbance = max(masking[band], bands[band].internalNoise + thresholds[band])
      let distortion = 1 - (speech[band] - bands[band].normalSpeech - 10) / 160
      let audible = (speech[band] - disturbance + 15) / 30
      return sum + bands[band].importance * share(distortion) * share(audible)
    }
  }

  private static func share(_ value: Double) -> Double { min(max(value, 0), 1) }

  /// Level by which speech lies above what it masks of itself, dB.
  private static let selfMasking = 24.0

  /// Spectrum level to which the bands below each band mask it, dB per Hz; minus infinity for the lowest.
  private static func masking(of maskers: [Double]) -> [Double] {
    bands.indices.map { band in
      let power = (0..<band).reduce(0.0) { power, below in
        let slope = -80 + 0.6 * (maskers[below] + 10 * log10(bands[below].centre) - 6.353)
        let octaves = 3.32 * log10(0.89 * bands[band].centre / bands[below].centre)
        return power + pow(10, (maskers[below] + slope * octaves) / 10)
      }
      return 10 * log10(power)
    }
  }

  /// A row of the standard's table 3: centre, Hz; share of importance; spectrum levels of speech of normal
  /// effort and of a healthy ear's internal noise, dB per Hz.
  private typealias Band = (
    centre: Double, importance: Double, normalSpeech: Double, internalNoise: Double
  )

  private static let bands: [Band] = [
    (160, 0.0083, 32.41, 0.6), (200, 0.0095, 34.48, -1.7), (250, 0.0150, 34.75, -3.9),
    (315, 0.0289, 33.98, -6.1), (400, 0.0440, 34.59, -8.2), (500, 0.0578, 34.27, -9.7),
    (630, 0.0653, 32.06, -10.8), (800, 0.0711, 28.30, -11.9), (1000, 0.0818, 25.01, -12.5),
    (1250, 0.0844, 23.00, -13.5), (1600, 0.0882, 20.15, -15.4), (2000, 0.0898, 17.32, -17.7),
    (2500, 0.0868, 13.18, -21.2), (3150, 0.0844, 11.55, -24.2), (4000, 0.0771, 9.33, -25.9),
    (5000, 0.0527, 5.31, -23.6), (6300, 0.0364, 2.59, -15.8), (8000, 0.0185, 1.13, -7.1),
  ]
}

/// Share of average speech in quiet that an ear can hear without an aid and with one, 0…1: the speech
/// intelligibility index of ANSI S3.5-1997 for ``LongTermAverageSpeechSpectrum``.
public struct Audibility: Sendable, Hashable {
  /// Without an aid.
  public let unaided: SpeechLevels<Double>
  /// With the prescribed insertion gain; output limits and frequency lowering do not count.
  public let aided: SpeechLevels<Double>
}

extension FittingPlan {
  /// Audibility of speech for an ear with this plan.
  ///
  /// Outside the range of its points an audiogram counts as at the nearest one.
  ///
  /// - Throws: ``FittingError/insufficientThresholds(measured:)`` when the audiogram has too few points for the
  ///   rule, or none.
  public func audibility(for ear: Ear, audiogram: Audiogram) throws(FittingError) -> Audibility {
    let frequencies = SpeechIntelligibilityIndex.frequencies
    let thresholds = frequencies.compactMap { audiogram.threshold(at: $0)?.decibels }
    guard thresholds.count == frequencies.count else { throw .insufficientThresholds(measured: []) }
    let gains = try targets(for: ear, audiogram: audiogram, at: frequencies)
    func indices(_ gain: (Int, SpeechLevel) -> Double) -> SpeechLevels<Double> {
      SpeechLevels { level in
        let speech = frequencies.indices.map {
          LongTermAverageSpeechSpectrum.spectrumLevel(at: frequencies[$0], overall: level.level).decibels
            + gain($0, level)
        }
        return SpeechIntelligibilityIndex.value(speech: speech, thresholds: thresholds)
      }
    }
    return Audibility(unaided: indices { _, _ in 0 }, aided: indices { gains[$0][$1] })
  }
}
