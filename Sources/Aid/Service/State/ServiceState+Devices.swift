import Base
import Control
import Engine

/// Devices that were in use before others were asked for, kept until those sound, or somebody keeps them.
struct FormerDevices: Sendable {
  /// Longest that the new ones may be missing or in use, s, before the former ones are taken again. Own
  /// choice: a card that was just closed may need some tenths.
  static let patience = 2.0
  /// Time to listen to devices on trial and to say that they stay, s, from the moment they sound. Own
  /// choice: enough to hear a sentence and to type a word, and short for somebody who hears nothing.
  static let trialTime = 10.0

  let device: Configuration.Device
  let playback: PlaybackClaim?
  /// ALSA's names as they were open, for somebody who named none.
  let names: RouteReport.Names
  /// When the others were asked for, monotonic s.
  let since: Double
  /// True when the new ones are on trial; false: they stay as soon as they sound.
  var isTrial: Bool
  /// When a trial ends, monotonic s; nil: it has not begun to sound.
  var trialEnds: Double?
}

extension ServiceState {
  // MARK: - New devices

  /// Has the devices of a new configuration opened; those of the former one are kept until that is done,
  /// where they sound.
  ///
  /// - Parameters:
  ///   - former: Devices in use so far.
  ///   - playback: And the claim on them.
  mutating func reopenDevices(insteadOf former: Configuration.Device, _ playback: PlaybackClaim?) {
    if formerDevices != nil || [.running, .muted].contains(audio.state) { keep(former, playback) }
    sound.wantReopening()
  }

  /// Keeps devices in use to come back to. Of several changes in a row, or one during a trial, those that were
  /// proved last count.
  private mutating func keep(
    _ device: Configuration.Device, _ playback: PlaybackClaim?, isTrial: Bool = false
  ) {
    let proved = formerDevices
    formerDevices = FormerDevices(
      device: proved?.device ?? device, playback: proved.map(\.playback) ?? playback,
      names: proved?.names ?? names(device), since: now.monotonic, isTrial: isTrial)
  }

  /// Goes back to the former devices when the new ones cannot be used, or nobody keeps them: silence would
  /// be the answer to a mistake in a name.
  mutating func followNewDevices() {
    guard let former = formerDevices else { return }
    switch sound.state(audio.state, now: now.monotonic) {
    case .stopped: if former.isTrial { endTrial("the sound was stopped") } else { formerDevices = nil }
    case .running, .muted: if sound.isOpen { proceed(former) }
    case .starting: break
    case .faulted(let reason): leave(former, because: reason)
    case .waitingForDevice(let reason):
      guard sound.pause == nil, sound.occupant == nil,
        now.monotonic - former.since >= FormerDevices.patience
      else { return }
      leave(former, because: reason)
    }
  }

  /// The new devices sound.
  private mutating func proceed(_ former: FormerDevices) {
    guard former.isTrial else { return formerDevices = nil }
    guard let end = former.trialEnds else {
      formerDevices?.trialEnds = now.monotonic + FormerDevices.trialTime
      return
    }
    if now.monotonic >= end { endTrial("nobody kept them") }
  }

  /// The new devices cannot be used.
  private mutating func leave(_ former: FormerDevices, because reason: String) {
    guard !former.isTrial else { return endTrial(reason) }
    guard take(former) else { return }
    let refusal =
      "The devices that the configuration asks for cannot be used, so the former ones still are: \(reason)"
    refusedDevices = refusal
    configurationTrouble = "\(refusal). Correct [device] in the file, then: auricle reload."
    log(.error, "the new devices cannot be used (\(reason)); the former ones are opened again")
  }

  /// Opens the former devices again.
  ///
  /// - Returns: False when they cannot be played any more.
  private mutating func take(_ former: FormerDevices) -> Bool {
    formerDevices = nil
    do throws(Failure) { try hear(on: former.device) } catch {
      log(.error, "the former devices cannot be used again: \(error.logMessage)")
      return false
    }
    playback = former.playback
    sound.wantReopening()
    return true
  }

