/// Limits of time and attempts before a stream reports a device as lost.
public struct RestartLimits: Sendable, Equatable, BitwiseCopyable {
  /// Restarts in a row that may fail, or that may break again before one buffer of sound has passed.
  public var attempts: Int
  /// Failures further apart than this, s, are not in a row.
  public var window: Double
  /// Pause between two attempts, s.
  public var pause: Double
  /// Time without a block that is reported as a stall, s.
  public var stallTimeout: Double
  /// Stalls in a row before the stream is restarted.
  public var stalls: Int
  /// Tries to wake a suspended device. CamillaDSP's figures: 200 tries, 10 ms apart.
  public var resumeAttempts: Int
  /// Pause between two tries to wake a suspended device, s.
  public var resumePause: Double
  /// Corrections of the latency in a row, since a start; a device that needs more keeps the latency it has for a while.
  public var corrections: Int
  /// Corrections further apart than this, s, are not in a row.
  public var correctionWindow: Double

  public init(
    attempts: Int = 3, window: Double = 1, pause: Double = 0.05, stallTimeout: Double = 0.1,
    stalls: Int = 3, resumeAttempts: Int = 200, resumePause: Double = 0.01,
    corrections: Int = 3, correctionWindow: Double = 60
  ) {
    precondition(attempts >= 1 && stalls >= 1, "at least one attempt is made")
    precondition(stallTimeout > 0 && window > 0, "times are positive")
    self.attempts = attempts
    self.window = window
    self.pause = pause
    self.stallTimeout = stallTimeout
    self.stalls = stalls
    self.resumeAttempts = resumeAttempts
    self.resumePause = resumePause
    self.corrections = corrections
    self.correctionWindow = correctionWindow
  }
}

/// Growing pauses between attempts to reopen a device: 0.1 s, doubled each time, at most 5 s.
///
/// ```swift
/// var backoff = Backoff()
/// backoff.next()  // 0.1
/// backoff.next()  // 0.2
/// backoff.reset()  // sound flows again
/// ```
public struct Backoff: Sendable, Equatable {
  /// Pause after the first failure, s.
  public let first: Double
  /// Longest pause, s.
  public let longest: Double
  /// Attempts since the last success.
  public private(set) var attempts = 0
  private var upcoming: Double

  public init(first: Double = 0.1, longest: Double = 5) {
    precondition(first > 0 && longest >= first, "pauses are positive and grow")
    self.first = first
    self.longest = longest
    upcoming = first
  }

  /// The pause before the next attempt, s.
  public mutating func next() -> Double {
    defer { upcoming = min(upcoming * 2, longest) }
    attempts += 1
    return upcoming
  }

  /// Begins anew, after a success.
  public mutating func reset() {
    upcoming = first
    attempts = 0
  }
}
