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
      findings += Self.configuration(
        loaded, settings, prescription: prescription, isUnknown: Self.isPrescriptionUnknown(machine))
      findings += Self.devices(machine, loaded)
    case .failure(let error):
      // Which devices it names is not known.
      findings += error.failures.map { Self.finding("configuration", $0) } + [Self.cards(machine)]
    }
    findings += Self.priority(machine) + Self.kernel(machine) + Self.daemon(machine)
    findings += machine.report.map(Self.sound) ?? []
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

  /// - Parameter isUnknown: True where the configuration's audiogram may be what is heard.
  private static func configuration(
    _ loaded: LoadedConfiguration,
    _ settings: Result<(settings: AidSettings, leftOut: Failure?), ConfigurationFailures>,
    prescription: Finding?, isUnknown: Bool
  ) -> [Finding] {
    let file =
      loaded.file.map { Finding("configuration", .good, found: $0) }
      ?? Finding(
        "configuration", .warning, found: "no file, all values are defaults",
        remedy: "By questions with auricle setup, or a file to edit: mkdir -p ~/.config/auricle && "
          + "auricle config reference > ~/.config/auricle/auricle.toml")
    switch settings {
    case .failure(let error): return [file] + error.failures.map { finding("prescription", $0) }
    case .success(let (settings, leftOut)):
      return [file, prescription ?? configuredPrescription(settings.hearing, loaded)]
        + audiogram(leftOut, isUnknown: isUnknown)
        + calibration(settings.hearing.calibrated(for: loaded).countingVolumes(on: loaded))
        + limit(settings.hearing)
    }
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
    guard let report = machine.report, let prescription = report.prescription else {
      return machine.report == nil ? closedBookPrescription(machine) : nil
    }
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
    switch machine.book {
    case .absent, .newer, .unreadable: false
    case .current, .older, .inUse: machine.report == nil && machine.hasCards == nil
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
    let cautions = hearing.findings.count { $0.severity == .caution }
    guard cautions > 0 else { return Finding("prescription", .good, found: words) }
    return Finding(
      "prescription", .warning,
      found: "\(words); \(English.count(cautions, "caution")) about the audiogram",
      remedy: "auricle check says which. Let a physician or an audiologist look at them.",
      repair: .none(.hearing))
  }

  /// A limit so low that nothing can be amplified; nothing otherwise.
  private static func limit(_ hearing: HearingSettings) -> [Finding] {
    let limit = hearing.outputCeiling.decibels
    guard limit < OutputRoom.little else { return [] }
    return [
      Finding(
        "greatest output", .warning, found: "\(limit.shortText) dB SPL. \(OutputRoom.words)",
        remedy: "Find it again: auricle setup --again; or set safety.maximum-output.",
        repair: .none(.hearing))
    ]
  }

  private static func calibration(_ hearing: HearingSettings) -> [Finding] {
    let cap = hearing.gainCap.map { "; gain is held to \(Int($0)) dB" } ?? ""
    let ears = hearing.earphones.earCheck.map { check in
      "; " + (check.outliers.isEmpty ? "checked" : "contradicted")
        + " by \(English.count(check.ears, "ear")), \(check.date)"
    }
    let ends = [
      ("microphone", hearing.microphones.device, ""), ("earphones", hearing.earphones.device, ears ?? ""),
    ]
    return ends.map { name, device, checked in
      let subject = "calibration, \(name)"
      let command = name == "microphone" ? "microphone" : "earphone"
      switch device.status {
      case .verified:
        return Finding(
          subject, .good,
          found: "verified, \(device.device), \(device.date.map { "\($0)" } ?? "no date")\(checked)")
      case .provisional:
        return Finding(
          subject, .warning,
          found:
            "provisional, \(device.device == DeviceCalibration.unknown.device ? "device not named" : device.device)"
            + (device.source.map { ", by: \($0)" } ?? "") + checked
            + (device.caveat.map { ": \($0)" } ?? ""),
          remedy: "Levels may be some dB off; measure them: auricle calibrate \(command)",
          repair: .none(.hearing))
      case .none:
        return Finding(
          subject, .warning,
          found: "none: \(device.caveat ?? "levels in dB SPL are guesses")\(cap)",
          remedy:
            "Measure them: auricle calibrate \(command); or set [calibration.\(command)] from a data sheet, as auricle.toml(5) shows.",
          repair: .none(.hearing))
      }
    }
  }

  // MARK: - Priority

  private static func priority(_ machine: Machine) -> [Finding] {
    let isRealtime: Bool
    let found: String
    if let report = machine.report, report.devices != nil {
      let realtime = report.realtime
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
    let isLocked = machine.report?.memory.isLocked == true
    guard !isLocked, case .refused = machine.memory else {
      return Finding("memory", .good, found: isLocked ? "the daemon's is locked" : "\(machine.memory)")
    }
    return Finding(
      "memory", .warning, found: "\(machine.memory)",
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
      guard let latency = report.latency else { return [daemon] }
      // 10 ms: own choice; it leaves room above the 6 ms of the default settings and stays below what wearers with
      // open ears are said to notice in their own voice.
      let isShort = latency.loopSeconds.map { $0 <= 0.010 } ?? true
      let found =
        if let loop = latency.loopSeconds {
          NumberText.milliseconds(loop) + (latency.chainClause.map { ", \($0)" } ?? "")
        } else {
          "not measured yet" + (latency.chainWords.map { "; the chain's own is \($0)" } ?? "")
        }
      let remedy = isShort ? nil : "Make device.period smaller."
      return [daemon, Finding("delay", isShort ? .good : .warning, found: found, remedy: remedy)]
    }
  }
}
