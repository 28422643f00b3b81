import Control

/// The method by which a connection is sent notifications, and its answer, what is granted.
package struct Subscription: ControlMethod, Hashable {
  package typealias Reply = Subscription

  package enum Topic: String, Sendable, Codable, CaseIterable {
    /// Each change of state.
    case state
    /// Levels, gains and load at regular intervals.
    case meters
  }

  /// Time between two meter notifications, s.
  package static let intervals = 0.05...60.0

  package static let description = MethodDescription(
    "subscribe", for: .any, "Sends notifications from now on, in place of former ones.",
    [
      MethodParameter(
        "topics", .words(Topic.allCases.map(\.rawValue)), isOptional: true,
        "state, each change of state; meters, levels, gains and load at regular intervals; both when left out"
      ),
      MethodParameter(
        "interval_seconds", .number(intervals), isOptional: true, "between two meters, s; 1 when left out"),
    ], answer: "'topics' and 'interval_seconds' as granted")

  package let topics: Set<Topic>
  /// Time between two meter notifications, s, in ``intervals``.
  package let interval: Double

  package init(to topics: Set<Topic>, every interval: Double = 1) {
    self.topics = topics
    self.interval = interval
  }

  enum CodingKeys: String, CodingKey {
    case topics
    case interval = "interval_seconds"
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    topics = try values.decodeIfPresent(Set<Topic>.self, forKey: .topics) ?? Set(Topic.allCases)
    interval = try values.decodeIfPresent(Double.self, forKey: .interval) ?? 1
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(topics.map(\.rawValue).sorted(), forKey: .topics)
    try values.encode(interval, forKey: .interval)
  }
}

/// The method that ends notifications.
package struct Unsubscription: ControlMethod {
  /// An empty object.
  package typealias Reply = [String: Bool]

  package static let description = MethodDescription(
    "unsubscribe", for: .any, "Ends the notifications.", answer: "")

  package init() {}
}
