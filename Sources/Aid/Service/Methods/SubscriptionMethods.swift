import Base
import Control

/// Methods by which a connection is told without asking; its server carries them out.
package enum SubscriptionMethods {
  package struct Subscribe: ControlMethod {
    package typealias Reply = Subscription

    package static let description = MethodDescription(
      "subscribe", for: .any, "Sends notifications from now on, in place of former ones.",
      [
        MethodParameter(
          "topics", .words(Subscription.Topic.allCases.map(\.rawValue)), isOptional: true,
          "state: each change of state; meters: levels, gains and load at regular intervals; all when left out"
        ),
        MethodParameter(
          "interval_seconds", .number(Subscription.intervals), isOptional: true,
          "between two meters, s; 1 when left out"),
      ], answer: "'topics' and 'interval_seconds' as granted")

    let topics: Set<Subscription.Topic>?
    let interval: Double?

    package init(_ wanted: Subscription) {
      topics = wanted.topics
      interval = wanted.interval
    }

    var subscription: Subscription {
      Subscription(to: topics ?? Set(Subscription.Topic.allCases), every: interval ?? 1)
    }

    enum CodingKeys: String, CodingKey {
      case topics
      case interval = "interval_seconds"
    }
  }

  package struct Unsubscribe: ControlMethod {
    package typealias Reply = Ended

    package static let description = MethodDescription(
      "unsubscribe", for: .any, "Ends the notifications.", answer: "")

    package init() {}
  }

  /// An empty object.
  package struct Ended: Sendable, Codable, Hashable {}
}

extension MethodTable {
  /// Adds the methods that the connection itself carries out.
  mutating func registerSubscriptions() {
    register(SubscriptionMethods.Subscribe.self) { (method, caller) throws(Failure) in
      let granted = method.subscription
      caller.subscription = granted
      return granted
    }
    register(SubscriptionMethods.Unsubscribe.self) { (_, caller) throws(Failure) in
      caller.subscription = nil
      return SubscriptionMethods.Ended()
    }
  }
}

/// What a connection is sent without asking.
package struct Subscription: Sendable, Hashable, Codable {
  package enum Topic: String, Sendable, Codable, CaseIterable {
    /// Each change of state.
    case state
    /// Levels, gains and load at regular intervals.
    case meters
  }

  /// Time between two meter notifications, s.
  package static let intervals = 0.05...60.0

  package let topics: Set<Topic>
  /// Time between two meter notifications, s, in ``intervals``.
  package let interval: Double

  /// An interval outside the range is moved to its nearer end.
  package init(to topics: Set<Topic>, every interval: Double = 1) {
    self.topics = topics
    self.interval = min(max(interval, Self.intervals.lowerBound), Self.intervals.upperBound)
  }

  enum CodingKeys: String, CodingKey {
    case topics
    case interval = "interval_seconds"
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(topics.map(\.rawValue).sorted(), forKey: .topics)
    try values.encode(interval, forKey: .interval)
  }
}
