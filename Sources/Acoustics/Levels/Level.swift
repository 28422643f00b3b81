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
  @inlinable
  public static func < (a: Self, b: Self) -> Bool { a.decibels < b.decibels }

  // The defaults of Comparable negate `<`, which would call NaN at most and at least anything.

  @inlinable
  public static func <= (a: Self, b: Self) -> Bool { a.decibels <= b.decibels }

  @inlinable
  public static func > (a: Self, b: Self) -> Bool { a.decibels > b.decibels }

  @inlinable
  public static func >= (a: Self, b: Self) -> Bool { a.decibels >= b.decibels }

  /// The level after a gain, dB.
  @inlinable
  public static func + (level: Self, gain: Double) -> Self { Self(level.decibels + gain) }

  /// The level after an attenuation, dB.
  @inlinable
  public static func - (level: Self, attenuation: Double) -> Self { Self(level.decibels - attenuation) }

  /// How far `a` lies above `b`, dB.
  @inlinable
  public static func - (a: Self, b: Self) -> Double { a.decibels - b.decibels }

  @inlinable
  public static func += (level: inout Self, gain: Double) { level = level + gain }

  @inlinable
  public static func -= (level: inout Self, attenuation: Double) { level = level - attenuation }

  /// The bare number: `65.5`.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Double.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(decibels)
  }

  /// "65.5 dB SPL".
  public var description: String { "\(decibels) \(Self.unit)" }
}
