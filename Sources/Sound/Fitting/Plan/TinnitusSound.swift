public import Acoustics
import Base

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
