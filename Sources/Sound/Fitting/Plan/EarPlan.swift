public import Acoustics
import Base

/// Non-linear frequency compression for an ear that hears nothing high any more: what lies above the cutoff
/// is brought nearer to it, `f_out = cutoff · (f_in / cutoff)^(1/ratio)`; what lies below stays.
public struct FrequencyLowering: Sendable, Hashable {
  /// Cutoffs accepted, Hz: below 1.5 kHz vowels would change (own choice, after common practice).
  public static let cutoffs = 1500.0...6000.0
  /// Ratios accepted, octaves in over octaves out.
  public static let ratios = 1.5...4.0

  /// Hz.
  public let cutoff: Double
  /// Octaves that are compressed into one, 1.5 to 4.
  public let ratio: Double

  /// - Throws: ``FittingError`` outside ``cutoffs`` or ``ratios``.
  public init(cutoff: Double, ratio: Double) throws(FittingError) {
    guard Self.cutoffs.contains(cutoff) else {
      throw .notAccepted("frequency lowering from \(cutoff.shortText) Hz", expected: "1500 to 6000 Hz")
    }
    guard Self.ratios.contains(ratio) else {
      throw .notAccepted("frequency lowering by \(ratio.shortText)", expected: "1.5 to 4")
    }
    (self.cutoff, self.ratio) = (cutoff, ratio)
  }
}

extension FrequencyLowering: CustomStringConvertible {
  /// For people: `from 2000 Hz up, 2:1`.
  public var description: String { "from \(cutoff.shortText) Hz up, \(ratio.shortText):1" }
}

/// A quiet steady noise prescribed to a person with tinnitus, in addition to ambient sound.
public struct TinnitusSound: Sendable, Hashable {
  /// Spectrum of the noise relative to the pitch of the tinnitus.
  public enum Shape: Sendable, Hashable {
    /// All audible frequencies alike per octave (pink).
    case broadband
    /// Only around the pitch; Hz, octaves.
    case band(pitch: Double, width: Double)
    /// All but around the pitch; Hz, octaves.
    case notched(pitch: Double, width: Double)
  }

  /// Pitches accepted, Hz.
  public static let pitches = 125.0...16000.0
  /// Widths accepted, octaves: a quarter to two (PLoS ONE 2015 10:e0138595 compared 1/4, 1/2 and 1).
  public static let widths = 0.25...2.0
  /// Levels accepted, dB SPL at the ear: the upper end is safe all day every day (WHO/ITU H.870: 80 dB
  /// for 40 h a week, which is 75 dB for 126 h).
  public static let levels = SoundPressureLevel(10)...SoundPressureLevel(75)

  /// Spectrum of the noise.
  public let shape: Shape
  /// Of the whole noise at the ear, dB SPL.
  public let level: SoundPressureLevel

  /// - Throws: ``FittingError`` outside ``pitches``, ``widths`` or ``levels``.
  public init(shape: Shape, level: SoundPressureLevel) throws(FittingError) {
    switch shape {
    case .broadband: break
    case .band(let pitch, let width), .notched(let pitch, let width):
      guard Self.pitches.contains(pitch) else {
        throw .notAccepted("tinnitus sound at \(pitch.shortText) Hz", expected: "125 to 16000 Hz")
      }
      guard Self.widths.contains(width) else {
        throw .notAccepted("tinnitus sound \(width.shortText) octaves wide", expected: "0.25 to 2 octaves")
      }
    }
    guard Self.levels.contains(level) else {
      throw .notAccepted(
        "tinnitus sound of \(level.decibels.shortText) dB SPL", expected: "10 to 75 dB SPL")
    }
    (self.shape, self.level) = (shape, level)
  }
}

extension TinnitusSound: CustomStringConvertible {
  /// For people: `noise of 45 dB SPL, all but 0.5 octaves around 6000 Hz`.
  public var description: String {
    let noise = "noise of \(level.decibels.shortText) dB SPL"
    return switch shape {
    case .broadband: noise + ", broadband"
    case .band(let pitch, let width): noise + ", \(width.shortText) octaves around \(pitch.shortText) Hz"
    case .notched(let pitch, let width):
      noise + ", all but \(width.shortText) octaves around \(pitch.shortText) Hz"
    }
  }
}

/// Depth of noise reduction for an ear: less where hearing loss leaves speech near threshold, because the
/// part of speech that a reduction removes with the noise would then become inaudible.
///
/// - Threads: `any`.
public enum NoiseReductionDepth {
  /// Greatest depth where speech lies well above threshold, and where it does not, dB. Own choice:
  /// nine voices in noise of their own spectrum at +5 dB still gain 4.5 dB in the median and 3.5 dB at worst,
  /// and more takes from HASPI where recordings are reverberant (docs/noise.md).
  public static let full = 10.0
  /// Depth where speech is near threshold, dB.
  public static let prudent = 9.5
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
