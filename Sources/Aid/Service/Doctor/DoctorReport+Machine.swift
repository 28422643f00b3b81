import Acoustics
import Base
import Control
import Engine
import Fitting
import Realtime

extension DoctorReport {
  /// Examines a machine: one finding per fact, in the order in which sound depends on them.
  ///
  /// - Parameter loop: Outcome of a measurement of the loop's delay; nil, the default: none was asked for.
  package init(_ machine: Machine, loop: Result<StatusReport.Feedback, Failure>? = nil) {
    var findings: [Finding] = []
    switch machine.configuration {
    case .success(let loaded):
      let prescription = Self.bookPrescription(machine)
      let settings = Result { () throws(ConfigurationFailures) in
        try AidSettings.reading(loaded, isAudiogramHeard: prescription == nil)
      }
      findings += Self.configuration(loaded, settings, prescription: prescription, machine)
      findings += Self.devices(machine, loaded)
    case .failure(let error):
      // Which devices it names is not known.
      findings += error.failures.map { Self.finding("configuration", $0) } + [Self.cards(machine)]
    }
    findings += Self.priority(machine) + Self.kernel(machine) + Self.daemon(machine)
    findings += Self.sound(machine)
    findings += loop.map { [Self.loop($0)] } ?? []
    findings += Self.files(machine)
    self.init(
      findings: findings,
      loop: (try? loop?.get()).map { Loop(left: $0.left.delay, right: $0.right.delay) })
  }

  static func finding(_ subject: String, _ failure: Failure) -> Finding {
    let expected = failure.expected.map { ", expected \($0)" } ?? ""
    return Finding(
      subject, .bad, found: "\(failure.subject): \(failure.found)\(expected)", remedy: failure.remedy)
  }

  // MARK: - Configuration

  private static func configuration(
    _ loaded: LoadedConfiguration,
    _ settings: Result<(settings: AidSettings, leftOut: Failure?), ConfigurationFailures>,
    prescription: Finding?, _ machine: Machine
  ) -> [Finding] {
    let file =
      loaded.file.map { Finding("configuration", .good, found: $0) }
      ?? Finding(
        "configuration", .warning, found: "no file, all values are defaults",
        remedy: "By questions with auricle setup, or a file to edit: mkdir -p ~/.config/auricle && "
          + "auricle config reference > ~/.config/auricle/auricle.toml")
    if let report = machine.report, let other = machine.otherFile {
      var findings = [file]
      if case .failure(let error) = settings {
        findings += error.failures.map { finding("configuration", $0) }
      }
      findings += [otherFile(other), prescription ?? heardPrescription(report)]
      return findings + calibration(report) + limit(report.fitting.maximumOutputDBSPL)
    }
    switch settings {
    case .failure(let error): return [file] + error.failures.map { finding("prescription", $0) }
    case .success(let (settings, leftOut)):
      return [file, prescription ?? configuredPrescription(settings.hearing, loaded)]
        + audiogram(leftOut, isUnknown: isPrescriptionUnknown(machine))
        + calibration(settings.hearing.calibrated(for: loaded).countingVolumes(on: loaded))
        + limit(settings.hearing.outputCeiling.decibels)
    }
  }

  /// A daemon that has another configuration than the one that is examined.
  private static func otherFile(_ file: String) -> Finding {
    Finding(
      "configuration", .warning,
      found: file == Machine.noFile
        ? "the daemon has none, all its values are defaults" : "the daemon has another one, \(file)",
      remedy: "Prescription, calibration and limit, below, are the daemon's. "
        + (file == Machine.noFile
          ? "To let it read this one: auricle reload, or start it with --config."
          : "To examine its file: auricle doctor --config \(file.shellWord)"))
  }

  /// An audiogram of the configuration that cannot be read and is not heard, or need not be; nothing otherwise.
  private static func audiogram(_ leftOut: Failure?, isUnknown: Bool) -> [Finding] {
    guard let leftOut else { return [] }
    let found = "\(leftOut.subject): \(leftOut.found); "
    guard !isUnknown else {
      return [
        Finding(
          "audiogram", .warning, found: found + "it is unknown if the prescription book replaces it",
          remedy:
            "See if a card is in force: auricle rx show. Without one no aid starts until this file is there, "
            + "or another one is named: auricle config set hearing.audiogram=FILE")
      ]
    }
    return [
      Finding(
        "audiogram", .warning, found: found + "the prescription book says what is heard",
        remedy: "Name another one, or none: auricle config unset hearing.audiogram")
    ]
  }

