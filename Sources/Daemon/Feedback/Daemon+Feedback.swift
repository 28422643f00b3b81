import Control
import HearingAid
import Realtime

extension Daemon {
  /// Carries out a call about measured paths, and lets what changed be heard.
  func answer(_ call: FeedbackCall) -> Result<ControlReply, ControlFailure> {
    do throws(Failure) {
      switch call {
      case .keep(let record): try feedback.keep(record)
      case .clear: try feedback.clear()
      }
    } catch {
      return .failure(ControlFailure(error))
    }
    if let failure = followFeedback() { return .failure(ControlFailure(failure)) }
    return .success(.feedback(FeedbackAnswer(message: Self.sentence(call), feedback: feedbackReport())))
  }

  private static func sentence(_ call: FeedbackCall) -> String {
    switch call {
    case .keep: "Kept; it limits the gain from now on."
    case .clear: "Forgotten: feedback limits nothing now."
    }
  }

  /// What is reported of feedback.
  func feedbackReport() -> StatusReport.Feedback {
    StatusReport.Feedback(
      aid.currentSettings.hearing, reading: aid.reading, isSounding: aid.devices != nil,
      problem: feedback.problem)
  }

  /// Looks whether other devices are in use than before.
  func lookAtLoop() {
    let (reading, devices, opens) = (aid.reading, aid.devices, aid.opens)
    guard feedback.look(devices, latency: reading.deviceLatency, opens: opens) else { return }
    if let failure = followFeedback() { write(LogLine(.error, failure.message)) }
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
            feedback.informed(former), after: former, shortest: ProgramPace.byTurn, now: monotonicTime()))
      } catch {
        return Failure(error, memory.withLock { $0.configuration })
      }
      // The gains, and with them the delay, may be others.
      memory.withLock { $0.chainOpens = -1 }
      return nil
    }
  }
}
