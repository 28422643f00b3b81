/// Force of a bone vibrator on a mechanical coupler, dB re 1 µN (ISO 389-3).
///
/// A kind of its own: a force is not a sound pressure, though audiometers write both as dB HL.
public struct VibratoryForceLevel: Level {
  public static let unit = "dB re 1 µN"

  public let decibels: Double

  @inlinable
  public init(_ decibels: Double) { self.decibels = decibels }
}
