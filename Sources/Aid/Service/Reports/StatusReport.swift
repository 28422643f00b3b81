/// Everything the daemon tells about itself, as `auricle status --json` prints it.
///
/// Keys carry their unit. A level that has no number, silence for instance, is absent. No hearing
/// thresholds are in it: they are health data.
package struct StatusReport: Sendable, Codable, Equatable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package static let schema = 108

  package private(set) var schema = Self.schema
  package let daemon: Daemon
  package let state: State
  /// Nil while no device is open.
  package let devices: Devices?
  package let fitting: Fitting
  /// Nil when there is none in the book.
  package var prescription: Prescription?
  /// Nil when a daemon older than the programs reports.
  package var program: ProgramReport?
  /// Nil when a daemon older than the feedback test reports.
  package var feedback: Feedback?
  /// The procedure under way, or the last one where it broke off; nil: none.
  package var procedure: Procedure?
  package let calibration: Calibration
  package let meters: MetersReport
  package let latency: Latency?
  package let realtime: Realtime
  package let memory: Memory
  package let clock: Clock?
  /// The file in force; nil: defaults.
  package let configurationFile: String?

  enum CodingKeys: String, CodingKey {
    case schema, daemon, state, devices, fitting, prescription, program, feedback, procedure, calibration,
      meters,
      latency, realtime, memory, clock
    case configurationFile = "configuration_file"
  }
}

extension StatusReport {
  /// A procedure that has the audio thread in place of the aid, or one that ended before it had a result.
  package struct Procedure: Sendable, Codable, Hashable {
    /// `feedback`.
    package let name: String
    /// Its caller's.
    package let processID: Int32
    /// When it began, s since 1970-01-01 UTC.
    package let began: Double
    /// Share done, 0…1.
    package var share = 0.0
    /// When it broke off, s since 1970-01-01 UTC; nil: it is under way.
    package var ended: Double?
    /// Reason for which it broke off, a clause.
    package var reason: String?

    enum CodingKeys: String, CodingKey {
      case name, share, reason
      case processID = "pid"
      case began = "began_unix_seconds"
      case ended = "ended_unix_seconds"
    }
  }

  /// Whether the audio thread has real-time priority.
  package struct Realtime: Sendable, Codable, Hashable {
    package let isGranted: Bool
    /// `SCHED_FIFO`, `SCHED_RR` or `SCHED_OTHER`.
    package let policy: String
    package let priority: Int
    /// Why it was not granted.
    package let reason: String?

    enum CodingKeys: String, CodingKey {
      case policy, priority, reason
      case isGranted = "granted"
    }
  }

  /// Whether memory is kept from being paged out.
  package struct Memory: Sendable, Codable, Hashable {
    package let isLocked: Bool
    /// Why not.
    package let reason: String?

    enum CodingKeys: String, CodingKey {
      case reason
      case isLocked = "locked"
    }
  }

  /// The clocks of the two directions.
  package struct Clock: Sendable, Codable, Hashable {
    /// Whether one clock drives both.
    package let isShared: Bool
    /// Excess of playback's clock rate over capture's, parts per million; negative when it is the slower.
    package let drift: Double?

    enum CodingKeys: String, CodingKey {
      case isShared = "shared"
      case drift = "drift_ppm"
    }
  }
}

extension StatusReport {
  /// The prescription that is heard, from the book; without names and thresholds, which are health data.
  package struct Prescription: Sendable, Codable, Hashable {
    /// Number in the book, by which commands call it; nil: of a book that cannot be read.
    package var number: Int?
    /// Number that the clinic gave it.
    package let serial: Int?
    package let clinic: String?
    /// Word of the environment it is for.
    package let environment: String?
    /// When the trial ends, s since 1970-01-01 UTC; nil: no trial.
    package var trialEnds: Double?
    /// When it expires or expired, s since 1970-01-01 UTC.
    package var expires: Double?
    /// Until when a developer's pass is open, s since 1970-01-01 UTC.
    package var developerMode: Double?
    /// What the wearer should know, whole sentences: it has expired, the book cannot be read.
    package var notes: [String] = []

    /// The same with another note.
    package func with(note: String) -> Prescription {
      Prescription(
        number: number, serial: serial, clinic: clinic, environment: environment, trialEnds: trialEnds,
        expires: expires, developerMode: developerMode, notes: notes + [note])
    }

    enum CodingKeys: String, CodingKey {
      case number, serial, clinic, environment, notes
      case trialEnds = "trial_ends_unix_seconds"
      case expires = "expires_unix_seconds"
      case developerMode = "developer_mode_until_unix_seconds"
    }
  }
}
