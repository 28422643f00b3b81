extension StatusReport {
  /// What the aid is doing, since when and why.
  public struct State: Sendable, Codable, Hashable {
    public enum Name: String, Sendable, Codable, CaseIterable {
      case stopped, starting, running, muted, faulted
      case waitingForDevice = "waiting-for-device"
    }

    public let name: Name
    /// Why, one sentence without a full stop: `no such device hw:CARD=Aid`.
    public let reason: String?
    /// Whether silence was asked for. It is remembered while no sound flows, and then stands beside
    /// another name than ``Name/muted``.
    public let isMuted: Bool
    /// When the state began, s since 1970-01-01 UTC.
    public let since: Double

    /// - Parameter isMuted: Nil: as the name says.
    public init(_ name: Name, reason: String? = nil, isMuted: Bool? = nil, since: Double) {
      self.name = name
      self.reason = reason
      self.isMuted = isMuted ?? (name == .muted)
      self.since = since.isFinite ? since : 0
    }

    enum CodingKeys: String, CodingKey {
      case name, reason
      case isMuted = "muted"
      case since = "since_unix_seconds"
    }
  }

  /// The process that reports.
  public struct Daemon: Sendable, Codable, Hashable {
    public let version: String
    public let processID: Int32
    /// When it started, s since 1970-01-01 UTC.
    public let started: Double
    /// When the report was made, s since 1970-01-01 UTC.
    public let now: Double
    /// The last time that a signal ended it and it was started again; nil: none.
    public let restart: Restart?

    public init(
      version: String, processID: Int32, started: Double, now: Double, restart: Restart? = nil
    ) {
      self.version = version
      self.processID = processID
      self.started = started
      self.now = now
      self.restart = restart
    }

    enum CodingKeys: String, CodingKey {
      case version, restart
      case processID = "pid"
      case started = "started_unix_seconds"
      case now = "now_unix_seconds"
    }
  }
  /// A start again after a signal has ended the daemon, by the process that `auricle start` leaves beside it.
  public struct Restart: Sendable, Codable, Hashable {
    /// Starts again since `auricle start`.
    public let count: Int
    /// When the last one was, s since 1970-01-01 UTC.
    public let time: Double
    /// Cause of the daemon's end, a clause: `illegal instruction, SIGILL`.
    public let reason: String

    public init(count: Int, time: Double, reason: String) {
      self.count = count
      self.time = time
      self.reason = reason
    }

    enum CodingKeys: String, CodingKey {
      case count, reason
      case time = "unix_seconds"
    }
  }
}
