/// Level above one person’s own threshold, dB SL: same ear, same frequency, same transducer.
public struct SensationLevel: Level {
  public static let unit = "dB SL"

  public let decibels: Double

  @inlinable
  public init(_ decibels: Double) { self.decibels = decibels }
}
