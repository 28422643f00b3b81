import Base
import Control
import Engine
import Glibc

extension ServiceState {
  // MARK: - Start, stop and mute

  /// Starts the sound because somebody asks for it.
  mutating func start() {
    wasStopped = false
    emit(.keepStop(false))
    sound.wantSound(audio.state)
  }

  /// Stops the sound because somebody asks for it. Where the daemon stays, a crash does not start it again.
  mutating func stop() {
    wasStopped = false
    silence()
    if facts.endsWhenStopped {
      beginEnd(.done)
    } else if keepsMarks {
      emit(.keepStop(true))
    }
  }

  /// Wants silence, also of a feedback test.
  mutating func silence() {
    sound.wantSilence()
    endTest(FeedbackFault.stopped)
    endDebug("the aid was stopped")
    endRecording("the sound was stopped")
  }

  /// Mutes, or takes that back. A feedback test that goes on is not the silence that a mute asks for.
  mutating func setMuted(_ isMuted: Bool) {
    emit(.mute(isMuted))
    if keepsMarks || !isMuted { emit(.keepMute(isMuted)) }
    // As the engine's next notice will say.
    audio.isMuted = isMuted
    switch audio.state {
    case .running where isMuted: audio.state = .muted
    case .muted where !isMuted: audio.state = .running
    default: break
    }
    guard isMuted else { return }
    endTest(FeedbackFault.muted)
    endDebug("the aid was muted")
    endRecording("the aid was muted")
  }

  // MARK: - Signals

  mutating func obey(_ signal: Int32) {
    switch signal {
    case SIGTERM, SIGINT:
      log(.info, "ending: \(signal == SIGINT ? "SIGINT" : "SIGTERM")")
      if signal == SIGINT, ending?.isInterrupted == true { ending?.isHurried = true }
      silence()
      beginEnd(.done)
      if signal == SIGINT { ending?.isInterrupted = true }
    case SIGHUP: reload()
    case SIGUSR1:
      // This program knows its own version alone.
      let text = StatusText(report, installed: nil).text
      for line in text.split(separator: "\n") { log(.notice, String(line)) }
    default: break
    }
  }

  // MARK: - The configuration

  /// Reads the configuration: the work of a reload.
  @Sendable static func readConfiguration(
    _ state: ServiceState
  ) -> @Sendable (ServiceDisk) -> Result<ReadConfiguration, ConfigurationFailures> {
    { [former = state.configuration.file, used = state.used, holding = state.claims] in
      $0.read(insteadOf: former, holding: holding, placing: used.placing)
    }
  }

  /// Reads the configuration again because a signal asks for it, and logs what comes of it.
  private mutating func reload() {
    guard !disk.waiting.contains(where: { $0.kind == .signalledConfiguration }) else { return }
    work(.signalledConfiguration, Self.readConfiguration) { state, read in
      if case .success(let read) = read, !state.isPlaced(read) { return state.reload() }
      do throws(ConfigurationFailures) {
        state.logReload(try state.adopt(try read.get()))
      } catch {
        for failure in error.failures { state.log(.error, failure.logMessage) }
        state.log(.error, "configuration not changed, the former one stays in force")
        // Nobody waits for an answer, and the next start would be refused.
        state.configurationTrouble = error.failures.first.map {
          KeptConfiguration.isLost($0)
            ? "The configuration file is gone; the former one stays in force. \($0.logMessage)"
            : "The configuration file is wrong, and a start would be refused; the former one stays in force. Correct the file, then: auricle reload. "
              + $0.logMessage
        }
      }
    }
  }

  /// True where the devices in use are still those for which a configuration was read: its claim is on the one that is to be opened.
  private func isPlaced(_ read: ReadConfiguration) -> Bool {
    used.placing(read.loaded, read.settings.hearing) == read.placed
  }

