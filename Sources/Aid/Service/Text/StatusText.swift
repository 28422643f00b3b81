import Acoustics
import AudioIO
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
      restartLines + replacementLines + procedureLines + debugLines + recordingLines + deviceLines
      + prescriptionLines
      + fittingLines
      + programLines + streamLines
      + feedbackLines + earLines + workLines
    for (name, value) in sections { table.append([style.bold(name), value]) }
    let daemon = report.daemon
    let up = NumberText.duration(daemon.nowUnixSeconds - daemon.startedUnixSeconds)
    return "Auricle \(daemon.version), process \(daemon.pid), up \(up)\n\n" + table.text
  }

  /// One sentence, for a service manager's status line: `running, 44100 Hz, period 64`.
  package var sentence: String {
    var text = report.isTesting ? "silent" : report.state.words
    if let reason = report.state.reason { text += ": \(reason)" }
    if let stream = report.devices?.playback {
      text += ", \(stream.rateHz) Hz, period \(stream.periodFrames)"
    }
    return text
  }

  private var stateLine: String {
    let state = report.state
    let words = report.isTesting ? "silent" : state.name.words
    let mute = state.isMuted && state.name != .muted ? ", " + style.warning("muted") : ""
    let name =
      switch state.name {
      case .running: style.good(words)
      case .faulted: style.bad(words)
      case .muted, .starting, .waitingForDevice, .stopped: style.warning(words)
      }
    let reason = state.reason.map { ": \($0)" } ?? ""
    let since = Timestamp(state.sinceUnixSeconds)
    // The day only when it is another one.
    let day = since.day == Timestamp(report.daemon.nowUnixSeconds).day ? "" : since.day + " "
    return "\(name) since \(day)\(since.clock)\(mute)\(reason)"
  }

  // MARK: - Sections

  private var restartLines: [(String, String)] {
    guard let restart = report.daemon.restart else { return [] }
    let time = Timestamp(restart.unixSeconds)
    let times = restart.count == 1 ? "" : ", \(restart.count) times so far"
    let text = "started again at \(time.text) after a crash (\(restart.reason))\(times)"
    return [("", style.warning(text))]
  }

  /// Told by a command, which is of the version that is installed.
  private var replacementLines: [(String, String)] {
    guard report.daemon.replacedUnixSeconds != nil else { return [] }
    let number =
      report.daemon.version == Version.number
      ? "Another build of \(Version.number)" : "Version \(Version.number)"
    return [("", style.warning("\(number) is installed; it plays after the next start of the daemon"))]
  }

  private var procedureLines: [(String, String)] {
    guard let test = report.procedure, test.endedUnixSeconds == nil else { return [] }
    let text =
      "\(test.name), process \(test.pid), since \(Timestamp(test.beganUnixSeconds).clock), \(NumberText.percent(test.share)) done"
    return [("Test", style.warning(text))]
  }

  private var debugLines: [(String, String)] {
    guard let debug = report.debug else { return [] }
    let text =
      "\(debug.role), process \(debug.pid), until \(Timestamp(debug.untilUnixSeconds).clock): heard \(debug.heardWords)"
    return [("Debug mode", style.warning(text))] + debug.changes.map { ("", style.warning($0)) }
  }

  private var recordingLines: [(String, String)] {
    guard let recording = report.recording else { return [] }
    let who =
      recording.pid.map { "process \($0) records the sound at your ears" }
      ?? "the sound at your ears may be recorded"
    let text =
      "\(who), until \(Timestamp(recording.untilUnixSeconds).clock); to end it: auricle recording forbid"
    return [("Recording", style.warning(text))]
  }

  private var deviceLines: [(String, String)] {
    guard let devices = report.devices else { return [("Devices", "none open")] }
    var lines = [
      ("Microphone", end(devices.capture, report.calibration.microphone)),
      ("Earphones", end(devices.playback, report.calibration.earphone)),
    ]
    if let caution = report.linkCaution { lines.append(("", style.warning(caution))) }
    return lines + [("Clock", clockLine)]
  }

  private func end(
    _ stream: StatusReport.Devices.Stream, _ calibration: StatusReport.Calibration.End
  ) -> String {
    let description = stream.description.map { " (\($0))" } ?? ""
    let model = calibration.identity?.found.map { ", \($0)" } ?? ""
    return "\(stream.name)\(description)\(model), \(stream.rateHz) Hz, \(stream.format), "
      + "\(English.count(stream.channels, "channel")), \(stream.periods) × \(stream.periodFrames) frames"
      + words(calibration)
  }

  private func words(_ end: StatusReport.Calibration.End) -> String {
    let model = end.identity?.match == .same ? " on this model" : ""
    return switch end.status {
    case .verified: ", calibrated \(end.date ?? "")\(model)"
    case .provisional: ", calibration \(style.warning("provisional"))\(model)"
    case .none where end.identity?.match == .other: ", \(style.warning("not the calibrated model"))"
    case .none: ", \(style.warning("not calibrated"))"
    }
  }

  private var clockLine: String {
    guard let clock = report.clock else { return "not known" }
    if clock.isShared { return "shared" }
    guard let drift = clock.driftPPM else { return "matched, drift not known yet" }
    return "matched, drift \(NumberText.fixed(drift)) ppm"
  }

  private var fittingLines: [(String, String)] {
    let fitting = report.fitting
    let limit = "at most \(NumberText.fixed(fitting.maximumOutputDBSPL, 0)) dB SPL"
    guard fitting.isFitted else {
      return [("Fitting", style.warning("none, nothing is amplified") + ", \(limit)")]
    }
    let ratio = fitting.compressionRatio.map { " \(NumberText.fixed($0)):1" } ?? ""
    let ears = Self.place(fitting.ears)
    let bands = English.count(fitting.bandCount, "band")
    let cap = fitting.gainCapDB.map {
      ", "
        + style.warning(
          "gain held to \(NumberText.fixed($0, 0)) dB until both ends are calibrated: auricle calibrate")
    }
    let lowering = fitting.frequencyLoweringEars.map { ", frequency lowering (\(Self.place($0)))" } ?? ""
    let sound = fitting.tinnitusSoundEars.map { ", tinnitus sound (\(Self.place($0)))" } ?? ""
    let needless = fitting.needlessGainEars.map {
      ", " + style.warning("gain that an ear which hears normally does not need (\(Self.place($0)))")
    }
    let rule = "\(fitting.rule ?? "a rule")\(ratio)"
    let seen = report.ownCautions.map { ", " + style.warning("\($0) about the audiogram") }
    let cautions = (cap ?? "") + (needless ?? "") + (seen ?? "")
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
      parts.append(report.fitting.isFitted ? "no card, the configuration's audiogram" : "none in force")
    }
    if let end = prescription.trialEndsUnixSeconds {
      parts.append(style.warning("on trial until \(Timestamp(end).text)"))
    }
    if let end = prescription.developerModeUntilUnixSeconds {
      parts.append(style.warning("developer mode until \(Timestamp(end).text)"))
    }
    return [("Prescription", parts.joined(separator: ", "))]
      + prescription.notes.map { ("", style.warning($0)) }
  }

  private var programLines: [(String, String)] {
    guard let program = report.program else { return [] }
    return [("Program", ProgramText.line(program))] + (program.reason.map { [("", $0)] } ?? [])
      + program.notes.map { ("", style.warning($0)) }
  }

  private var streamLines: [(String, String)] {
    guard let stream = report.stream else { return [] }
    let line = StreamText.line(stream)
    return [("Stream", stream.state == .waiting ? style.warning(line) : line)]
  }

  private var feedbackLines: [(String, String)] {
    guard let feedback = report.feedback else { return [] }
    return FeedbackText(feedback, style: style).lines.enumerated().map { ($0 == 0 ? "Feedback" : "", $1) }
  }

  private var earLines: [(String, String)] {
    guard report.devices != nil else { return [("Right", "no sound"), ("Left", "no sound")] }
    return [("Right", ear(report.meters.right)), ("Left", ear(report.meters.left))]
  }

  private func ear(_ ear: MetersReport.Ear) -> String {
    var parts = [
      "in \(level(ear.inputLevelDBSPL, ear.inputCalibration))",
      "out \(level(ear.outputLevelDBSPL, ear.outputCalibration))",
    ]
    let gains = ear.bands.compactMap(\.gainDB)
    if let least = gains.min(), let most = gains.max() {
      parts.append("gain \(NumberText.fixed(least, 0)) to \(NumberText.fixed(most, 0)) dB")
    }
    if let share = ear.limiter.activeShare, share > 0 {
      parts.append("limited \(NumberText.percent(share)) of the time")
    }
    let clipped = ear.clipping.inputSamples + (ear.clipping.outputSamples ?? 0)
    if clipped > 0 { parts.append(style.warning("\(English.count(clipped, "sample")) clipped")) }
    if ear.nonFiniteSamples > 0 {
      parts.append(
        style.bad("\(English.count(ear.nonFiniteSamples, "block")) with samples not a number"))
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
    let realtime = report.realtime
    let memory = report.memory
    let delay = report.latency.map { latency -> (String, String) in
      // Rounded it may lie below 0, which no sound does.
      let chain = latency.chainSeconds.map { seconds in
        "of it the chain's own \(seconds < 0.000_005 ? "none" : NumberText.milliseconds(seconds))"
      }
      let loop = latency.loopSeconds.map { NumberText.milliseconds($0) } ?? "not measured yet"
      guard let measured = latency.measured else {
        let radio =
          report.playbackLink.map { ", " + style.warning("Bluetooth may add about \($0.delayWords)") } ?? ""
        return ("Delay", loop + (chain.map { ", \($0)" } ?? "") + radio)
      }
      let told = latency.loopSeconds.map { NumberText.milliseconds($0) } ?? "nothing yet"
      let day = Timestamp(measured.measuredUnixSeconds).day
      return (
        "Delay",
        "\(NumberText.milliseconds(measured.loopSeconds)), measured on \(day); the devices tell \(told)"
          + (chain.map { "; \($0)" } ?? "")
      )
    }
    let share =
      "median \(NumberText.percent(load.medianShare)), 99th percentile \(NumberText.percent(load.percentile99Share)), "
      + "most \(NumberText.percent(load.maximumShare)) of a period"
    let priority =
      realtime.isGranted
      ? "yes, \(realtime.policy) \(realtime.priority)"
      : style.bad("no") + (realtime.reason.map { ": \($0)" } ?? "")
    let lock =
      memory.isLocked ? "locked" : style.warning("not locked") + (memory.reason.map { ": \($0)" } ?? "")
    return [delay, report.devices.map { _ in ("Load", share) }].compactMap(\.self) + [
      ("Drop-outs", dropOuts), ("Real time", priority), ("Memory", lock),
    ]
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
}

extension StatusReport.State {
  /// The state in words, with a mute that is only remembered.
  var words: String { name.words + (isMuted && name != .muted ? ", muted" : "") }
}

extension StatusReport.State.Name {
  /// The state in words: `waiting for a device`.
  var words: String { self == .waitingForDevice ? "waiting for a device" : rawValue }
}

extension StatusReport {
  /// True while the aid waits for a procedure, not for a device.
  package var isTesting: Bool {
    state.name == .waitingForDevice && procedure.map { $0.endedUnixSeconds == nil } ?? false
  }

  /// `2 cautions`, about an audiogram that nobody has signed: the configuration's; nil: none.
  fileprivate var ownCautions: String? {
    prescription?.serial == nil ? fitting.audiogramCautions.map { English.count($0, "caution") } : nil
  }

  /// The Bluetooth link that the earphones are on; nil: none that the device's name tells of.
  fileprivate var playbackLink: BluetoothLink? {
    devices.flatMap { BluetoothLink(deviceName: $0.playback.name) }
  }

  fileprivate var linkCaution: String? {
    playbackLink.map { "\($0.caution(measured: latency?.measured?.loopSeconds))." }
  }

  /// Caution of an aid without a fitting; also what an answer of `auricle start` tells it by.
  package static let notFitted = "Not fitted: nothing is amplified."

  /// Cautions about the prescription, the configuration and the calibration: missing, held back or not in force, and why.
  package var cautions: [String] {
    var lines = (prescription?.notes ?? []) + (program?.notes ?? [])
    if !fitting.isFitted { lines.append(Self.notFitted) }
    for ear in fitting.needlessGainEars ?? [] {
      lines.append(
        "Caution: the \(ear) ear hears normally by its audiogram and gets gain, which it does not need."
          + " More: auricle check, or auricle rx show")
    }
    if let ownCautions {
      lines.append(
        "Caution: auricle check has \(ownCautions) about the audiogram. Let a physician or an audiologist look at it."
      )
    }
    if let cap = fitting.gainCapDB {
      lines.append("Not calibrated: gain is held to \(Int(cap)) dB, levels are estimates.")
      if let words = fitting.heldBackWords { lines.append(words) }
    } else if calibration.microphone.status == .none || calibration.earphone.status == .none {
      lines.append("Not calibrated: levels are estimates.")
    }
    for (name, end) in [("microphone", calibration.microphone), ("earphones", calibration.earphone)] {
      guard let caveat = end.caveat else { continue }
      let words = end.status == .none ? "does not count" : "is provisional"
      lines.append("Calibration of the \(name) \(words): \(caveat).")
    }
    if fitting.isFitted, fitting.maximumOutputDBSPL < OutputRoom.little {
      lines.append(
        "The limit is \(NumberText.fixed(fitting.maximumOutputDBSPL, 0)) dB SPL. \(OutputRoom.words) Another one: auricle setup"
          + " --again, or safety.maximum-output.")
    }
    if let linkCaution { lines.append("Caution: \(linkCaution)") }
    return lines
  }
}

/// Programs, volume and tone in words.
package enum ProgramText {
  /// `music, volume −2 dB, tone as prescribed`, without a full stop.
  package static func line(_ report: ProgramReport) -> String {
    let program = report.chosen == "automatic" ? "automatic, now \(report.name)" : report.name
    return "\(program), volume \(words(report.volume.valueDB)), tone \(words(report.tone.valueDB))"
  }

  /// `+2 dB`, `−3 dB`, `as prescribed`.
  package static func words(_ value: Double) -> String {
    value == 0 ? "as prescribed" : "\(NumberText.signed(value)) dB"
  }

  /// `−10 to +4 dB`.
  package static func range(_ adjustment: ProgramReport.Adjustment) -> String {
    "\(NumberText.signed(adjustment.leastDB)) to \(NumberText.signed(adjustment.mostDB)) dB"
  }
}
