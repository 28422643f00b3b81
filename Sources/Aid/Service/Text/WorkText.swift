import AudioIO
import Base

/// Delay, load, drop-outs, priority and memory in words, for people.
struct WorkText: Sendable {
  private let report: StatusReport
  private let style: Style

  init(_ report: StatusReport, style: Style) {
    self.report = report
    self.style = style
  }

  /// Lines for the status, each with its name.
  var lines: [(String, String)] {
    let lines: [(name: String, words: String?)] = [
      ("Delay", delay), ("Load", load), ("Drop-outs", dropOuts), ("Real time", priority),
      ("Memory", memory),
    ]
    return lines.compactMap { line in line.words.map { (line.name, $0) } }
  }

  /// Nil while no sound flows.
  private var delay: String? {
    guard let latency = report.latency else { return nil }
    if let measured = latency.measuredWords { return measured }
    let radio =
      report.playbackLink.map { ", " + style.warning("Bluetooth may add about \($0.delayWords)") } ?? ""
    return (latency.loopSeconds.map { NumberText.milliseconds($0) } ?? "not measured yet")
      + (latency.chainClause.map { ", \($0)" } ?? "") + radio
  }

  /// Nil while no devices are open.
  private var load: String? {
    guard report.devices != nil else { return nil }
    let load = report.meters.load
    return
      "median \(NumberText.percent(load.medianShare)), 99th percentile \(NumberText.percent(load.percentile99Share)), "
      + "most \(NumberText.percent(load.maximumShare)) of a period"
  }

  private var dropOuts: String {
    let xruns = report.meters.xruns
    guard xruns.capture + xruns.playback > 0 else {
      // The loss of a device misses no period.
      return xruns.lastCause.map { style.warning("no period missed, but sound broke off: \($0)") } ?? "none"
    }
    let cause = xruns.lastCause.map { ", last: \($0)" } ?? ""
    return style.warning(
      "\(xruns.capture) in capture, \(xruns.playback) in playback, "
        + "\(NumberText.milliseconds(xruns.lostSeconds)) lost\(cause)")
  }

  private var priority: String {
    let realtime = report.realtime
    return realtime.isGranted
      ? "yes, \(realtime.policy) \(realtime.priority)"
      : style.bad("no") + (realtime.reason.map { ": \($0)" } ?? "")
  }

  private var memory: String {
    let memory = report.memory
    return memory.isLocked
      ? "locked" : style.warning("not locked") + (memory.reason.map { ": \($0)" } ?? "")
  }
}

extension StatusReport.Latency {
  /// `0.38 ms`, `none`: the chain's own delay; nil for those who have no role.
  var chainWords: String? {
    // Rounded it may lie below 0, which no sound does.
    chainSeconds.map { $0 < 0.000_005 ? "none" : NumberText.milliseconds($0) }
  }

  /// `168.30 ms, measured on 2026-01-31; the devices tell 5.14 ms; of it the chain's own 0.38 ms`; nil: nobody has measured it.
  var measuredWords: String? {
    measured.map { measured in
      let told = loopSeconds.map { NumberText.milliseconds($0) } ?? "nothing yet"
      let time = NumberText.milliseconds(measured.loopSeconds)
      let day = Timestamp(measured.measuredUnixSeconds).day
      return "\(time), measured on \(day); the devices tell \(told)"
        + (chainClause.map { "; \($0)" } ?? "")
    }
  }

  /// `of it the chain's own 0.38 ms`, behind the loop's delay; nil for those who have no role.
  var chainClause: String? { chainWords.map { "of it the chain's own \($0)" } }
}
