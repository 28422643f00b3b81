/// A device's figures at one moment, all taken together.
public struct PCMStatus: Sendable, Equatable, BitwiseCopyable {
  /// State at that moment.
  public var state: PCMState
  /// When the stream last started or stopped, monotonic clock, s; 0 if it never did.
  public var triggerTime: Double
  /// When the figures were taken, monotonic clock, s.
  public var time: Double
  /// Frames that can be read or written without waiting.
  public var available: Int
  /// Frames between the program and the converter.
  public var delay: Int

  public init(state: PCMState, triggerTime: Double, time: Double, available: Int, delay: Int) {
    self.state = state
    self.triggerTime = triggerTime
    self.time = time
    self.available = available
    self.delay = delay
  }
}
