/// Everything the daemon tells about itself, as `auricle status --json` prints it.
///
/// Keys carry their unit. A level that has no number, silence for instance, is absent. No hearing
/// thresholds are in it: they are health data.
public struct StatusReport: Sendable, Codable, Equatable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  public static let schema = 107

  public let schema: Int
  public let daemon: Daemon
  public let state: State
  /// Nil while no device is open.
  public let devices: Devices?
  public let fitting: Fitting
  /// Nil when there is none in the book.
  public let prescription: Prescription?
  /// Nil when a daemon older than the programs reports.
  public let program: ProgramReport?
  /// Nil when a daemon older than the feedback test reports.
  public let feedback: Feedback?
  public let calibration: Calibration
  public let meters: MetersReport
  public let latency: Latency?
  public let realtime: Realtime
  public let memory: Memory
  public let clock: Clock?
  /// The file in force; nil: defaults.
  public let configurationFile: String?

  public init(
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
