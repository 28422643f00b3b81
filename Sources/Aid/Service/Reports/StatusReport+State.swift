extension StatusReport {
  /// What the aid is doing, since when and why.
  package struct State: Sendable, Codable, Hashable {
    package enum Name: String, Sendable, Codable, CaseIterable {
      case stopped, starting, running, muted, faulted
      case waitingForDevice = "waiting-for-device"
    }

    package let name: Name
    /// Why, one sentence without a full stop: `no such device hw:CARD=Aid`.
    package let reason: String?
    /// Whether silence was asked for. It is remembered while no sound flows, and then stands beside
    /// another name than ``Name/muted``.
    package let isMuted: Bool
    /// When the state began, s since 1970-01-01 UTC.
    package let since: Double

    /// - Parameter isMuted: Nil: as the name says.
    init(_ name: Name, reason: String? = nil, isMuted: Bool? = nil, since: Double) {
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
  package struct Daemon: Sendable, Codable, Hashable {
    package let version: String
    package let processID: Int32
    /// When it started, s since 1970-01-01 UTC.
    package let started: Double
    /// When the report was made, s since 1970-01-01 UTC.
    package let now: Double
    /// The last time that a signal ended it and it was started again; nil: none.
    package var restart: Restart?

    enum CodingKeys: String, CodingKey {
      case version, restart
      case processID = "pid"
      case started = "started_unix_seconds"
      case now = "now_unix_seconds"
    }
  }
  /// A start again after a signal has ended the daemon, by the process that `auricle start` leaves beside it.
  package struct Restart: Sendable, Codable, Hashable {
    /// Starts again since `auricle start`.
    package let count: Int
    /// When the last one was, s since 1970-01-01 UTC.
    package let time: Double
    /// Cause of the daemon's end, a clause: `illegal instruction, SIGILL`.
    package let reason: String

    enum CodingKeys: String, CodingKey {
      case count, reason
      case time = "unix_seconds"
    }
  }
}
