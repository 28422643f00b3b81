/// What a device can do, asked before anything is set.
public struct DeviceOffer: Sendable, Equatable, Codable {
  /// Rates it accepts of those in ``commonRates``, Hz.
  public var rates: [Int]
  /// Formats it accepts, of those this program speaks.
  public var formats: [SampleFormat]
  /// Fewest and most channels.
  public var channels: ClosedRange<Int>
  /// Shortest and longest period, frames.
  public var period: ClosedRange<Int>
  /// Smallest and largest buffer, frames.
  public var buffer: ClosedRange<Int>

  /// The rates of speech, compact disc, film and studio equipment, Hz.
  public static let commonRates = [
    8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000, 176_400, 192_000,
  ]

  public init(
    rates: [Int], formats: [SampleFormat], channels: ClosedRange<Int>, period: ClosedRange<Int>,
    buffer: ClosedRange<Int>
  ) {
    self.rates = rates
    self.formats = formats
    self.channels = channels
    self.period = period
    self.buffer = buffer
  }
}
