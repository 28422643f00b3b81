import Base
import Glibc

/// The frequency bands that levels are read in and gains prescribed for.
///
/// Neighbouring bands meet at the geometric mean of their centres. The first band reaches down to 0 Hz, the
/// last one up without end; a user with a sample rate cuts it at half that.
///
/// - Threads: any.
public struct BandLayout: Sendable, Hashable {
  /// Numbers of bands accepted.
  public static let counts = 1...40

  /// Centres accepted, Hz.
  public static let frequencies = 50.0...20_000.0

  /// Twenty bands, 125–12500 Hz: every audiometric frequency up to 8 kHz is a centre.
  public static let standard = BandLayout(checked: [
    125, 250, 375, 500, 750, 1000, 1250, 1500, 1750, 2000, 2500, 3000, 3500, 4000, 5000, 6000, 7000, 8000,
    10_000, 12_500,
  ])

  /// Centre frequencies, Hz, strictly increasing.
  public let centres: [Double]

  /// Edges, Hz: `edges[b]..<edges[b + 1]` is band `b`; the first is 0, the last infinity.
  ///
  /// - Shape: `count + 1`.
  public let edges: [Double]

  /// Number of bands.
  public var count: Int { centres.count }

  /// Creates a layout from centre frequencies, Hz.
  ///
  /// - Throws: ``AcousticsError`` for a number of bands outside ``counts``, and for the first centre that
  ///   is not within ``frequencies`` or not above the one before it.
  public init(centres: [Double]) throws(AcousticsError) {
    guard Self.counts.contains(centres.count) else {
      throw AcousticsError("\(centres.count) bands", expected: "1 to 40")
    }
    for (index, frequency) in centres.enumerated() {
      guard Self.frequencies.contains(frequency) else {
        throw AcousticsError("a band at \(frequency.shortText) Hz", expected: "50 to 20000 Hz")
      }
      guard index == 0 || centres[index - 1] < frequency else {
        throw AcousticsError("a band at \(frequency.shortText) Hz", expected: "frequencies in rising order")
      }
    }
    self.init(checked: centres)
  }

  private init(checked centres: [Double]) {
    self.centres = centres
    edges = [0] + zip(centres, centres.dropFirst()).map { ($0 * $1).squareRoot() } + [.infinity]
  }
}

extension BandLayout {
  /// Level of one band in speech, dB SPL; silence where speech has no power.
  ///
  /// - Parameters:
  ///   - band: Its index.
  ///   - overall: Level of the whole speech, dB SPL.
  package func speechLevel(inBand band: Int, overall: SoundPressureLevel) -> SoundPressureLevel {
    LongTermAverageSpeechSpectrum.bandLevel(from: edges[band], to: edges[band + 1], overall: overall)
  }
}

/// Spectrum of speech, averaged over languages and talkers.
///
/// Third-octave levels of Byrne et al. (1994), J. Acoust. Soc. Am. 96:2108–2120, males and females, for
/// 70 dB SPL overall (the 25 rounded band levels add up to 70.03 dB). Within a third octave the power is
/// taken as spread evenly over log frequency, which cuts a band at any edge; below 56 Hz and above 17.8 kHz
/// there is none.
public enum LongTermAverageSpeechSpectrum {
  /// Overall level that ``thirdOctaveLevels`` stand for.
  public static let referenceLevel = SoundPressureLevel(70)

  /// Nominal centres of the third octaves, Hz.
  public static let thirdOctaveCentres: [Double] = [
    63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150, 4000,
    5000, 6300, 8000, 10_000, 12_500, 16_000,
  ]

  /// Band levels for ``referenceLevel``, dB SPL.
  public static let thirdOctaveLevels: [Double] = [
    38.6, 43.5, 54.4, 57.7, 56.8, 60.2, 60.3, 59.0, 62.1, 62.1, 60.5, 56.8, 53.7, 53.0, 52.0, 48.7, 48.1,
    46.8, 45.6, 44.5, 44.3, 43.7, 43.4, 41.3, 40.7,
  ]

  /// Exponent of the first band: exact centres are 10^(n/10) Hz (IEC 61260-1), 63 Hz has n = 18.
  private static let firstExponent = 18.0

  /// Speech level in a frequency band.
  ///
  /// - Parameters:
  ///   - low: Lower edge, Hz, 0 allowed.
  ///   - high: Upper edge, Hz, infinity allowed; at least `low`.
  ///   - overall: Level of the whole speech, dB SPL.
  /// - Returns: The band level; silence (−∞) where speech has no power.
  public static func bandLevel(
    from low: Double, to high: Double, overall: SoundPressureLevel
  ) -> SoundPressureLevel {
    precondition(low <= high, "band edges in the wrong order")
    // On the axis n = 10 log10 f each third octave is one wide and centred on a whole number.
    let (from, to) = (10 * log10(low), 10 * log10(high))
    var power = 0.0
    for (k, level) in thirdOctaveLevels.enumerated() {
      let centre = firstExponent + Double(k)
      let share = min(to, centre + 0.5) - max(from, centre - 0.5)
      if share > 0 { power += share * pow(10, level / 10) }
    }
    return SoundPressureLevel(10 * log10(power)) + (overall - referenceLevel)
  }

  /// Speech level in a band of 1 Hz at `frequency`, dB SPL; silence where speech has no power.
  ///
  /// - Parameters:
  ///   - frequency: Hz, positive.
  ///   - overall: Level of the whole speech, dB SPL.
  public static func spectrumLevel(
    at frequency: Double, overall: SoundPressureLevel
  ) -> SoundPressureLevel {
    let k = (10 * log10(frequency) - firstExponent).rounded()
    guard k >= 0, k < Double(thirdOctaveLevels.count) else { return SoundPressureLevel(-.infinity) }
    // Power P spread evenly over a range of ln(10)/10 in ln f has the density P / (f · ln(10)/10).
    let width = frequency * log(10) / 10
    return SoundPressureLevel(thirdOctaveLevels[Int(k)] - 10 * log10(width)) + (overall - referenceLevel)
  }
}
