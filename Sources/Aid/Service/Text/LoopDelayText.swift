import Base
import Engine
import HearingDSP

/// Measured delays of the loop in words, for people.
package struct LoopDelayText: Sendable {
  /// Ears that were measured, right first.
  private let ears: [(name: String, delay: StatusReport.Feedback.Delay)]

  package init(_ report: StatusReport.Feedback) {
    ears = [("right", report.right.delay), ("left", report.left.delay)].compactMap { name, delay in
      delay.map { (name, $0) }
    }
  }

  /// Difference from what the devices tell up to which both agree, s. Own choice: the filters of two converters and a hand's breadth
  /// of air.
  static let agreement = 0.001
  /// Difference up to which converters or air explain it, s.
  static let ordinary = FeedbackMeasurement.untoldDelays.upperBound
  /// Longest loop that the feedback canceller reaches, s.
  static let cancelled = FeedbackControl.loopDelays.upperBound

  /// `right 6.92 ms, left 6.94 ms, …`, without a full stop; nil: nothing was measured.
  package var line: String? {
    guard let first = ears.first?.delay else { return nil }
    let times = ears.map { "\($0.name) \(NumberText.milliseconds($0.delay.delaySeconds))" }
    let spread = ears.map(\.delay.spreadSeconds).max() ?? 0
    let level = ears.map(\.delay.levelDBSPL).max() ?? 0
    return times.joined(separator: ", ")
      + ", \(English.count(first.repetitions, "repetition")) each within \(NumberText.milliseconds(spread))"
      + ", at \(NumberText.fixed(level, 0)) dB SPL"
  }

  /// Comparison with what the devices tell, a clause; nil: they tell nothing.
  package var comparison: String? {
    guard let delay = ears.first?.delay, let told = delay.deviceDelaySeconds, let untold else { return nil }
    let words = "the devices tell \(NumberText.milliseconds(told))"
    if abs(untold) <= Self.agreement { return "\(words), which agrees with it" }
    let amount = NumberText.milliseconds(abs(untold))
    return "\(words), \(amount) \(untold < 0 ? "more than sound takes" : "less than sound takes")"
  }

  /// Reason for the difference, and what it changes, whole sentences; nil where both agree.
  package var meaning: String? {
    guard let untold, abs(untold) > Self.agreement else { return nil }
    if untold < 0 {
      return "The driver counts more than its buffers hold. What was measured is what is heard."
    }
    guard untold > Self.ordinary else {
      // The speed of sound in air of 20 °C, 343 m/s.
      let air = NumberText.fixed(untold * 343, 1)
      return "Filters of converters take as much, or \(air) m of air. What was measured is what is heard."
    }
    return Self.hidden
  }

  /// Cause of a delay that no device tells, and its remedy, whole sentences.
  static let hidden =
    "Something in between delays sound without reporting it: a radio link, a sound server, a plugin or a display."
    + " Whatever is also heard past the earphones is heard twice. auricle devices lists the others."

  /// True when the difference is more than converters and air take.
  package var isHidden: Bool { (untold ?? 0) > Self.ordinary }

  /// Caution about a loop that the canceller does not reach, a sentence; nil: it does.
  package var reach: String? {
    guard ears.contains(where: { $0.delay.delaySeconds > Self.cancelled }) else { return nil }
    return
      "The feedback canceller reaches loops of \(NumberText.fixed(Self.cancelled * 1000, 0)) ms and is of no use here."
  }

  /// The greatest part that the devices do not tell, s, or the least where they tell more.
  private var untold: Double? {
    let parts = ears.compactMap { ear in ear.delay.deviceDelaySeconds.map { ear.delay.delaySeconds - $0 } }
    return parts.max { abs($0) < abs($1) }
  }
}
