import Acoustics
import Base
import Glibc
import Realtime
import Synchronization

/// Gives the audio thread of a feedback test its orders and waits for what comes of them.
///
/// - Threads: control.
struct FeedbackPlayer {
  let board: FeedbackBoard
  /// Time in which sound rises, s.
  let ramp: Double
  let isCancelled: () -> Bool
  /// Time beyond what an order takes in which it has to be done, s: a device may stall and start again.
  var patience = Self.patience

  /// Time between two looks at the board, s.
  private static let interval = 0.005
  static let patience = 5.0

  /// - Throws: What kept the devices from being opened.
  func waitUntilReady(within time: Double) throws(FeedbackFault) {
    try wait(time, for: "the sound device does not open within \(time.shortText) s")
  }

  /// Plays and records.
  ///
  /// - Parameters:
  ///   - ear: Which earphone plays.
  ///   - factor: Of the signal; 0: silence.
  ///   - periods: Recorded.
  /// - Throws: ``FeedbackFault``.
  func take(
    _ ear: Ear, factor: Double, periods: Int
  ) throws(FeedbackFault) -> (sent: [Float], left: [Float], right: [Float]) {
    for _ in 0..<FeedbackTest.attempts {
      let settling = Int((ramp + FeedbackTest.settling) * board.rate)
      let frames = periods * board.signal.count
      board.order = FeedbackBoard.Order(
        ear: ear, factor: Float(factor), settling: settling, frames: frames)
      // A thread that has ended meanwhile stays ended: it would never take the order.
      _ = board.phase.compareExchange(
        expected: .ready, desired: .ordered, ordering: .acquiringAndReleasing)
      try wait(
        Double(settling + frames) / board.rate + patience, for: "no sound flows through the device")
      if !board.isBroken { return board.recording() }
    }
    throw .dropOuts
  }

  /// Waits for the end of an order, or of opening.
  private func wait(_ time: Double, for reason: String) throws(FeedbackFault) {
    let end = SystemTime.monotonic + time
    while true {
      switch board.phase.load(ordering: .acquiring) {
      case .ready: return
      case .ended: throw board.notice.withLock { $0.fault } ?? .cancelled
      case .opening, .ordered: break
      }
      if isCancelled() { throw .cancelled }
      guard SystemTime.monotonic < end else { throw .system(reason) }
      usleep(UInt32(Self.interval * 1e6))
    }
  }
}
