import Glibc

/// A quantity on a decibel scale whose reference is part of its type.
///
/// Two levels of one kind differ by a gain, a plain `Double` in dB; a level and a gain make a level of the
/// same kind. Levels of two kinds neither subtract nor compare: only a calibration leads from one to
/// another.
///
/// Negative infinity is the level of silence and is allowed. NaN is not refused; it lies neither below nor
/// above any level, nor at it.
///
/// - Threads: any. Allocates nothing.
public protocol Level: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
  /// Unit as written after a number, "dB SPL" for example.
  static var unit: String { get }

  /// Value, dB re the reference of this kind.
  var decibels: Double { get }

  /// Makes the level of a value in dB.
  init(_ decibels: Double)
}

extension Level {
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.decibels < b.decibels }

  // The defaults of Comparable negate `<`, which would call NaN at most and at least anything.

  @inlinable public static func <= (a: Self, b: Self) -> Bool { a.decibels <= b.decibels }

  /// True when `a` lies above `b`.
  @inlinable public static func > (a: Self, b: Self) -> Bool { a.decibels > b.decibels }

  /// True when `a` lies at or above `b`.
  @inlinable public static func >= (a: Self, b: Self) -> Bool { a.decibels >= b.decibels }

  /// The level after a gain, dB.
  @inlinable public static func + (level: Self, gain: Double) -> Self { Self(level.decibels + gain) }

  /// The level after an attenuation, dB.
  @inlinable public static func - (level: Self, loss: Double) -> Self { Self(level.decibels - loss) }

  /// Distance of `a` above `b`, dB.
  @inlinable public static func - (a: Self, b: Self) -> Double { a.decibels - b.decibels }

  /// Adds a gain, dB.
  @inlinable public static func += (level: inout Self, gain: Double) { level = level + gain }

  /// Subtracts an attenuation, dB.
  @inlinable public static func -= (level: inout Self, attenuation: Double) { level = level - attenuation }

  /// The bare number: `65.5`.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Double.self))
  }

  public func encode(to encoder: any Encoder) throws { try decibels.encode(to: encoder) }

  /// "65.5 dB SPL".
  public var description: String { "\(decibels) \(Self.unit)" }
}

/// Level above the reference threshold of young normal ears for one transducer and coupler, dB HL.
///
/// dB HL = dB SPL in the coupler − RETSPL (ISO 389 series), hence meaningless without a ``Transducer``.
public struct HearingLevel: Level {
  public static let unit = "dB HL"

  public let decibels: Double

  @inlinable public init(_ decibels: Double) { self.decibels = decibels }
}

/// Level above one person’s own threshold, dB SL: same ear, same frequency, same transducer.
public struct SensationLevel: Level {
  public static let unit = "dB SL"

  public let decibels: Double

  @inlinable public init(_ decibels: Double) { self.decibels = decibels }
}

/// Sound pressure at a stated place, dB SPL: 20 log10(p / 20 µPa), p the root-mean-square pressure.
public struct SoundPressureLevel: Level {
  public static let unit = "dB SPL"

  public let decibels: Double

  @inlinable public init(_ decibels: Double) { self.decibels = decibels }
}

extension SoundPressureLevel {
  /// Level of uncorrelated sounds heard together: 10 log10 Σ 10^(L/10); silence for none.
  public static func powerSum(_ levels: some Sequence<SoundPressureLevel>) -> SoundPressureLevel {
    SoundPressureLevel(10 * log10(levels.reduce(0) { $0 + pow(10, $1.decibels / 10) }))
  }
}

/// Level of a digital signal, dB FS, by the convention of AES17: a full-scale sine is 0 dB FS.
///
/// By this convention a sine of peak 1 (root mean square 1/√2) is 0 dB FS, and full-scale square wave is
/// +3.01 dB FS. The other convention in use, 0 dB for a root mean square of 1, reads 3.01 dB lower.
public struct FullScaleLevel: Level {
  public static let unit = "dB FS"

  public let decibels: Double

  @inlinable public init(_ decibels: Double) { self.decibels = decibels }

  /// Level of a sine of this peak amplitude; full scale is 1.
  public init(sinePeak: Double) { self.init(20 * log10(sinePeak)) }

  /// Level of any signal of this root-mean-square value; full scale is 1.
  public init(rootMeanSquare: Double) { self.init(20 * log10(rootMeanSquare * 2.0.squareRoot())) }

  /// Peak amplitude of the sine that has this level.
  public var sinePeak: Double { pow(10, decibels / 20) }

  /// Root mean square of a signal that has this level.
  public var rootMeanSquare: Double { sinePeak / 2.0.squareRoot() }
}