  /// The book's prescription, which replaces the configuration's audiogram; nil when no daemon reports one, or when the
  /// configuration's is in force because the book never held any.
  private static func bookPrescription(_ machine: Machine) -> Finding? {
    guard let report = machine.report else { return closedBookPrescription(machine) }
    guard !report.isWithheld else { return withheldPrescription(report) }
    guard let prescription = report.prescription else { return nil }
    let notes = prescription.notes.joined(separator: " ")
    guard let serial = prescription.serial else {
      if report.fitting.isFitted, notes.isEmpty { return nil }
      return Finding(
        "prescription", .warning, found: "none in force, so nothing is amplified",
        remedy: notes.isEmpty ? "Scan a card: auricle rx scan" : notes, repair: .none(.hearing))
    }
    let words =
      "serial \(serial) for \(prescription.environment ?? "everywhere") from \(prescription.clinic ?? "a clinic")"
    return Finding(
      "prescription", notes.isEmpty ? .good : .warning, found: words, remedy: notes.isEmpty ? nil : notes,
      repair: .none(.hearing))
  }

  /// The prescription of a daemon that tells nothing of it to this user.
  private static func withheldPrescription(_ report: StatusReport) -> Finding {
    guard !report.fitting.isFitted else {
      return Finding("prescription", .good, found: "one is in force, told to those who have a role alone")
    }
    return Finding(
      "prescription", .warning, found: "none in force, so nothing is amplified",
      remedy: "Why is told to those who have a role: auricle doctor --as audiologist",
      repair: .none(.hearing))
  }

  /// The prescription as a daemon has it whose configuration is another one than the one that is examined, and whose book has none.
  private static func heardPrescription(_ report: StatusReport) -> Finding {
    let fitting = report.fitting
    guard fitting.isFitted else {
      return Finding(
        "prescription", .warning, found: "none in force, so nothing is amplified",
        remedy: "Scan a card: auricle rx scan", repair: .none(.hearing))
    }
    let words = "\(fitting.rule ?? "fitted"), \(StatusText.place(fitting.ears))"
    return audiogramPrescription(words, cautions: fitting.audiogramCautions ?? 0)
  }

  /// The prescription of a book that no daemon has open, whose content is the daemon's to read; nil where there was never
  /// a card, so that the configuration's audiogram is heard.
  private static func closedBookPrescription(_ machine: Machine) -> Finding? {
    switch machine.book {
    case .absent: return nil
    case .newer, .unreadable:
      return Finding(
        "prescription", .warning, found: "in a book of cards that cannot be read",
        remedy: "Until it can be, the last one that was heard is in force, or none. See the book below.",
        repair: .none(.hearing))
    case .current, .older, .inUse:
      guard let hasCards = machine.hasCards else {
        return Finding(
          "prescription", .warning, found: "a book of cards, which may have none",
          remedy: "Whether one is in force tells: auricle rx show", repair: .none(.hearing))
      }
      guard hasCards else { return nil }
      return Finding("prescription", .good, found: "in the book of cards; to see it: auricle rx show")
    }
  }

  /// True where the configuration's audiogram may be what is heard: it is unknown if the book has a card.
  private static func isPrescriptionUnknown(_ machine: Machine) -> Bool {
    if let report = machine.report { return report.isWithheld }
    return switch machine.book {
    case .absent, .newer, .unreadable: false
    case .current, .older, .inUse: machine.hasCards == nil
    }
  }

  private static func configuredPrescription(
    _ hearing: HearingSettings, _ loaded: LoadedConfiguration
  ) -> Finding {
    let ears = hearing.fittedEars.map(\.rawValue)
    guard !ears.isEmpty else {
      return Finding(
        "prescription", .warning, found: "no audiogram, so nothing is amplified",
        remedy:
          "Scan a card: auricle rx scan; or name an audiogram: auricle config set hearing.audiogram=FILE",
        repair: .none(.hearing))
    }
    let words = "\(loaded.configuration.hearing.rule.identifier), \(StatusText.place(ears))"
    // Counted, not told: what doctor prints is sent to others for help.
    return audiogramPrescription(words, cautions: hearing.findings.count { $0.severity == .caution })
  }

  /// A prescription that is worked out from an audiogram.
  private static func audiogramPrescription(_ words: String, cautions: Int) -> Finding {
    guard cautions > 0 else { return Finding("prescription", .good, found: words) }
    return Finding(
      "prescription", .warning,
      found: "\(words); \(English.count(cautions, "caution")) about the audiogram",
      remedy: "auricle check says which. Let a physician or an audiologist look at them.",
      repair: .none(.hearing))
  }

