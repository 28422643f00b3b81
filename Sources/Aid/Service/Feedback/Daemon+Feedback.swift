import Acoustics
import Base
import Control
import Engine
import Realtime

extension Daemon {
  /// Keeps measured paths, and applies them.
  func keep(_ record: FeedbackRecord) throws(Failure) -> FeedbackAnswer {
    try changed("Kept; it limits the gain from now on.") { [feedback] () throws(Failure) in
      try feedback.keep(record)
    }
  }

  /// Forgets measured paths.
  func clearFeedback() throws(Failure) -> FeedbackAnswer {
    try changed("Forgotten: feedback limits nothing now.") { [feedback] () throws(Failure) in
      try feedback.clear()
    }
  }

  /// Changes the paths that are known, and lets that be heard.
  private func changed(
    _ message: String, by change: @escaping @Sendable () throws(Failure) -> Void
  ) throws(Failure) -> FeedbackAnswer {
    try onDisk { () -> Result<Void, Failure> in
      do throws(Failure) { return .success(try change()) } catch { return .failure(error) }
    }.get()
    if let failure = followFeedback() { throw failure }
    return FeedbackAnswer(message: message, feedback: feedbackReport())
  }

  /// What is reported of feedback.
  func feedbackReport() -> StatusReport.Feedback {
    StatusReport.Feedback(
      aid.currentSettings.hearing, reading: aid.reading, isSounding: aid.devices != nil,
      notes: ([feedback.problem, lender.note] + feedback.distrusted.map(Self.distrust)).compactMap(\.self))
  }

  private static func distrust(_ ear: Ear) -> String {
    "\(ear.rawValue): the canceller did harm, or something howled: what was measured may no longer hold, and the gain "
      + "granted for it is taken back for some minutes. Look how the earpiece sits; if it comes again: auricle fit feedback"
  }

  /// Looks whether the loop is another one than before, and how the canceller does.
  func lookAtLoop() {
    let (reading, devices, opens) = (aid.reading, aid.devices, aid.opens)
    let former = feedback.distrusted
    guard feedback.look(devices, reading: reading, opens: opens, now: SystemTime.monotonic) else { return }
    for ear in feedback.distrusted where !former.contains(ear) {
      write(LogLine(.warning, Self.distrust(ear)))
    }
    if let failure = followFeedback() { write(LogLine(.error, failure.logMessage)) }
  }

  /// Lets what is known of feedback be heard, ramped.
  ///
  /// - Returns: Why it cannot; the former settings then stay in force.
  private func followFeedback() -> Failure? {
    wearing.withLock { _ -> Failure? in
      do throws(FittingFailure) {
        let former = aid.currentSettings.hearing
        try aid.apply(
          dial.paced(
            feedback.informed(former), after: former, shortest: ProgramPace.byTurn,
            now: SystemTime.monotonic))
      } catch {
        return Failure(error, memory.withLock { $0.configuration })
      }
      // The gains, and with them the delay, may be others.
      memory.withLock { $0.chainOpens = -1 }
      return nil
    }
  }
}
