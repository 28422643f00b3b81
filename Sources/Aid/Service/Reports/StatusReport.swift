import Base
import Control
import Engine

/// Everything the daemon tells about itself, as `auricle status --json` prints it.
///
/// Keys carry their unit. A level that has no number is absent: silence, and one that is not measured, before the sound and while a test
/// plays. No hearing thresholds are in it: they are health data.
package struct StatusReport: Sendable, Codable, Equatable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package private(set) var schema = 117
  package internal(set) var daemon: Daemon
  package let state: State
  /// Nil while no device is open.
  package let devices: Devices?
  package private(set) var fitting: Fitting
  /// Nil when there is none in the book.
  package var prescription: Prescription?
  /// Nil when a daemon older than the programs reports.
  package var program: ProgramReport?
  /// Calls and music; nil when no device is configured for them.
  package var stream: Stream?
  /// Nil when a daemon older than the feedback test reports.
  package var feedback: Feedback?
  /// The procedure under way, or the last one where it broke off; nil: none.
  package var procedure: Procedure?
  /// Nil while debug mode is off.
  package var debug: Debug?
  /// Nil: nobody may record the sound.
  package var recording: Recording?
  /// Nil: no program of the wearer's session tells which earphones they have on.
  package var earphones: Earphones?
  package let calibration: Calibration
  package private(set) var meters: MetersReport
  package private(set) var latency: Latency?
  package let realtime: Realtime
  package let memory: Memory
  package let clock: Clock?
  /// The file in force; nil: defaults.
  package let configurationFile: String?
}

extension StatusReport {
  /// The same without anything about the wearer, for somebody without a role.
  var withoutHearing: StatusReport {
    var report = self
    (report.prescription, report.program, report.feedback) = (nil, nil, nil)
    (report.stream, report.procedure) = (nil, nil)
    report.debug = debug?.withoutHearing
    report.earphones = nil
    report.fitting = fitting.withoutHearing
    report.meters = meters.withoutHearing
    report.latency = latency?.withoutHearing
    return report
  }

  /// True of a daemon that has its configuration of a file; nil: of none.
  package func isBy(configuration file: String?) -> Bool {
    guard let used = configurationFile, let file else { return configurationFile == file }
    return FilePath.isSame(used, file)
  }

  /// True of a report for somebody without a role (``withoutHearing``).
  package var isWithheld: Bool { meters.right.limiter.activeShare == nil }

  /// Without prescription, program, feedback and procedure.
  ///
  /// - Parameter file: Of the configuration.
  init(_ aid: AidSnapshot, daemon: Daemon, file: String? = nil) {
    let hearing = aid.hearing
    self.init(
      daemon: daemon, state: aid.state,
      devices: aid.devices.map {
        Devices(
          capture: .init($0.captureName, $0.capture), playback: .init($0.playbackName, $0.playback),
          periodFrames: $0.period)
      }, fitting: Fitting(hearing),
      calibration: Calibration(hearing, found: aid.found), meters: MetersReport(aid),
      latency: Latency(aid), realtime: Realtime(aid.scheduling), memory: Memory(aid.memory),
      clock: aid.isSounding
        ? Clock(
          isShared: aid.reading.drift == .shared, driftPPM: aid.reading.drift.partsPerMillion?.finite)
        : nil,
      configurationFile: file)
  }

  /// A procedure that has the audio thread in place of the aid, or one that ended before it had a result.
  package struct Procedure: Sendable, Codable, Hashable {
    /// `feedback` or `loop delay`.
    package let name: String
    /// Its caller's.
    package let pid: Int32
    /// Its beginning, s since 1970-01-01 UTC.
    package let beganUnixSeconds: Double
    /// Share done, 0…1.
    package var share = 0.0
    /// Time at which it broke off, s since 1970-01-01 UTC; nil: it is under way.
    package var endedUnixSeconds: Double?
    /// Reason for which it broke off, a clause.
    package var reason: String?
  }

  /// State of the sound, its reason and its beginning.
  package struct State: Sendable, Codable, Hashable {
    package enum Name: String, Sendable, Codable, CaseIterable {
      case stopped, starting, running, muted, faulted
      case waitingForDevice = "waiting-for-device"
    }

    package let name: Name
    /// Reason, one sentence without a full stop: `no such device hw:CARD=Aid`.
    package let reason: String?
    /// True when silence was asked for. It is remembered while no sound flows, and then stands beside
    /// another name than ``Name/muted``.
    package let isMuted: Bool
    /// Beginning of the state, s since 1970-01-01 UTC.
    package let sinceUnixSeconds: Double

    /// - Parameter isMuted: Nil: as the name says.
    init(_ name: Name, reason: String? = nil, isMuted: Bool? = nil, since: Double) {
      self.name = name
      self.reason = reason
      self.isMuted = isMuted ?? (name == .muted)
      sinceUnixSeconds = since.isFinite ? since : 0
    }
  }

  /// The process that reports.
  package struct Daemon: Sendable, Codable, Hashable {
    package let version: String
    package let pid: Int32
    /// Time of its start, s since 1970-01-01 UTC.
    package let startedUnixSeconds: Double
    /// Time of the report, s since 1970-01-01 UTC.
    package let nowUnixSeconds: Double
    /// The last time that a signal ended it and it was started again; nil: none.
    package var restart: Restart?
    /// Time at which another file was found in the place of its program, s since 1970-01-01 UTC: a version that plays after the
    /// next start; nil: there is none.
    package var replacedUnixSeconds: Double?
  }

  /// A start again after a signal has ended the daemon, by the process that `auricle start` leaves beside it.
  package struct Restart: Sendable, Codable, Hashable {
    /// Starts again since `auricle start`.
    package let count: Int
    /// Time of the last one, s since 1970-01-01 UTC.
    package let unixSeconds: Double
    /// Cause of the daemon's end, a clause: `illegal instruction, SIGILL`.
    package let reason: String
  }
}

extension StatusReport.State {
  /// - Parameter isKeptDown: True while drop-outs keep the sound of a running aid below its full level.
  init(of state: AidState, isKeptDown: Bool = false, isMuted: Bool, since: Double) {
    let (name, reason): (Name, String?) =
      switch state {
      case .stopped: (.stopped, nil)
      case .starting: (.starting, nil)
      case .running: (.running, isKeptDown ? DropoutWatch.reason : nil)
      case .muted: (.muted, nil)
      case .waitingForDevice(let reason): (.waitingForDevice, reason)
      case .faulted(let reason): (.faulted, reason)
      }
    // The state was read a moment before or after; running and muted say it themselves.
    self.init(name, reason: reason, isMuted: name == .muted || (isMuted && name != .running), since: since)
  }

  /// True when name, reason and mute are the same; the time does not count.
  func isSame(as other: Self) -> Bool { isAlike(other) && isMuted == other.isMuted }

  /// True when name and reason are the same.
  func isAlike(_ other: Self) -> Bool { name == other.name && reason == other.reason }
}
