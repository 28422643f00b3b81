import AudioIO
import Base

extension DoctorReport {
  /// Sound that flows: clocks and drop-outs; nothing where none does.
  static func sound(_ machine: Machine) -> [Finding] {
    guard let report = machine.report, let devices = report.devices else { return [] }
    let periods = machine.periods ?? devices.playback.periods
    return [report.clock.map(clock), dropOuts(report, devices, periods: periods), feedback(report)]
      .compactMap(\.self)
  }

  /// A measurement of feedback that takes more gain than any earpiece in its place; nil: none does.
  private static func feedback(_ report: StatusReport) -> Finding? {
    let paths = [report.feedback?.left.path, report.feedback?.right.path].compactMap(\.self)
    guard let most = paths.flatMap(\.held).map(\.heldBackDB).max(), most > FeedbackText.great else {
      return nil
    }
    return Finding(
      "feedback", .warning, found: "the measurement takes up to \(NumberText.fixed(most)) dB of the gain",
      remedy: "Put the earpieces in firmly and measure again: auricle fit feedback.",
      repair: .none(.hearing))
  }

  /// Measured delay of the loop beside what the devices tell, or why there is no result.
  static func loop(_ outcome: Result<StatusReport.Feedback, Failure>) -> Finding {
    switch outcome {
    case .failure(let failure):
      let found = failure.found.hasPrefix("that ") ? String(failure.found.dropFirst(5)) : failure.found
      return Finding(
        "loop delay", .warning,
        found: "not measured: \(found)" + (failure.expected.map { ", expected \($0)" } ?? ""),
        remedy: failure.remedy, repair: .none(.hearing))
    case .success(let feedback):
      let text = LoopDelayText(feedback)
      let remedies = [text.meaning, text.reach].compactMap(\.self)
      return Finding(
        "loop delay", text.isHidden || text.reach != nil ? .warning : .good,
        found: [text.line, text.comparison].compactMap(\.self).joined(separator: "; "),
        remedy: remedies.isEmpty ? nil : remedies.joined(separator: " "))
    }
  }

  // MARK: - Clocks

  /// Difference of two clocks from which something is wrong with one, parts per million. Own choice: crystals differ by some ten,
  /// cheap ones by a few hundred.
  private static let unusualDrift = 500.0
  /// Share of the greatest difference from which the matcher is at its end. Own choice: its steering needs the rest.
  private static let endOfMatching = 0.9

  private static func clock(_ clock: StatusReport.Clock) -> Finding {
    if clock.isShared { return Finding("clocks", .good, found: "one for microphone and earphones") }
    guard let drift = clock.driftPPM else {
      return Finding("clocks", .good, found: "two, matched; their difference is not known yet")
    }
    let words = "two, \(NumberText.fixed(drift)) ppm apart"
    let end = ClockDrift.greatestFollowed
    if abs(drift) >= end * endOfMatching {
      return Finding(
        "clocks", .warning,
        found:
          "\(words), and matching ends at \(NumberText.fixed(end, 0)): sound breaks off again and again",
        remedy:
          "One device does not keep its rate: another port, cable or device. Microphone and earphones on one card have one clock."
      )
    }
    guard abs(drift) < unusualDrift else {
      return Finding(
        "clocks", .warning, found: "\(words), more than crystals differ",
        remedy: "Matching follows. Look at it again in a minute; if it stays, try another port or device.")
    }
    return Finding("clocks", .good, found: "\(words), matched")
  }

  // MARK: - Drop-outs

  /// - Parameter periods: Blocks of silence with which playback begins.
  private static func dropOuts(
    _ report: StatusReport, _ devices: StatusReport.Devices, periods: Int
  ) -> Finding {
    let xruns = report.meters.xruns
    let count = xruns.capture + xruns.playback
    guard count > 0 || xruns.lastCause != nil else {
      return Finding("drop-outs", .good, found: "none since the start")
    }
    let found =
      count > 0
      ? "\(count) since the start, \(NumberText.milliseconds(xruns.lostSeconds)) of sound lost"
        + (xruns.lastCause.map { ", the last by \($0)" } ?? "")
      : "no period missed, but sound broke off: \(xruns.lastCause ?? "")"
    guard report.realtime.isGranted else {
      return Finding(
        "drop-outs", .warning, found: found, remedy: "First see to real time, above.",
        repair: .none(.administrator))
    }
    let block = devices.blockFrames
    let choices = [
      block < 512 ? "device.period=\(block * 2)" : nil,
      periods < 4 ? "device.periods=\(periods + 1)" : nil,
    ].compactMap(\.self)
    return Finding(
      "drop-outs", .warning, found: found,
      remedy: choices.isEmpty
        ? "End other programs that work hard, or try another card."
        : "If there are more and more: auricle config set \(English.list(choices, "or")), then auricle reload. Both add delay."
    )
  }
}
