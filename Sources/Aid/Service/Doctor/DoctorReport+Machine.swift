import Acoustics
import AudioIO
import Base
import Control
import Engine
import Realtime

extension DoctorReport {
  /// Examines a machine: one finding per fact, in the order in which sound depends on them.
  package init(_ machine: Machine) {
    var findings: [Finding] = []
    switch machine.configuration {
    case .success(let loaded):
      let settings = Result { () throws(ConfigurationFailures) in try AidSettings(loaded) }
      findings += Self.configuration(loaded, settings, worn: Self.worn(machine))
      findings += Self.devices(machine, loaded.configuration.device)
    case .failure(let error):
      findings += error.failures.map { Self.finding("configuration", $0) }
      findings += Self.devices(machine, Configuration.Device())
    }
    findings += Self.priority(machine) + Self.kernel(machine) + Self.daemon(machine)
    self.init(findings: findings)
  }

  static func finding(_ subject: String, _ failure: Failure) -> Finding {
    let expected = failure.expected.map { ", expected \($0)" } ?? ""
    return Finding(
      subject, .bad, found: "\(failure.subject): \(failure.found)\(expected)", remedy: failure.remedy)
  }

  // MARK: - Wishes

  private static func configuration(
    _ loaded: LoadedConfiguration, _ settings: Result<AidSettings, ConfigurationFailures>, worn: Finding?
  ) -> [Finding] {
    let file =
      loaded.file.map { Finding("configuration", .good, found: $0) }
      ?? Finding(
        "configuration", .warning, found: "no file, all values are defaults",
        remedy: "Write one: mkdir -p ~/.config/auricle && "
          + "auricle config reference > ~/.config/auricle/auricle.toml")
    switch settings {
    case .failure(let error): return [file] + error.failures.map { finding("prescription", $0) }
    case .success(let settings):
      return [file, worn ?? prescription(settings.hearing, loaded)] + calibration(settings.hearing)
    }
  }

  /// The book's prescription, which replaces the configuration's audiogram; nil when no daemon reports one, or when the
  /// configuration's is in force because the book never held any.
  private static func worn(_ machine: Machine) -> Finding? {
    guard case .success(let report) = machine.daemon, let prescription = report.prescription else {
      return nil
    }
    let notes = prescription.notes.joined(separator: " ")
    guard let serial = prescription.serial else {
      if report.fitting.isFitted, notes.isEmpty { return nil }
      return Finding(
        "prescription", .warning, found: "none in force, so nothing is amplified",
        remedy: notes.isEmpty ? "Scan a card: auricle rx scan" : notes)
    }
    let words =
      "serial \(serial) for \(prescription.environment ?? "everywhere") from \(prescription.clinic ?? "a clinic")"
    return notes.isEmpty
      ? Finding("prescription", .good, found: words)
      : Finding("prescription", .warning, found: words, remedy: notes)
  }

  private static func prescription(_ hearing: HearingSettings, _ loaded: LoadedConfiguration) -> Finding {
    let ears = hearing.fittedEars.map(\.rawValue)
    guard !ears.isEmpty else {
      return Finding(
        "prescription", .warning, found: "no audiogram, so nothing is amplified",
        remedy: "Set hearing.audiogram in the configuration.")
    }
    let who = ears.count == 2 ? "both ears" : "\(ears[0]) ear"
    return Finding("prescription", .good, found: "\(loaded.configuration.hearing.rule.rawValue), \(who)")
  }

  private static func calibration(_ hearing: HearingSettings) -> [Finding] {
    let cap = hearing.gainCap.map { "; gain is held to \(Int($0)) dB" } ?? ""
    return [("microphone", hearing.microphones.device), ("earphones", hearing.earphones.device)].map {
      name, device in
      let subject = "calibration, \(name)"
      switch device.status {
      case .verified:
        return Finding(
          subject, .good, found: "verified, \(device.device), \(device.date.map { "\($0)" } ?? "no date")")
      case .provisional:
        return Finding(
          subject, .warning,
          found:
            "provisional, \(device.device == DeviceCalibration.unknown.device ? "device not named" : device.device)"
            + (device.source.map { ", by: \($0)" } ?? ""),
          remedy: "Levels may be some dB off; measure with a sound level meter or coupler.")
      case .none:
        return Finding(
          subject, .warning, found: "none: levels in dB SPL are guesses\(cap)",
          remedy:
            "Set [calibration.\(name == "microphone" ? "microphone" : "earphone")] from a data sheet or a measurement."
        )
      }
    }
  }

