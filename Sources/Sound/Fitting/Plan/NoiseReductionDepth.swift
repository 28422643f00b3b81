public import Acoustics

/// Depth of noise reduction for an ear: less where hearing loss leaves speech near threshold, because the
/// part of speech that a reduction removes with the noise would then become inaudible.
///
/// - Threads: `any`.
public enum NoiseReductionDepth {
  /// Greatest depth where speech lies well above threshold, dB: that with which the network was learnt.
  public static let full = 16.0
  /// Depth where speech is near threshold, dB. Own choice: with it the worst of nine voices in noise of their own
  /// spectrum loses 0.03 of HASPI behind N4, with the full depth 0.11 (docs/noise.md).
  public static let prudent = 12.0
  /// Pure-tone averages up to which the one holds and from which the other, dB HL: those of Bisgaard's N3
  /// and N4.
  public static let averages = 42.0...58.0

  /// The greatest depth for an ear, dB; the full one where no average is known.
  public static func greatest(for audiogram: Audiogram) -> Double {
    guard let average = audiogram.pureToneAverage?.decibels else { return full }
    let way = (average - averages.lowerBound) / (averages.upperBound - averages.lowerBound)
    return full - min(max(way, 0), 1) * (full - prudent)
  }
}
