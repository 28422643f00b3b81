import Acoustics
import AudioIO
import Base
import Control
import Engine
import Fitting
import HearingDSP

extension AidSettings {
  /// Settings that a configuration asks for, with its files read and everything checked as far as it can be without
  /// a device.
  ///
  /// - Parameter loaded: The configuration, with the origin of each value for messages.
  /// - Throws: ``ConfigurationFailures`` with every failure: a missing file (``ExitStatus/noInput``), a
  ///   file that is wrong (``ExitStatus/badData``), values that do not go together
  ///   (``ExitStatus/configuration``). Messages name places and expectations, never a file's thresholds but
  ///   the one that is wrong.
  package init(_ loaded: LoadedConfiguration) throws(ConfigurationFailures) {
    self = try Self.reading(loaded).settings
  }

  /// The same, where a prescription may be heard instead of the audiogram.
  ///
  /// - Parameter isAudiogramHeard: False: one that cannot be read is left out, and makes nobody's aid silent.
  /// - Returns: The settings, and why the audiogram is left out; nil: it is not.
  static func reading(
    _ loaded: LoadedConfiguration, isAudiogramHeard: Bool = true
  ) throws(ConfigurationFailures) -> (settings: AidSettings, leftOut: Failure?) {
    let (hearing, leftOut) = try hearing(loaded, isAudiogramHeard: isAudiogramHeard)
    // Makes the chain's parameters once, so that what it refuses is refused here and not when the device opens.
    do throws(Failure) {
      let device = loaded.configuration.device
      try hearing.checkPlayable(rate: device.rate, period: device.period, loaded)
    } catch { throw ConfigurationFailures(failures: [error]) }
    return (AidSettings(hearing, on: loaded.configuration), leftOut)
  }

  /// Settings of a command that makes sound by itself: calibrations count as with a daemon, not with other devices than they were made
  /// with.
  ///
  /// - Throws: ``ConfigurationFailures`` as ``init(_:)``.
  /// - Threads: control; looks at the devices.
  package init(playing loaded: LoadedConfiguration) throws(ConfigurationFailures) {
    try self.init(loaded)
    hearing = hearing.calibrated(for: loaded)
  }

  /// Settings for the devices of a configuration alone, whatever is wrong with its other files; a calibration that cannot be read
  /// names none.
  package init(devicesOf loaded: LoadedConfiguration) {
    var hearing = HearingSettings()
    if let microphones = try? CalibrationReading(loaded: loaded, end: .microphone).microphones() {
      hearing.microphones = microphones
    }
    if let earphones = try? CalibrationReading(loaded: loaded, end: .earphone).earphones() {
      hearing.earphones = earphones
    }
    self.init(hearing, on: loaded.configuration)
  }

  /// Settings with the devices of a configuration.
  init(_ hearing: HearingSettings, on configuration: Configuration) {
    let device = configuration.device
    self.init(
      hearing: hearing, captureName: device.capture, playbackName: device.playback,
      streamingName: device.stream, stream: device.request, clock: device.clock,
      ramp: configuration.safety.ramp)
    heedsJack = device.heedsJack
  }

  /// ALSA's name of the earphones' device: the one that was asked for, otherwise the one that their calibration was made with; nil: the
  /// first card that is free.
  package var playbackDevice: String? { playbackName ?? hearing.earphones.device.homeName }

  /// ALSA's name of the microphones' device likewise.
  package var captureDevice: String? { captureName ?? hearing.microphones.device.homeName }

  /// ALSA's name of the device of an end that would be opened now, that of the first card where none is named; nil: there is none.
  ///
  /// - Threads: control.
  package func deviceName(of end: Configuration.End) -> String? {
    switch end {
    case .microphone: captureDevice ?? devices?.capture
    case .earphone: playbackDevice ?? devices?.playback
    }
  }

  /// Reads the files, and goes on after a failure to find the next.
  private static func hearing(
    _ loaded: LoadedConfiguration, isAudiogramHeard: Bool
  ) throws(ConfigurationFailures) -> (HearingSettings, leftOut: Failure?) {
    let configuration = loaded.configuration
    var hearing = HearingSettings()
    var failures: [Failure] = []
    var leftOut: Failure?
    func attempt(_ work: () throws(Failure) -> Void) {
      do throws(Failure) { try work() } catch { failures.append(error) }
    }
    attempt { () throws(Failure) in
      guard let path = configuration.hearing.audiogram else { return }
      do throws(Failure) {
        hearing.audiograms = try AudiogramReading.ears(
          at: path, namedBy: loaded.place(of: "hearing.audiogram"))
      } catch {
        if isAudiogramHeard { throw error }
        leftOut = error
      }
    }
    attempt { () throws(Failure) in
      hearing.microphones = try CalibrationReading(loaded: loaded, end: .microphone).microphones()
    }
    attempt { () throws(Failure) in
      hearing.earphones = try CalibrationReading(loaded: loaded, end: .earphone).earphones()
    }
    attempt { () throws(Failure) in hearing.plan = try loaded.plan() }
    attempt { () throws(Failure) in try hearing.followConfiguration(loaded) }
    guard failures.isEmpty else { throw ConfigurationFailures(failures: failures) }
    return (hearing, leftOut)
  }
}

extension HearingSettings {
  /// Takes bands, times, link and the greatest output from a configuration, of which no file is read.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/configuration`` for bands that make no layout; then nothing has changed.
  package mutating func followConfiguration(_ loaded: LoadedConfiguration) throws(Failure) {
    let (hearing, safety) = (loaded.configuration.hearing, loaded.configuration.safety)
    if let centres = hearing.bands {
      bands = try Failure.saying(loaded.place(of: "hearing.bands"), exit: .configuration) {
        try BandLayout(centres: centres)
      }
    }
    dynamics = Dynamics(attack: hearing.attack, release: hearing.release, binauralLink: hearing.link)
    maximumOutput = SoundPressureLevel(safety.maximumOutput)
  }
}

extension Configuration.Device {
  /// Setting up of both devices that is asked for.
  package var request: StreamRequest {
    StreamRequest(rate: rate, period: period, periods: periods, format: format)
  }
}

extension LoadedConfiguration {
  /// The same with the device of an end that would be opened now, which stays that one whatever is plugged in meanwhile; nil: as it is.
  package func with(_ name: String?, of end: Configuration.End) -> LoadedConfiguration {
    guard let name else { return self }
    var (device, calibrated) = (configuration.device, calibratedDevice)
    // A calibration that names no device counts with the one that is found, and goes on doing so.
    if device[end] == nil, calibrated[end] == nil { calibrated[end] = name }
    device[end] = name
    return with(device, calibrated: calibrated)
  }

  /// The earphones' calibration as its file, a profile or the configuration states it, whatever it counts as here and now.
  ///
  /// - Throws: ``Failure`` naming the file or key.
  package func statedEarphones() throws(Failure) -> OutputCalibration {
    try CalibrationReading(loaded: self, end: .earphone).statedEarphones()
  }

  /// Place where `key` is set, for a message's subject: `auricle.toml:3`, or the key itself.
  func place(of key: String) -> String {
    let origin = origin(of: key)
    return origin == "default" ? key : origin
  }

  /// Plan that makes gain from an audiogram. Its ceiling is the build's own: `safety.maximum-output` is the one
  /// that counts.
  func plan() throws(Failure) -> FittingPlan {
    let hearing = configuration.hearing
    return try Failure.saying(place(of: "hearing.compression-ratio"), exit: .configuration) {
      try HearingSettings.plan(by: hearing.rule.with(compressionRatio: hearing.compressionRatio))
    }
  }
}