  // MARK: - Priority

  private static func priority(_ machine: Machine) -> [Finding] {
    var findings: [Finding] = []
    if case .success(let report) = machine.daemon, report.devices != nil {
      let realtime = report.realtime
      findings.append(
        realtime.isGranted
          ? Finding("real time", .good, found: "the daemon has \(realtime.policy) \(realtime.priority)")
          : Finding(
            "real time", .warning, found: "the daemon has none: \(realtime.reason ?? "no reason given")",
            remedy: priorityRemedy))
    } else if let scheduling = machine.scheduling, scheduling.isRealtime {
      findings.append(Finding("real time", .good, found: "granted, \(scheduling)"))
    } else {
      let found = machine.scheduling.map { "\($0)" } ?? "no thread can be made to try it"
      findings.append(Finding("real time", .warning, found: found, remedy: priorityRemedy))
    }
    let isLocked = if case .success(let report) = machine.daemon { report.memory.isLocked } else { false }
    if isLocked {
      findings.append(Finding("memory", .good, found: "the daemon's is locked"))
    } else if case .refused = machine.memory {
      findings.append(
        Finding(
          "memory", .warning, found: "\(machine.memory)",
          remedy: "Sound can drop out when memory is short. Write \"@audio - memlock unlimited\" into"
            + " /etc/security/limits.d/95-auricle.conf and log in again."))
    } else {
      findings.append(Finding("memory", .good, found: "\(machine.memory)"))
    }
    return findings
  }

  private static let priorityRemedy =
    "Sound can drop out under load. Write \"@audio - rtprio 80\" into /etc/security/limits.d/95-auricle.conf, join"
    + " the group audio, and log in again; or use the system service."

  // MARK: - Kernel

  private static func kernel(_ machine: Machine) -> [Finding] {
    let governor: Finding
    switch machine.governor {
    case nil: governor = Finding("processor speed", .good, found: "not adjustable from here")
    case "performance": governor = Finding("processor speed", .good, found: "governor performance")
    case .some(let name):
      governor = Finding(
        "processor speed", .warning, found: "governor \(name), which may slow down between blocks",
        remedy: "As root: cpupower frequency-set -g performance")
    }
    let words = machine.kernel.split(separator: " ")
    if machine.isRealtimeKernel || words.contains("PREEMPT_RT") {
      return [governor, Finding("kernel", .good, found: "fully preemptible, PREEMPT_RT")]
    }
    if let kind = words.first(where: { $0.hasPrefix("PREEMPT") }) {
      return [governor, Finding("kernel", .good, found: "preemptible, \(kind)")]
    }
    return [
      governor,
      Finding(
        "kernel", .warning, found: "not known to be preemptible",
        remedy: "If sound drops out, use longer periods or a kernel with PREEMPT_RT."),
    ]
  }

  // MARK: - Daemon

  private static func daemon(_ machine: Machine) -> [Finding] {
    switch machine.daemon {
    case .failure(let failure):
      let verdict: Finding.Verdict = failure.exitStatus == .unavailable ? .warning : .bad
      return [
        Finding(
          "daemon", verdict, found: failure.exitStatus == .unavailable ? "not running" : failure.found,
          remedy: failure.exitStatus == .unavailable ? "Start it: auricle start" : failure.remedy)
      ]
    case .success(let report):
      let sentence = "process \(report.daemon.processID), \(StatusText(report).sentence)"
      let verdict: Finding.Verdict =
        switch report.state.name {
        case .running: .good
        case .muted, .stopped, .starting, .waitingForDevice: .warning
        case .faulted: .bad
        }
      let daemon = Finding("daemon", verdict, found: sentence)
      guard let latency = report.latency else { return [daemon] }
      let chain = Self.milliseconds(latency.chain)
      guard let loop = latency.loop else {
        return [daemon, Finding("delay", .good, found: "not measured yet; the chain's own is \(chain)")]
      }
      // 10 ms: own choice; it leaves room above the 6 ms of the default settings and stays below what wearers with
      // open ears are said to notice in their own voice.
      return [
        daemon,
        loop <= 0.010
          ? Finding("delay", .good, found: "\(Self.milliseconds(loop)), of it the chain's own \(chain)")
          : Finding(
            "delay", .warning, found: "\(Self.milliseconds(loop)), of it the chain's own \(chain)",
            remedy: "Make device.period smaller."),
      ]
    }
  }

  static func milliseconds(_ seconds: Double) -> String { "\((seconds * 100_000).rounded() / 100) ms" }
}