  /// Changes the devices in force, and the calibrations that count with them.
  private mutating func hear(on device: Configuration.Device) throws(Failure) {
    let changed = configuration.with(device)
    try hear {
      .replace(AidSettings($0, on: changed.configuration))
    } after: {
      $0.configuration = changed
    }
  }

  // MARK: - Trial of devices

  /// Has devices opened live, the former ones to come back by themselves.
  ///
  /// - Parameter claim: On the playback device.
  /// - Throws: ``Failure``; then nothing has changed.
  mutating func tryDevices(_ device: Configuration.Device, _ claim: PlaybackClaim?) throws(Failure) {
    let (former, asked) = (configuration.configuration.device, configuration.askedDevice)
    let isAsked = (former.capture, former.playback) == (asked.capture, asked.playback)
    let (usedNames, before) = (names(former), heard)
    endDebug("other devices are tried")
    endTest("other devices are tried", remedy: "Measure again.")
    try hear(on: device)
    if isAsked { askedNames = usedNames }
    trials += 1
    trialNote = OutputRoom.rise(from: before, to: heard).map { "\($0)." }
    keep(former, playback, isTrial: true)
    playback = claim
    (lastTrialEnd, refusedDevices) = (nil, nil)
    sound.wantReopening()
    log(
      .notice, "devices on trial: \(device.capture ?? "first card") to \(device.playback ?? "first card")")
  }

  /// Ends the trial: the former devices are opened again.
  mutating func endTrial(_ reason: String) {
    guard let former = formerDevices, former.isTrial else { return }
    lastTrialEnd = reason
    if take(former) {
      log(.notice, "devices on trial are left: \(reason); the former ones are opened again")
    }
  }

  /// Ends the trial: the new devices stay, until the configuration is read again.
  mutating func keepTrial() {
    formerDevices = nil
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
    return switch sound.state(audio.state, now: now.monotonic) {
    case .running, .muted: end
    case .stopped, .starting, .waitingForDevice, .faulted: nil
    }
  }

  /// Playback devices that are this daemon's alone: in use, and to come back to.
  var claims: [PlaybackClaim] { [playback, formerDevices?.playback].compactMap(\.self) }

  /// True while a trial is under way, whether it sounds already or not.
  var isOnTrial: Bool { formerDevices?.isTrial == true }
  /// True when a trial sounds, or is over.
  var isTrialHeard: Bool { isOpened && (formerDevices.map { $0.trialEnds != nil } ?? true) }

  /// The devices in use, and the trial of them.
  var route: RouteReport {
    let trialEnds = formerDevices.flatMap { $0.isTrial ? $0.trialEnds : nil }
    return RouteReport(
      devices: names(configuration.configuration.device), former: formerDevices?.names, asked: askedNames,
      state: state, isOnTrial: isOnTrial, trial: isOnTrial ? trials : nil,
      trialLeftSeconds: trialEnds.map { max(0, $0 - now.monotonic) }, ended: lastTrialEnd,
      calibration: StatusReport.Calibration(heard, found: found),
      uncalibratedEnds: configured.foreignCalibrations(for: configuration, found: found)
        .filter(configured.isCalibrated).map(\.rawValue),
      configurationFile: configuration.file, notes: isOnTrial ? [trialNote].compactMap(\.self) : [])
  }

  /// ALSA's names of the devices that are to be opened: the configuration's, otherwise those of the calibrations.
  var namedDevices: RouteReport.Names {
    let device = configuration.configuration.device
    return RouteReport.Names(
      capture: device.capture ?? heard.microphones.device.deviceName,
      playback: device.playback ?? heard.earphones.device.deviceName)
  }

  /// ALSA's names of the devices in use: as they are open, otherwise as they are to be.
  var devicesInUse: RouteReport.Names {
    RouteReport.Names(
      capture: audio.devices?.captureName ?? namedDevices.capture,
      playback: audio.devices?.playbackName ?? namedDevices.playback)
  }

  /// Names of the devices in use: as they are open, otherwise as they are named.
  private func names(_ device: Configuration.Device) -> RouteReport.Names {
    RouteReport.Names(
      capture: audio.devices?.captureName ?? device.capture,
      playback: audio.devices?.playbackName ?? device.playback)
  }
}
