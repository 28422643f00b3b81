extension StatusReport {
  /// Whether the audio thread has real-time priority.
  public struct Realtime: Sendable, Codable, Hashable {
    public let isGranted: Bool
    /// `SCHED_FIFO`, `SCHED_RR` or `SCHED_OTHER`.
    public let policy: String
    public let priority: Int
    /// Why it was not granted.
    public let reason: String?

    public init(isGranted: Bool, policy: String, priority: Int, reason: String?) {
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
  public struct Memory: Sendable, Codable, Hashable {
    public let isLocked: Bool
    /// Why not.
    public let reason: String?

    public init(isLocked: Bool, reason: String?) {
      self.isLocked = isLocked
      self.reason = reason
    }

    enum CodingKeys: String, CodingKey {
      case reason
      case isLocked = "locked"
    }
  }

  /// The clocks of the two directions.
  public struct Clock: Sendable, Codable, Hashable {
    /// Whether one clock drives both.
    public let isShared: Bool
    /// Excess of playback's clock rate over capture's, parts per million; negative when it is the slower.
    public let drift: Double?

    public init(isShared: Bool, drift: Double?) {
      self.isShared = isShared
      self.drift = drift.finite
    }

    enum CodingKeys: String, CodingKey {
      case isShared = "shared"
      case drift = "drift_ppm"
    }
  }
}
