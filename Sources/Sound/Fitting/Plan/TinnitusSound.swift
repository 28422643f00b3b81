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
  /// Levels accepted, dB SPL at the ear. Cards were signed up to the upper end before ``newLevels`` ended lower,
  /// and mean what they meant.
  public static let levels = SoundPressureLevel(10)...SoundPressureLevel(75)
  /// Levels of a new prescription, dB SPL at the ear. WHO and ITU (H.870) allow adults 80 dB(A) for 40 h a week;
  /// as energy that is 73.8 dB(A) for its 168 h, with nothing left for other sound. No sound of 72 dB SPL has more than
  /// 73.3 dB(A): a band around 2.5 kHz counts 1.3 dB more (IEC 61672-1), pink noise less.
  public static let newLevels = SoundPressureLevel(10)...SoundPressureLevel(72)

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

  /// A sound for a new prescription.
  ///
  /// - Throws: ``FittingError`` outside ``pitches``, ``widths`` or ``newLevels``.
  public static func prescribed(
    shape: Shape, level: SoundPressureLevel
  ) throws(FittingError) -> TinnitusSound {
    guard newLevels.contains(level) else {
      let (least, most) = (newLevels.lowerBound.decibels.shortText, newLevels.upperBound.decibels.shortText)
      throw .notAccepted(
        "tinnitus sound of \(level.decibels.shortText) dB SPL", expected: "\(least) to \(most) dB SPL")
    }
    return try TinnitusSound(shape: shape, level: level)
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
