/// Sound pressure at a stated place, dB SPL: 20 log10(p / 20 µPa), p the root-mean-square pressure.
public struct SoundPressureLevel: Level {
  public static let unit = "dB SPL"

  public let decibels: Double

  @inlinable
  public init(_ decibels: Double) { self.decibels = decibels }
}
