import Acoustics
import Base

/// A status report in words, for people; nobody should parse it.
package struct StatusText: Sendable {
  private let report: StatusReport
  private let style: Style

  package init(_ report: StatusReport, style: Style = .plain) {
    self.report = report
    self.style = style
  }

  /// Several lines with their breaks.
  package var text: String {
    var table = TextTable([.leading, .leading])
    table.append([style.bold("State"), stateLine])
    let sections =
      restartLines + procedureLines + deviceLines + prescriptionLines + fittingLines + programLines
      + feedbackLines + earLines + workLines
    for (name, value) in sections {
      table.append([style.bold(name), value])
    }
    let daemon = report.daemon
    let up = NumberText.duration(daemon.now - daemon.started)
    return "Auricle \(daemon.version), process \(daemon.processID), up \(up)\n\n" + table.text
  }

  /// One sentence, for a service manager's status line: `running, 44100 Hz, period 64`.
  package var sentence: String {
    var text = isTesting ? "silent" : report.state.words
    if let reason = report.state.reason { text += ": \(reason)" }
    if let stream = report.devices?.playback { text += ", \(stream.rate) Hz, period \(stream.period)" }
    return text
  }

  /// True while the aid waits for a procedure, not for a device.
  private var isTesting: Bool {
    report.state.name == .waitingForDevice && report.procedure.map { $0.ended == nil } ?? false
  }

  private var stateLine: String {
    let state = report.state
    let words = isTesting ? "silent" : state.name.words
    let mute = state.isMuted && state.name != .muted ? ", " + style.warning("muted") : ""
    let name =
      switch state.name {
      case .running: style.good(words)
      case .faulted: style.bad(words)
      case .muted, .starting, .waitingForDevice, .stopped: style.warning(words)
      }
    let reason = state.reason.map { ": \($0)" } ?? ""
    let since = Timestamp(state.since)
    // The day only when it is another one.
    let day = since.day == Timestamp(report.daemon.now).day ? "" : since.day + " "
    return "\(name) since \(day)\(since.clock)\(mute)\(reason)"
  }

  // MARK: - Sections

  private var restartLines: [(String, String)] {
    guard let restart = report.daemon.restart else { return [] }
    let time = Timestamp(restart.time)
    let times = restart.count == 1 ? "" : ", \(restart.count) times so far"
    let text = "started again at \(time.text) after a crash (\(restart.reason))\(times)"
    return [("", style.warning(text))]
  }

  private var procedureLines: [(String, String)] {
    guard let test = report.procedure, test.ended == nil else { return [] }
    let text =
      "\(test.name), process \(test.processID), since \(Timestamp(test.began).clock), \(NumberText.percent(test.share)) done"
    return [("Test", style.warning(text))]
  }

  private var deviceLines: [(String, String)] {
    guard let devices = report.devices else { return [("Devices", "none open")] }
    return [
      ("Microphone", stream(devices.capture) + calibration(report.calibration.microphone)),
      ("Earphones", stream(devices.playback) + calibration(report.calibration.earphone)),
      ("Clock", clockLine),
    ]
  }

  private func stream(_ stream: StatusReport.Devices.Stream) -> String {
    let description = stream.description.map { " (\($0))" } ?? ""
    return "\(stream.name)\(description), \(stream.rate) Hz, \(stream.format), "
      + "\(English.count(stream.channels, "channel")), \(stream.periods) × \(stream.period) frames"
  }

  private func calibration(_ end: StatusReport.Calibration.End) -> String {
    switch end.status {
    case .verified: ", calibrated \(end.date ?? "")"
    case .provisional: ", calibration \(style.warning("provisional"))"
    case .none: ", \(style.warning("not calibrated"))"
    }
  }

  private var clockLine: String {
    guard let clock = report.clock else { return "not known" }
    if clock.isShared { return "shared" }
    guard let drift = clock.drift else { return "matched, drift not known yet" }
    return "matched, drift \(NumberText.fixed(drift)) ppm"
  }

  private var fittingLines: [(String, String)] {
    let fitting = report.fitting
    let limit = "at most \(NumberText.fixed(fitting.maximumOutput, 0)) dB SPL"
    guard fitting.isFitted else {
      return [("Fitting", style.warning("none, nothing is amplified") + ", \(limit)")]
    }
    let ratio = fitting.compressionRatio.map { " \(NumberText.fixed($0)):1" } ?? ""
    let ears = Self.place(fitting.ears)
    let bands = English.count(fitting.bandCount, "band")
    let cap = fitting.gainCap.map {
      ", " + style.warning("gain held to \(NumberText.fixed($0, 0)) dB until both ends are calibrated")
    }
    let lowering = fitting.loweringEars.map { ", frequency lowering (\(Self.place($0)))" } ?? ""
    let sound = fitting.tinnitusSoundEars.map { ", tinnitus sound (\(Self.place($0)))" } ?? ""
    let needless = fitting.needlessGainEars.map {
      ", " + style.warning("gain that an ear which hears normally does not need (\(Self.place($0)))")
    }
    let rule = "\(fitting.rule ?? "a rule")\(ratio)"
    let cautions = (cap ?? "") + (needless ?? "")
    return [("Fitting", "\(rule), \(ears), \(bands), \(limit)\(lowering)\(sound)\(cautions)")]
  }

  /// "both ears", "left ear".
  private static func place(_ ears: [String]) -> String {
    ears.count == 2 ? "both ears" : "\(English.list(ears, "and")) ear"
  }

  private var prescriptionLines: [(String, String)] {
    guard let prescription = report.prescription else { return [] }
    var parts: [String] = []
    if let serial = prescription.serial {
      let place =
        "for \(prescription.environment ?? "everywhere") from \(prescription.clinic ?? "a clinic")"
      parts.append(
        prescription.number.map { "number \($0) \(place) (serial \(serial))" }
          ?? "serial \(serial) \(place)")
    } else {
      parts.append("none heard")
    }
    if let end = prescription.trialEnds {
      parts.append(style.warning("on trial until \(Timestamp(end).text)"))
    }
    if let end = prescription.developerMode {
      parts.append(style.warning("developer mode until \(Timestamp(end).text)"))
    }
    return [("Prescription", parts.joined(separator: ", "))]
      + prescription.notes.map { ("", style.warning($0)) }
  }

  private var programLines: [(String, String)] {
    guard let program = report.program else { return [] }
    return [("Program", ProgramText(program, style: style).line)]
      + [program.reason].compactMap(\.self).map { ("", $0) }
      + program.notes.map { ("", style.warning($0)) }
  }

  private var feedbackLines: [(String, String)] {
    guard let feedback = report.feedback else { return [] }
    return FeedbackText(feedback, style: style).lines.enumerated().map { ($0 == 0 ? "Feedback" : "", $1) }
  }

  private var earLines: [(String, String)] {
    guard report.devices != nil else { return [("Left", "no sound"), ("Right", "no sound")] }
    return [("Left", ear(report.meters.left)), ("Right", ear(report.meters.right))]
  }

  private func ear(_ ear: MetersReport.Ear) -> String {
    var parts = [
      "in \(level(ear.inputLevel, ear.inputCalibration))",
      "out \(level(ear.outputLevel, ear.outputCalibration))",
    ]
    let gains = ear.bands.compactMap(\.gain)
    if let least = gains.min(), let most = gains.max() {
      parts.append("gain \(NumberText.fixed(least, 0)) to \(NumberText.fixed(most, 0)) dB")
    }
    if ear.limiter.activeShare > 0 {
      parts.append("limited \(NumberText.percent(ear.limiter.activeShare)) of the time")
    }
    let clipped = ear.clipping.input + ear.clipping.output
    if clipped > 0 { parts.append(style.warning("\(English.count(clipped, "sample")) clipped")) }
    if ear.nonFiniteSamples > 0 {
      parts.append(style.bad("\(English.count(ear.nonFiniteSamples, "sample")) not a number"))
    }
    return parts.joined(separator: ", ")
  }

  /// A level that was not calibrated says so wherever it is shown.
  private func level(_ level: Double?, _ status: CalibrationStatus) -> String {
    guard let level else { return "silence" }
    let mark =
      switch status {
      case .verified: ""
      case .provisional: " (provisional)"
      case .none: " (assumed)"
      }
    return "\(NumberText.fixed(level)) dB SPL\(mark)"
  }

  private var workLines: [(String, String)] {
    let load = report.meters.load
    let xruns = report.meters.xruns
    var lines: [(String, String)] = []
    if let latency = report.latency {
      let loop = latency.loop.map { NumberText.milliseconds($0) } ?? "not measured yet"
      // Rounded it may lie below 0, which no sound does.
      let chain = latency.chain < 0.000_005 ? "none" : NumberText.milliseconds(latency.chain)
      lines.append(("Delay", "\(loop), of it the chain's own \(chain)"))
    }
    if report.devices != nil {
      lines.append(
        (
          "Load",
          "median \(NumberText.percent(load.median)), 99th percentile \(NumberText.percent(load.percentile99)), "
            + "most \(NumberText.percent(load.maximum)) of a period"
        ))
    }
    let count = xruns.capture + xruns.playback
    if count == 0 {
      // The loss of a device misses no period.
      let loss = xruns.lastCause.map { style.warning("no period missed, but sound broke off: \($0)") }
      lines.append(("Drop-outs", loss ?? "none"))
    } else {
      let cause = xruns.lastCause.map { ", last: \($0)" } ?? ""
      let text =
        "\(xruns.capture) in capture, \(xruns.playback) in playback, "
        + "\(NumberText.milliseconds(xruns.lost)) lost\(cause)"
      lines.append(("Drop-outs", style.warning(text)))
    }
    let realtime = report.realtime
    lines.append(
      (
        "Real time",
        realtime.isGranted
          ? "yes, \(realtime.policy) \(realtime.priority)"
          : style.bad("no") + (realtime.reason.map { ": \($0)" } ?? "")
      ))
    let memory = report.memory
    lines.append(
      (
        "Memory",
        memory.isLocked ? "locked" : style.warning("not locked") + (memory.reason.map { ": \($0)" } ?? "")
      ))
    return lines
  }
}

extension StatusReport.State {
  /// The state in words, with a mute that is only remembered.
  var words: String { name.words + (isMuted && name != .muted ? ", muted" : "") }
}

extension StatusReport.State.Name {
  /// The state in words: `waiting for a device`.
  var words: String { self == .waitingForDevice ? "waiting for a device" : rawValue }
}