  /// A limit so low that nothing can be amplified; nothing otherwise.
  ///
  /// - Parameter limit: dB SPL.
  private static func limit(_ limit: Double) -> [Finding] {
    guard limit < OutputRoom.little else { return [] }
    return [
      Finding(
        "greatest output", .warning, found: "\(limit.shortText) dB SPL. \(OutputRoom.words)",
        remedy: "Find it again: auricle setup --again; or set safety.maximum-output.",
        repair: .none(.hearing))
    ]
  }

  private static func calibration(_ hearing: HearingSettings) -> [Finding] {
    let ears = hearing.earphones.earCheck.map { check in
      "; " + (check.outliers.isEmpty ? "checked" : "contradicted")
        + " by \(English.count(check.ears, "ear")), \(check.date)"
    }
    let (microphone, earphone) = (hearing.microphones.device, hearing.earphones.device)
    return [
      calibration("microphone", .init(microphone), by: microphone.source, cap: hearing.gainCap),
      calibration(
        "earphones", .init(earphone), by: earphone.source, checked: ears ?? "", cap: hearing.gainCap),
    ]
  }

  /// That of the daemon, which does not tell where levels are from that were not measured.
  private static func calibration(_ report: StatusReport) -> [Finding] {
    let cap = report.fitting.gainCapDB
    return [
      calibration("microphone", report.calibration.microphone, cap: cap),
      calibration("earphones", report.calibration.earphone, cap: cap),
    ]
  }

  /// - Parameters:
  ///   - source: Of levels that were not measured; nil: not known.
  ///   - checked: Outcome of a check by ears, a clause with its semicolon.
  ///   - cap: Greatest gain while an end is not calibrated, dB; nil: none is held back.
  private static func calibration(
    _ name: String, _ end: StatusReport.Calibration.End, by source: String? = nil, checked: String = "",
    cap: Double?
  ) -> Finding {
    let subject = "calibration, \(name)"
    let command = name == "microphone" ? "microphone" : "earphone"
    let device = end.device.flatMap { $0 == DeviceCalibration.unknown.device ? nil : $0 }
    switch end.status {
    case .verified:
      return Finding(
        subject, .good, found: "verified, \(end.device ?? "no device"), \(end.date ?? "no date")\(checked)")
    case .provisional:
      return Finding(
        subject, .warning,
        found: "provisional, \(device ?? "device not named")" + (source.map { ", by: \($0)" } ?? "")
          + checked + (end.caveat.map { ": \($0)" } ?? ""),
        remedy: "Levels may be some dB off; measure them: auricle calibrate \(command)",
        repair: .none(.hearing))
    case .none:
      return Finding(
        subject, .warning,
        found: "none: \(end.caveat ?? "levels in dB SPL are guesses")"
          + (cap.map { "; gain is held to \(Int($0)) dB" } ?? ""),
        remedy:
          "Measure them: auricle calibrate \(command); or set [calibration.\(command)] from a data sheet, as auricle.toml(5) shows.",
        repair: .none(.hearing))
    }
  }

  // MARK: - Priority

  private static func priority(_ machine: Machine) -> [Finding] {
    let isRealtime: Bool
    let found: String
    // While it has no thread, a daemon of this user will have what this command is granted.
    if let realtime = machine.report?.realtime, realtime.hasThread || machine.isAnothers {
      guard realtime.hasThread else {
        // It says nothing of another user's, as of the service, which has limits of its own.
        let found = "not known of the daemon: \(StatusReport.Realtime.noThread)"
        return [Finding("real time", .good, found: found), memory(machine)]
      }
      isRealtime = realtime.isGranted
      found =
        "the daemon has "
        + (isRealtime
          ? "\(realtime.policy) \(realtime.priority)" : "none: \(realtime.reason ?? "no reason given")")
    } else {
      isRealtime = machine.scheduling?.isRealtime == true
      let words = machine.scheduling.map { "\($0)" } ?? "no thread can be made to try it"
      found = isRealtime ? "granted, \(words)" : words
    }
    return [
      Finding(
        "real time", isRealtime ? .good : .warning, found: found, remedy: isRealtime ? nil : priorityRemedy,
        repair: .none(.administrator)),
      memory(machine),
    ]
  }

