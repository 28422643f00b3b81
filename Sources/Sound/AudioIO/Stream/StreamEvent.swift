import Glibc

/// Result of a stream's step. A plain value: the audio thread counts it and passes it on.
public enum StreamEvent: Sendable, Hashable, BitwiseCopyable {
  /// The step is done: a block can be read, was read, or was written.
  case block
  /// The stream broke and runs again with its latency as before; the block is lost. Silence has been
  /// playing; mute and ramp up. `lost` is the time without sound, s.
  case restarted(StreamFault, lost: Double)
  /// No block within the time allowed; `after` is how long it has been, s. Nothing was done yet: wait on.
  case stalled(after: Double)
  /// The stream cannot be brought back: close it, and open it again later (``Backoff``).
  case lost(StreamFault)
  /// A signal, or the owner's descriptor, ended the wait. Nothing is wrong: look, and wait on.
  case interrupted
}

/// Cause of a stream's interruption.
public enum StreamFault: Sendable, Hashable, BitwiseCopyable {
  /// A call on one of the devices failed.
  case device(PCMFault, during: PCMCall, StreamDirection)
  /// The devices are well by their own account, but no sound moves.
  case stalled
  /// The same of devices that have not moved since their start.
  case unmoved
  /// Two clocks have run too far apart to be brought together by resampling, or the resampler failed.
  case outOfStep
  /// The devices hold so many periods more than the latency, or fewer where negative.
  case misaligned(periods: Int)
}

extension StreamFault: CustomStringConvertible {
  /// Words for a message, in English.
  public var description: String {
    switch self {
    case .device(.xrun, _, .capture): "overrun"
    case .device(.xrun, _, .playback): "underrun"
    case .device(let fault, let call, let direction): "\(direction.rawValue) \(call.rawValue): \(fault)"
    case .stalled: "no sound moves"
    case .unmoved: "no sound moves after the start"
    case .outOfStep: "clocks too far apart"
    case .misaligned(let periods):
      "delay \(periods.magnitude) \(periods.magnitude == 1 ? "period" : "periods") too \(periods > 0 ? "long" : "short")"
    }
  }
}

/// Counts of a stream's events since it was created.
public struct StreamCounters: Sendable, Equatable, BitwiseCopyable {
  /// Blocks written.
  public var blocks = 0
  /// Overruns of the capture device.
  public var overruns = 0
  /// Underruns of the playback device.
  public var underruns = 0
  /// Times the machine slept under the stream.
  public var suspensions = 0
  /// Waits that ended without a block, but for those until the devices have moved at all.
  public var stalls = 0
  /// Restarts, for whatever cause.
  public var restarts = 0
  /// Restarts that only shifted the devices against each other, to the latency as it should be.
  public var corrections = 0
  /// Transfers that moved fewer frames than asked.
  public var shortTransfers = 0
  /// Output samples held at full scale, or not a number.
  public var clippedSamples = 0
  /// Those of ``clippedSamples`` that were the right ear's.
  public var clippedRightSamples = 0
  /// Time without sound because of restarts and lost devices, s: from the last sample that can have been
  /// played to the first new one. What has not come back is not yet in it.
  public var lostTime = 0.0

  /// All counts 0.
  public init() {}
}

/// Limits of time and attempts before a stream reports a device as lost. Each has the daemon's value.
public struct RestartLimits: Sendable, Equatable, BitwiseCopyable {
  /// Restarts in a row that may fail, or that may break again before one buffer of sound has passed, 1 or
  /// more.
  public var attempts = 3
  /// Failures further apart than this, s, are not in a row.
  public var window = 1.0
  /// Pause between two attempts, s.
  public var pause = 0.05
  /// Time without a block that is reported as a stall, s, positive.
  public var stallTimeout = 0.1
  /// Stalls in a row before the stream is restarted, 1 or more.
  public var stalls = 3
  /// Time from the start of devices that are not linked to their first movement after which the stream is lost, s. Own choice: more than
  /// a sleeping Bluetooth sink takes, and any cycle of a sound server.
  public var startPatience = 2.0
  /// Tries to wake a suspended device. CamillaDSP's figures: 200 tries, 10 ms apart.
  public var resumeAttempts = 200
  /// Pause between two tries to wake a suspended device, s.
  public var resumePause = 0.01
  /// Corrections of the latency in a row, since a start; a device that needs more keeps the latency it has
  /// for a while.
  public var corrections = 3
  /// Corrections further apart than this, s, are not in a row.
  public var correctionWindow = 60.0
}

/// Growing pauses between attempts to reopen a device: 0.1 s, doubled each time, at most 0.25 s, so that sound
/// is back within a second of the device, however long it was away.
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

  /// - Parameters: times between attempts, s.
  public init(first: Double = 0.1, longest: Double = 0.25) {
    precondition(first > 0 && longest >= first, "pauses are positive and grow")
    (self.first, self.longest) = (first, longest)
  }

  /// The pause before the next attempt, s.
  public mutating func next() -> Double {
    defer { attempts += 1 }
    return min(first * exp2(Double(attempts)), longest)
  }

  /// Begins anew, after a success.
  public mutating func reset() { attempts = 0 }
}
