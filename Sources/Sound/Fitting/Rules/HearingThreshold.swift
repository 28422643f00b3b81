public import Acoustics

/// Softest tone that young normal ears hear in a free field, dB SPL by frequency: T(f) of ISO 226:2003.
///
/// Values as tabulated in openMHA 4.18 and pyclarity 0.9.0, which name ISO 226:2003 up to 12.5 kHz and
/// ISO 389-7:2005 above; they are those of `Transducer.freeField` at the third-octave frequencies. Read
/// between them as both programs do: linear over frequency, not over its logarithm.
enum HearingThreshold {
  private static let frequencies: [Double] = [
    20, 25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000,
    2500, 3150, 4000, 5000, 6300, 8000, 10_000, 12_500, 14_000, 16_000, 18_000,
  ]

  private static let levels: [Double] = [
    78.5, 68.7, 59.5, 51.1, 44, 37.5, 31.5, 26.5, 22.1, 17.9, 14.4, 11.4, 8.6, 6.2, 4.4, 3, 2.2, 2.4, 3.5,
    1.7, -1.3, -4.2, -6, -5.4, -1.5, 6, 12.6, 13.9, 12.3, 18.4, 40.2, 73.2,
  ]

  /// T at `frequency`, Hz; that of the nearest end outside 20 Hz–18 kHz.
  static func level(at frequency: Double) -> SoundPressureLevel {
    guard let next = frequencies.firstIndex(where: { $0 >= frequency }) else {
      return SoundPressureLevel(levels[levels.count - 1])
    }
    guard next > 0 else { return SoundPressureLevel(levels[0]) }
    let share = (frequency - frequencies[next - 1]) / (frequencies[next] - frequencies[next - 1])
    return SoundPressureLevel(levels[next - 1] + share * (levels[next] - levels[next - 1]))
  }
}

/// Half gain, the oldest rule: as much gain as half the threshold (Lybarger), never below 0 dB.
///
/// Thresholds between measured frequencies are interpolated, beyond them held; any one point is enough.
public struct HalfGain: FittingRule, Hashable {
  public init() {}

  public var name: String { "half gain" }

  public func curves(
    for audiogram: Audiogram, bands: BandLayout
  ) throws(FittingError) -> [GainCurve] {
    var curves: [GainCurve] = []
    for frequency in bands.centres {
      guard let threshold = audiogram.threshold(at: frequency) else {
        throw .insufficientThresholds(measured: [])
      }
      curves.append(GainCurve(unchangingGain: max(0, threshold.decibels / 2)))
    }
    return curves
  }
}

extension BandLayout {
  /// Level of one band in speech, dB SPL; silence where speech has no power.
  func speechLevel(inBand band: Int, overall: SoundPressureLevel) -> SoundPressureLevel {
    LongTermAverageSpeechSpectrum.bandLevel(from: edges[band], to: edges[band + 1], overall: overall)
  }
}
