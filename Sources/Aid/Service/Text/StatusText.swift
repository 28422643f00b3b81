import Acoustics
import Base

/// A status report in words, for people; nobody should parse it.
package struct StatusText: Sendable {
  private let report: StatusReport
  private let style: Style
  private let installed: String?

  /// - Parameter installed: Version of the program on the disk; by default this program's, as of a command. Nil: not known.
  package init(_ report: StatusReport, style: Style = .plain, installed: String? = Version.number) {
    self.report = report
    self.style = style
    self.installed = installed
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
      + feedbackLines + earLines + WorkText(report, style: style).lines + withheldLines
    for (name, value) in sections { table.append([style.bold(name), value]) }
    let daemon = report.daemon
    let up = NumberText.duration(daemon.nowUnixSeconds - daemon.startedUnixSeconds)
    return "Auricle \(daemon.version), process \(daemon.pid), up \(up)\n\n" + table.text
  }

  /// One sentence, for a service manager's status line: `running, 44100 Hz, period 64`.
  package var sentence: String {
    var text = report.isTesting ? "silent" : report.state.words
    if let reason = report.state.reason { text += ": \(reason)" }
    if let devices = report.devices {
      text += ", \(devices.playback.rateHz) Hz, period \(devices.blockFrames)"
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

  private var replacementLines: [(String, String)] {
    guard report.daemon.replacedUnixSeconds != nil else { return [] }
    let number =
      installed.map { $0 == report.daemon.version ? "Another build of \($0)" : "Version \($0)" }
      ?? "Another version or build"
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
    lines += report.silentDevices.map { ("", style.warning($0)) }
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
    guard let clock = report.clock else {
      return report.isTesting ? "not known while a test plays" : "not known"
    }
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
    // Whoever has no role is told neither rule nor ears.
    let ears = fitting.ears.isEmpty ? "" : ", \(Self.place(fitting.ears))"
    let bands = English.count(fitting.bandCount, "band")
    let cap = fitting.gainCapDB.map {
      ", "
        + style.warning(
          "gain held to \(NumberText.fixed($0, 0)) dB until both ends are calibrated: auricle calibrate")
    }
    let lowering = fitting.frequencyLoweringEars.map { ", frequency lowering (\(Self.place($0)))" } ?? ""
    let sound = fitting.tinnitusSoundEars.map { ", tinnitus sound (\(Self.place($0)))" } ?? ""
    let heldBack = fitting.heldBackTinnitusSoundEars.map {
      ", "
        + style.warning(
          "tinnitus sound left out until the earphone is calibrated (\(Self.place($0))): auricle calibrate")
    }
    let needless = fitting.needlessGainEars.map {
      ", " + style.warning("gain that an ear which hears normally does not need (\(Self.place($0)))")
    }
    let rule = "\(fitting.rule ?? "fitted")\(ratio)"
    let seen = report.ownCautions.map { ", " + style.warning("\($0) about the audiogram") }
    let cautions = (heldBack ?? "") + (cap ?? "") + (needless ?? "") + (seen ?? "")
    return [("Fitting", "\(rule)\(ears), \(bands), \(limit)\(lowering)\(sound)\(cautions)")]
      + (report.limitCaution.map { [("", style.warning($0))] } ?? [])
  }

  /// "both ears", "left ear".
  static func place(_ ears: [String]) -> String {
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
    var parts = levels(ear)
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

  /// Levels of an ear, of which that in it is an upper bound (``MetersReport/Ear/outputLevelDBSPL``); in their place the reason for which
  /// none is measured.
  private func levels(_ ear: MetersReport.Ear) -> [String] {
    guard !report.isTesting else { return ["a test plays"] }
    guard report.state.name == .running || report.state.name == .muted else { return ["not measured now"] }
    let input = "in \(level(ear.inputLevelDBSPL, ear.inputCalibration))"
    guard !report.isWithheld else { return [input] }
    let bound = ear.outputLevelDBSPL == nil ? "" : "at most "
    return [input, "out \(bound)\(level(ear.outputLevelDBSPL, ear.outputCalibration))"]
  }

  private var withheldLines: [(String, String)] {
    report.isWithheld ? [("More", "for those who have a role: auricle status --as audiologist")] : []
  }

  /// A level that was not calibrated says so wherever it is shown.
  private func level(_ level: Double?, _ status: CalibrationStatus) -> String {
    level.map { "\(NumberText.fixed($0)) dB SPL\(status.levelMark)" } ?? "silence"
  }
}

extension CalibrationStatus {
  /// Mark behind a level; empty where it was calibrated.
  var levelMark: String {
    switch self {
    case .verified: ""
    case .provisional: " (provisional)"
    case .none: " (assumed)"
    }
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
}
