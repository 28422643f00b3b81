/// Level above the reference threshold of young normal ears for one transducer and coupler, dB HL.
///
/// dB HL = dB SPL in the coupler − RETSPL (ISO 389 series), hence meaningless without a ``Transducer``.
public struct HearingLevel: Level {
  public static let unit = "dB HL"

  public let decibels: Double

  @inlinable
  public init(_ decibels: Double) { self.decibels = decibels }
}
