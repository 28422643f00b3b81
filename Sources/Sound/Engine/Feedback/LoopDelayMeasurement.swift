import Glibc

/// Delay of the loop at one ear, as a test has measured it: output, converters, cable or air, input.
///
/// The devices' own figure, which it replaces, knows the buffers and little of what lies behind them: filters of converters, a sound
/// server's own buffers, a radio link.
///
/// - Threads: `any`.
public struct LoopDelayMeasurement: Sendable, Equatable {
  /// When, s since 1970-01-01 UTC.
  public var moment: Double
  /// ALSA name of the device that captured, as opened.
  public var captureName: String
  /// ALSA name of the device that played, as opened.
  public var playbackName: String
  /// Hz.
  public var rate: Double
  /// Frames of a block.
  public var period: Int
  /// Level that was played, dB SPL by the calibration then.
  public var level: Double
  /// From leaving the performer to the first trace coming back in, s: the middle one of all repetitions.
  public var delay: Double
  /// Longest less shortest repetition, s.
  public var spread: Double
  /// Number of repetitions.
  public var repetitions: Int
  /// Delay of the devices as they told it then, s; nil: not told.
  public var deviceDelay: Double?

  /// - Parameters: As the properties.
  public init(
    moment: Double, captureName: String, playbackName: String, rate: Double, period: Int, level: Double,
    delay: Double, spread: Double, repetitions: Int, deviceDelay: Double?
  ) {
    (self.moment, self.captureName, self.playbackName) = (moment, captureName, playbackName)
    (self.rate, self.period, self.level) = (rate, period, level)
    (self.delay, self.spread, self.repetitions, self.deviceDelay) = (
      delay, spread, repetitions, deviceDelay
    )
  }

  /// True when it was measured with these devices, this rate and this period: another period may bring another buffer in what lies
  /// between.
  public func isOf(capture: String, playback: String, rate: Int, period: Int) -> Bool {
    captureName == capture && playbackName == playback && self.rate == Double(rate) && self.period == period
  }

  /// Part of the delay that the devices do not tell, s; negative where they tell more than it takes. Nil: they told nothing.
  public var untold: Double? { deviceDelay.map { delay - $0 } }

  /// Delay with devices that now tell another one of their own, s: what they do not tell stays.
  ///
  /// - Parameter devices: Now, s.
  public func delay(with devices: Double) -> Double { max(0, untold.map { devices + $0 } ?? delay) }
}
