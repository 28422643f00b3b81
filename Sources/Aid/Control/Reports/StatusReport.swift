/// Everything the daemon tells about itself, as `auricle status --json` prints it.
///
/// Keys carry their unit. A level that has no number, silence for instance, is absent. No hearing
/// thresholds are in it: they are health data.
package struct StatusReport: Sendable, Codable, Equatable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package static let schema = 107

  package let schema: Int
  package let daemon: Daemon
  package let state: State
  /// Nil while no device is open.
  package let devices: Devices?
  package let fitting: Fitting
  /// Nil when there is none in the book.
  package let prescription: Prescription?
  /// Nil when a daemon older than the programs reports.
  package let program: ProgramReport?
  /// Nil when a daemon older than the feedback test reports.
  package let feedback: Feedback?
  package let calibration: Calibration
  package let meters: MetersReport
  package let latency: Latency?
  package let realtime: Realtime
  package let memory: Memory
  package let clock: Clock?
  /// The file in force; nil: defaults.
  package let configurationFile: String?

  package init(
    daemon: Daemon, state: State, devices: Devices?, fitting: Fitting,
    prescription: Prescription? = nil, program: ProgramReport? = nil, feedback: Feedback? = nil,
    calibration: Calibration,
    meters: MetersReport, latency: Latency?, realtime: Realtime, memory: Memory, clock: Clock?,
    configurationFile: String?
  ) {
    schema = Self.schema
    self.daemon = daemon
    self.state = state
    self.devices = devices
    self.fitting = fitting
    self.prescription = prescription
    self.program = program
    self.feedback = feedback
    self.calibration = calibration
    self.meters = meters
    self.latency = latency
    self.realtime = realtime
    self.memory = memory
    self.clock = clock
    self.configurationFile = configurationFile
  }

  enum CodingKeys: String, CodingKey {
    case schema, daemon, state, devices, fitting, prescription, program, feedback, calibration, meters,
      latency, realtime, memory, clock
    case configurationFile = "configuration_file"
  }
}

extension StatusReport {
  /// Whether the audio thread has real-time priority.
  package struct Realtime: Sendable, Codable, Hashable {
    package let isGranted: Bool
    /// `SCHED_FIFO`, `SCHED_RR` or `SCHED_OTHER`.
    package let policy: String
    package let priority: Int
    /// Why it was not granted.
    package let reason: String?

    package init(isGranted: Bool, policy: String, priority: Int, reason: String?) {
      self.isGranted = isGranted
      self.policy = policy
      self.priority = priority
      self.reason = reason
    }

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

    package init(isLocked: Bool, reason: String?) {
      self.isLocked = isLocked
      self.reason = reason
    }

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

    package init(isShared: Bool, drift: Double?) {
      self.isShared = isShared
      self.drift = drift.finite
    }

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
    package let number: Int?
    /// Number that the clinic gave it.
    package let serial: Int?
    package let clinic: String?
    /// Word of the environment it is for.
    package let environment: String?
    /// When the trial ends, s since 1970-01-01 UTC; nil: no trial.
    package let trialEnds: Double?
    /// When it expires or expired, s since 1970-01-01 UTC.
    package let expires: Double?
    /// Until when a developer's pass is open, s since 1970-01-01 UTC.
    package let developerMode: Double?
    /// What the wearer should know, whole sentences: it has expired, the book cannot be read.
    package let notes: [String]

    package init(
      number: Int? = nil, serial: Int?, clinic: String?, environment: String?, trialEnds: Double? = nil,
      expires: Double? = nil, developerMode: Double? = nil, notes: [String] = []
    ) {
      self.number = number
      self.serial = serial
      self.clinic = clinic
      self.environment = environment
      self.trialEnds = trialEnds
      self.expires = expires
      self.developerMode = developerMode
      self.notes = notes
    }

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
