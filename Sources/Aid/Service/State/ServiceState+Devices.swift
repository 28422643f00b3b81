import Acoustics
import AudioIO
import Base
import Control
import Engine

/// Devices that were in use before others were asked for, kept until those have sounded for a second, or somebody keeps them.
struct FormerDevices: Sendable {
  /// Longest that the new ones may be missing or in use, s, before the former ones are taken again. Own
  /// choice: a card that was just closed may need some tenths.
  static let patience = 2.0
  /// Longest that a request waits until the new ones sound or are left, s: with a second in which the former ones close, for which fade
  /// and buffer need tenths. Own choice; clients wait five for an answer.
  static let longestAnswer = 1 + patience + ServiceState.patience
  /// Time to listen to devices on trial and to say that they stay, s, from the moment they sound. Own
  /// choice: enough to hear a sentence and to type a word, and short for somebody who hears nothing.
  static let trialTime = 10.0

  let used: UsedDevices
  /// Since when there is an audio thread for the others, monotonic s; nil: these are still to be closed.
  var since: Double?
  /// True when the new ones are on trial; false: they stay once they have sounded for a second.
  var isTrial: Bool
  /// When a trial ends, monotonic s; nil: it has not begun to sound.
  var trialEnds: Double?
}

extension ServiceState {
  // MARK: - New devices

  /// Has the devices of a new configuration opened; those of the former one are kept until that is done,
  /// where they sound. Devices that break off are what there is, at whichever moment of it.
  ///
  /// - Parameter former: Devices in use so far.
  mutating func reopenDevices(insteadOf former: UsedDevices) {
    if formerDevices != nil || audio.isSounding || audio.breakingOff != nil { keep(former) }
    sound.wantReopening()
  }

  /// Keeps devices in use to come back to. Of several changes in a row, or one during a trial, those that were
  /// proved last count; before a trial also those that a reload has just told as in force.
  private mutating func keep(_ used: UsedDevices, isTrial: Bool = false) {
    let isInForce =
      isTrial && !isOnTrial && sound.isOpen && [.running, .muted].contains(audio.toldState)
    let proved = isInForce ? nil : formerDevices?.used
    formerDevices = FormerDevices(used: proved ?? used, isTrial: isTrial)
  }

  /// Goes back to the former devices when the new ones cannot be used, or nobody keeps them: silence would
  /// be the answer to a mistake in a name.
  mutating func followNewDevices() {
    guard var former = formerDevices else { return }
    former.since = sound.isOpen ? former.since ?? now.monotonic : nil
    formerDevices = former
    // Whoever plays on them: a procedure may have begun at once. A block of sound is below anything that can be heard, and proves nothing.
    if !former.isTrial, sound.isOpen, audio.isSounding, !audio.isUnproven {
      formerDevices = nil
      return
    }
    switch sound.state(audio.deviceState, now: now.monotonic) {
    case .stopped: if former.isTrial { endTrial("the sound was stopped") } else { formerDevices = nil }
    case .running, .muted: if sound.isOpen, former.isTrial { proceed(former) }
    case .starting: break
    // The trouble of devices that are still to be closed is not that of the new ones.
    case .faulted(let reason): if sound.isOpen || !sound.hasThread { leave(former, because: reason) }
    case .waitingForDevice(let reason):
      guard sound.pause == nil, sound.occupant == nil, let since = former.since,
        now.monotonic - since >= FormerDevices.patience
      else { return }
      leave(former, because: reason)
    }
  }

  /// The devices on trial sound.
  private mutating func proceed(_ former: FormerDevices) {
    guard let end = former.trialEnds else {
      formerDevices?.trialEnds = now.monotonic + FormerDevices.trialTime
      return
    }
    if now.monotonic >= end { endTrial("nobody kept them") }
  }

  /// The new devices cannot be used.
  private mutating func leave(_ former: FormerDevices, because reason: String) {
    guard !former.isTrial else { return endTrial(reason) }
    guard take(former.used) else { return }
    refusedDevices =
      "The devices that the configuration asks for cannot be used, so the former ones still are: \(reason)"
    keepConfiguration()
    log(.error, "the new devices cannot be used (\(reason)); the former ones are opened again")
  }

  /// Opens the former devices again.
  ///
  /// A calibration that is the same one as before counts as before. One that came with the new devices counts with those that the
  /// configuration asks for, and does not lead away from the former ones: these are named as they were open. So are those to which no
  /// name led and with which a calibration counts: the engine would stay on the ones that sounded last.
  ///
  /// - Returns: False when they cannot be played any more.
  private mutating func take(_ former: UsedDevices) -> Bool {
    formerDevices = nil
    var (device, calibrated, configured) = (former.device, former.loaded.calibratedDevice, configured)
    device.stream = configuration.configuration.device.stream
    for end in Configuration.End.allCases {
      if former.hasSameCalibration(of: end, as: configuration, configured) {
        configured.takeCalibration(of: end, from: former.configured)
        if former.isUnnamed(end) {
          device[end] = former.names[end]
          // Others have been open since, and nobody can tell its own.
          let lost = openedNames?[end] == nil ? nil : DeviceCalibration.unknown.device
          calibrated[end] = former.names[end] ?? lost
        }
        continue
      }
      calibrated[end] = configuration.calibratedDevice[end]
      let names = [former.configured, configured].map { $0.calibration(of: end).deviceName }
      if names[0] != names[1] || calibrated[end] != nil { device[end] = device[end] ?? former.names[end] }
    }
    do throws(Failure) {
      try hear(on: configuration.with(device, calibrated: calibrated), configured)
    } catch {
      log(.error, "the former devices cannot be used again: \(error.logMessage)")
      return false
    }
    playback = former.claim
    sound.wantReopening()
    return true
  }