  private static func memory(_ machine: Machine) -> Finding {
    let isLocked: Bool
    let found: String
    if let memory = machine.report?.memory {
      isLocked = memory.isLocked
      found =
        isLocked
        ? "the daemon's is locked" : "the daemon's is not locked" + (memory.reason.map { ": \($0)" } ?? "")
    } else {
      isLocked = if case .refused = machine.memory { false } else { true }
      found = "\(machine.memory)"
    }
    guard !isLocked else { return Finding("memory", .good, found: found) }
    return Finding(
      "memory", .warning, found: found,
      remedy: "Sound can drop out when memory is short. Write \"@audio - memlock unlimited\" into"
        + " /etc/security/limits.d/95-auricle.conf and log in again.", repair: .none(.administrator))
  }

  private static let priorityRemedy =
    "Sound can drop out under load. Write \"@audio - rtprio 80\" into /etc/security/limits.d/95-auricle.conf, join"
    + " the group audio, and log in again; or use the system service."

  // MARK: - Kernel

  private static func kernel(_ machine: Machine) -> [Finding] {
    let governor =
      switch machine.governor {
      case nil: Finding("processor speed", .good, found: "not adjustable from here")
      case "performance": Finding("processor speed", .good, found: "governor performance")
      case .some(let name):
        Finding(
          "processor speed", .warning, found: "governor \(name), which may slow down between blocks",
          remedy: "As root: cpupower frequency-set -g performance", repair: .none(.administrator))
      }
    let words = machine.kernel.split(separator: " ")
    let isRealtime = machine.isRealtimeKernel || words.contains("PREEMPT_RT")
    let preemption =
      isRealtime
      ? "fully preemptible, PREEMPT_RT"
      : words.first { $0.hasPrefix("PREEMPT") }.map { "preemptible, \($0)" }
    return [
      governor,
      preemption.map { Finding("kernel", .good, found: $0) }
        ?? Finding(
          "kernel", .warning, found: "not known to be preemptible",
          remedy: "If sound drops out, use longer periods or a kernel with PREEMPT_RT.",
          repair: .none(.administrator)),
    ]
  }

  // MARK: - Daemon

  private static func daemon(_ machine: Machine) -> [Finding] {
    switch machine.daemon {
    case .failure(let failure) where failure.exitStatus == .unavailable:
      return [
        Finding(
          "daemon", .warning, found: "not running",
          remedy: "\(machine.start.request): \(machine.start.command)", repair: .none(.hearing))
      ]
    case .failure(let failure):
      return [Finding("daemon", .bad, found: failure.found, remedy: failure.remedy)]
    case .success(let report):
      let sentence = "process \(report.daemon.pid), \(StatusText(report).sentence)"
      let verdict: Finding.Verdict =
        switch report.state.name {
        case .running: .good
        case .muted, .stopped, .starting, .waitingForDevice: .warning
        case .faulted: .bad
        }
      let daemon = Finding("daemon", verdict, found: sentence)
      let buffers = report.devices?.buffersSeconds(periods: machine.periods) ?? 0
      return [daemon] + (report.latency.map { [delay($0, buffers: buffers)] } ?? [])
    }
  }

  /// Longest delay that is good, s. Own choice: it leaves room above the 6 ms of the default settings and stays below what wearers with
  /// open ears are said to notice in their own voice.
  private static let longestDelay = 0.010

  /// Delay as it was measured, beside what the devices tell; where nobody has measured it, what they tell alone.
  ///
  /// - Parameter buffers: Part of it that grows with the block, s.
  private static func delay(_ latency: StatusReport.Latency, buffers: Double) -> Finding {
    let found =
      if let measured = latency.measuredWords {
        measured
      } else if let loop = latency.loopSeconds {
        NumberText.milliseconds(loop) + (latency.chainClause.map { ", \($0)" } ?? "")
      } else {
        "not measured yet" + (latency.chainWords.map { "; the chain's own is \($0)" } ?? "")
      }
    guard let loop = latency.measured?.loopSeconds ?? latency.loopSeconds, loop > longestDelay else {
      return Finding("delay", .good, found: found)
    }
    // Shorter periods take nothing away but a part of the buffers, and the buffers are no more than what the devices tell.
    guard loop - min(buffers, latency.loopSeconds ?? buffers) > longestDelay else {
      return Finding("delay", .warning, found: found, remedy: "Make device.period smaller.")
    }
    let untold = loop - (latency.loopSeconds ?? 0)
    return Finding(
      "delay", .warning, found: found,
      remedy: untold > LoopDelayText.ordinary
        ? LoopDelayText.hidden
        : "Most of it lies behind the buffers of the devices: a sound server, a plugin or a radio link. auricle devices"
          + " lists the others.")
  }
}
