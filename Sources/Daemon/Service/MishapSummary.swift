import AudioIO
import Control

/// Sums drop-outs, so that the log has one line for many.
struct MishapSummary {
  /// Shortest time between two lines, s.
  static let interval = 10.0

  private var reported = StreamCounters()
  private var lastLine = -Double.infinity

  /// A line when something new has happened and the last line is long enough ago.
  ///
  /// - Parameters:
  ///   - fault: What happened last.
  ///   - now: s, of a clock that never goes back.
  mutating func line(_ counters: StreamCounters, last fault: StreamFault?, now: Double) -> LogLine? {
    // A new stream counts from nothing.
    if counters.blocks < reported.blocks { reported = StreamCounters() }
    guard now - lastLine >= Self.interval else { return nil }
    let overruns = counters.overruns - reported.overruns
    let underruns = counters.underruns - reported.underruns
    let restarts = counters.restarts - reported.restarts
    let lost = counters.lostTime - reported.lostTime
    reported = counters
    guard overruns + underruns + restarts > 0 else { return nil }
    lastLine = now
    let milliseconds = (lost * 10_000).rounded() / 10
    let last = fault.map { ", last: \($0)" } ?? ""
    return LogLine(
      .warning,
      "sound dropped out: \(overruns) overruns, \(underruns) underruns, \(restarts) restarts, "
        + "\(milliseconds) ms lost\(last)")
  }
}
