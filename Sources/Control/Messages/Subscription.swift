/// What a client wants to be told without asking.
public struct Subscription: Sendable, Hashable, Codable {
  public enum Topic: String, Sendable, Codable, CaseIterable {
    /// Each change of state.
    case state
    /// Levels, gains and load at regular intervals.
    case meters
  }

  /// Shortest time between two meter notifications, s.
  public static let shortestInterval = 0.05
  /// Longest time between two meter notifications, s.
  public static let longestInterval = 60.0

  public let topics: Set<Topic>
  /// Time between two meter notifications, s, ``shortestInterval``...``longestInterval``.
  public let interval: Double

  /// An interval outside the range is moved to its nearer end.
  public init(to topics: Set<Topic>, every interval: Double = 1) {
    self.topics = topics
    self.interval = min(max(interval, Self.shortestInterval), Self.longestInterval)
  }

  enum CodingKeys: String, CodingKey {
    case topics
    case interval = "interval_seconds"
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(topics.map(\.rawValue).sorted(), forKey: .topics)
    try values.encode(interval, forKey: .interval)
  }
}
