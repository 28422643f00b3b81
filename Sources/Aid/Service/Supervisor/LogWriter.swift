import Base

/// Writes the log on a thread, because standard error may lie on a disk that does not answer.
///
/// - Threads: one.
struct LogWriter {
  /// Longest that a line is waited for, s, so that an answer does not overtake it. Own choice: unnoticed in
  /// a request.
  private static let patience = 0.05
  /// Longest that the end waits for the last lines, s.
  private static let lastPatience = 0.5
  /// Lines that wait at most; more are dropped.
  private static let longestQueue = 128

  private let worker: SerialWorker<(line: LogLine, time: Double), Void>

  /// - Throws: ``Failure`` when the system has no thread left.
  init(_ log: MessageLog) throws(Failure) {
    worker = try SerialWorker("auricle-log") { log.write($0.line, at: $0.time) }
  }

  /// - Parameter time: s since 1970-01-01 UTC.
  func write(_ line: LogLine, at time: Double) {
    guard worker.count < Self.longestQueue else { return }
    worker.submit((line, time))
    worker.finish(within: Self.patience)
    _ = worker.results()
  }

  /// Waits for the last lines.
  func end() {
    worker.finish(within: Self.lastPatience)
    worker.end()
  }
}