  /// Changes the devices in force, and the calibrations that count with them.
  private mutating func hear(
    on changed: LoadedConfiguration, _ configured: HearingSettings
  ) throws(Failure) {
    try hear {
      .replace(AidSettings($0, on: changed.configuration))
    } after: {
      ($0.configuration, $0.configured) = (changed, configured)
    }
  }

  // MARK: - Trial of devices

  /// Has devices opened live, the former ones to come back by themselves.
  ///
  /// - Parameter claim: On the playback device.
  /// - Throws: ``Failure``; then nothing has changed.
  mutating func tryDevices(_ device: Configuration.Device, _ claim: PlaybackClaim?) throws(Failure) {
    let (former, before) = (used, heard)
    endDebug("other devices are tried")
    endTest("other devices are tried", remedy: "Measure again.")
    try hear(on: configuration.with(device), configured)
    askedNames = calibratedNames(former, before: device)
    trials += 1
    trialNote = OutputRoom.rise(from: before, to: composed(on: nil)).map { "\($0)." }
    keep(former, isTrial: true)
    playback = claim
    lastTrialEnd = nil
    sound.wantReopening()
    log(
      .notice, "devices on trial: \(device.capture ?? "first card") to \(device.playback ?? "first card")")
  }

  /// ALSA's names of the devices with which calibrations count that name none, before others are tried: in a configuration that names
  /// others they are bound to these.
  private func calibratedNames(
    _ used: UsedDevices, before next: Configuration.Device
  ) -> RouteReport.Names {
    func name(of end: Configuration.End) -> String? {
      let (own, asked) = (used.device[end], used.loaded.calibratedDevice[end])
      let isCounted = own.map(DevicePlace.spelledOut) == asked.map(DevicePlace.spelledOut)
      let open = sound.isOpen ? used.names[end] : nil
      let known = isCounted ? own ?? open ?? askedNames?[end] : askedNames?[end] ?? asked
      // One that nobody can name is not to count with the next device either.
      return known ?? (isCounted && next[end] == own ? nil : DeviceCalibration.unknown.device)
    }
    return RouteReport.Names(capture: name(of: .microphone), playback: name(of: .earphone))
  }

  /// Ends the trial: the former devices are opened again.
  mutating func endTrial(_ reason: String) {
    guard let former = formerDevices, former.isTrial else { return }
    lastTrialEnd = reason
    if take(former.used) {
      log(.notice, "devices on trial are left: \(reason); the former ones are opened again")
    }
  }

  /// Ends the trial: the new devices stay, until the configuration is read again.
  mutating func keepTrial() {
    (formerDevices, refusedDevices) = (nil, nil)
    log(.notice, "devices on trial are kept")
  }

  /// Ends the trial because the configuration asks for the devices now. Those that have not sounded yet still make way for the former
  /// ones when they cannot be used.
  mutating func adoptTrial() {
    guard formerDevices?.trialEnds == nil else { return keepTrial() }
    formerDevices?.isTrial = false
    log(.notice, "devices on trial are asked for by the configuration, and are to sound yet")
  }

  /// When the trial under way is to be ended, monotonic s; nil: there is none, or its devices do not sound, so that nothing could be
  /// done then.
  var trialDue: Double? {
    guard sound.isOpen, let end = formerDevices?.trialEnds else { return nil }
    return switch sound.state(audio.deviceState, now: now.monotonic) {
    case .running, .muted: end
    case .stopped, .starting, .waitingForDevice, .faulted: nil
    }
  }

  /// Playback devices that are this daemon's alone: in use, and to come back to.
  var claims: [PlaybackClaim] { [playback, formerDevices?.used.claim].compactMap(\.self) }

  /// True while a trial is under way, whether it sounds already or not.
  var isOnTrial: Bool { formerDevices?.isTrial == true }
  /// True when a trial sounds, or is over.
  var isTrialHeard: Bool { isOpened && (formerDevices.map { $0.trialEnds != nil } ?? true) }

  /// The devices in use, and the trial of them.
  var route: RouteReport {
    let trialEnds = formerDevices.flatMap { $0.isTrial ? $0.trialEnds : nil }
    return RouteReport(
      devices: devicesInUse, former: formerDevices?.used.names, asked: askedNames,
      state: state, isOnTrial: isOnTrial, trial: isOnTrial ? trials : nil,
      trialLeftSeconds: trialEnds.map { max(0, $0 - now.monotonic) }, ended: lastTrialEnd,
      calibration: StatusReport.Calibration(heard, found: found),
      uncalibratedEnds: configured.foreignCalibrations(for: configuration, found: found, open: openNames)
        .filter(configured.isCalibrated).map(\.rawValue),
      configurationFile: configuration.file, notes: isOnTrial ? [trialNote].compactMap(\.self) : [])
  }
}