  /// Takes over a configuration that was read. What is wrong leaves everything as it was.
  mutating func adopt(_ read: ReadConfiguration) throws(ConfigurationFailures) -> ReloadReport {
    guard isPlaced(read) else {
      throw ConfigurationFailures(failures: [
        Failure(
          "configuration", inWords: "Other devices came into use while it was read, so nothing has changed",
          remedy: "Ask again: auricle reload", exit: .temporary)
      ])
    }
    let (former, used, new) = (heard, used, read.placed)
    let change = ConfigurationChange(from: configuration.configuration, to: new.configuration)
    var begun = begunConfiguration
    // A hand-over and a return set this one anew.
    begun.control.owner = facts.configuredOwner
    // A key that takes effect at a start waits for the next one however often the configuration is read until then.
    let waiting = ConfigurationChange(from: begun, to: new.configuration).restartsDaemon
    var measured = feedback
    let isMeasuredAnew = read.feedback.map { measured.reread($0) } ?? false
    let source = known.prescribed
    let isPrescribedAnew = source != prescribed
    endDebug("the configuration was read again")
    do throws(Failure) {
      try hear {
        .replace(AidSettings($0, on: new.configuration))
      } after: { state in
        state.configuration = new
        state.configured = read.settings.hearing
        state.prescribed = source
        state.refused = nil
        state.feedback = measured
      }
    } catch { throw ConfigurationFailures(failures: [error]) }
    (configurationTrouble, refusedDevices) = (nil, nil)
    leftOutAudiogram = read.leftOut.map(KeptConfiguration.sentence(leavingOut:))
    playback = read.claim
    keepConfiguration()
    askedNames = nil
    let files = heard.changedFiles(since: former, beside: change.live + change.reopensDevices)
    // A calibration leads to its own device where no name does.
    let moved = movedEnds(from: used)
    let calibrations = (change.live + files).filter { key in
      moved.contains { key.hasPrefix("calibration.\($0.rawValue).") }
    }
    let isReopening = !change.reopensDevices.isEmpty || !moved.isEmpty
    if isReopening {
      reopenDevices(insteadOf: used)
    } else if isOnTrial {
      adoptTrial()
    }
    if let warning = read.warning { log(.warning, warning) }
    if let leftOut = read.leftOut { log(.warning, KeptConfiguration.sentence(leavingOut: leftOut)) }
    if let problem = feedback.problem { log(.warning, problem) }
    if isPrescribedAnew || !(change.live + change.reopensDevices + files).isEmpty {
      endTest("the configuration changed meanwhile", remedy: "Measure again.")
    }
    return ReloadReport(
      applied: (change.live + files).filter { !calibrations.contains($0) }
        + (isMeasuredAnew ? ["measured feedback"] : []),
      reopened: change.reopensDevices + calibrations, restartNeeded: waiting,
      notes: [
        feedback.problem,
        OutputRoom.rise(from: former, to: isReopening ? composed(on: nil) : heard),
      ].compactMap(\.self))
  }

  /// Keeps the configuration in force for a start after a crash.
  mutating func keepConfiguration() {
    work(
      .keptConfiguration,
      { state in
        { [loaded = state.configuration, refusal = state.refusedDevices] in $0.keep(loaded, refusal) }
      }
    ) { state, failure in
      guard let failure else { return }
      state.log(
        .warning, "a crash while the configuration file is wrong would end the sound: \(failure.logMessage)"
      )
    }
  }

  private mutating func logReload(_ report: ReloadReport) {
    let parts = [
      ("applied", report.applied), ("reopened devices for", report.reopened),
      ("needs a restart for", report.restartNeeded),
    ].filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }
    log(.notice, "configuration read again: \(parts.isEmpty ? "no change" : parts.joined(separator: "; "))")
    // Nobody waits for an answer. What is wrong with the measured feedback is logged already.
    for note in report.notes where note != feedback.problem { log(.warning, note) }
  }
}

extension ConfigurationFailures {
  /// All failures as one, for where only one fits.
  package var joined: Failure {
    guard let first = failures.first else {
      return Failure("configuration", found: "nothing wrong", exit: .software)
    }
    guard failures.count > 1 else { return first }
    let rest = failures.dropFirst().map(\.message)
    return Failure(
      first.subject, found: first.found, expected: first.expected,
      remedy: ([first.remedy].compactMap(\.self) + rest).joined(separator: " "), exit: first.exitStatus
    ).logged(as: failures.map(\.logMessage).joined(separator: " "))
  }
}
