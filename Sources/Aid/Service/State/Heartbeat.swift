import AudioIO
import Base

/// Decides whether a service manager may be told that the daemon is alive: only while the audio thread
/// works, or while it is declared that there is nothing for it to do.
struct Heartbeat {
  /// Longest that opening devices may take, s. JACK and sound servers answer within a few.
  private static let longestStart = 10.0

  private var lastBlocks = -1

  /// - Parameters:
  ///   - state: The state.
  ///   - age: Time since it began, s, by a clock that nobody sets.
  ///   - blocks: Blocks the audio thread has worked on; must differ from those of the last call.
  mutating func beats(_ state: StatusReport.State.Name, for age: Double, blocks: Int) -> Bool {
    switch state {
    case .stopped, .waitingForDevice, .faulted: return true
    case .starting: return age < Self.longestStart
    case .running, .muted:
      defer { lastBlocks = blocks }
      return blocks != lastBlocks
    }
  }
}

/// Sums drop-outs, so that the log has one line for many.
struct MishapSummary {
  /// Shortest time between two lines, s.
  static let interval = 10.0

  private var reported = StreamCounters()
  private var lastLine = -Double.infinity

  /// A line when something new has happened and the last line is long enough ago.
  ///
  /// - Parameters:
  ///   - fault: The latest one.
  ///   - now: s, of a clock that never goes back.
  mutating func line(_ counters: StreamCounters, last fault: StreamFault?, now: Double) -> LogLine? {
    noticeStream(counters)
    guard now - lastLine >= Self.interval, let line = rest(counters, last: fault) else { return nil }
    lastLine = now
    return line
  }

  /// A line when something has happened since the last one, however short ago that was.
  mutating func rest(_ counters: StreamCounters, last fault: StreamFault?) -> LogLine? {
    noticeStream(counters)
    let overruns = counters.overruns - reported.overruns
    let underruns = counters.underruns - reported.underruns
    let restarts = counters.restarts - reported.restarts
    let lost = counters.lostTime - reported.lostTime
    reported = counters
    guard overruns + underruns + restarts > 0 else { return nil }
    let milliseconds = (lost * 10_000).rounded() / 10
    let last = fault.map { ", last: \($0)" } ?? ""
    return LogLine(
      .warning,
      "sound dropped out: \(overruns) overruns, \(underruns) underruns, \(restarts) restarts, "
        + "\(milliseconds) ms lost\(last)")
  }

  /// A new stream counts from nothing.
  private mutating func noticeStream(_ counters: StreamCounters) {
    if counters.blocks < reported.blocks { reported = StreamCounters() }
  }
}
