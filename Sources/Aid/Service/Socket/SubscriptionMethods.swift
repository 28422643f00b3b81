import Control
import Engine

/// The method by which a connection is sent notifications, and its answer, what is granted.
package struct Subscription: ControlMethod, Hashable {
  package typealias Reply = Subscription

  package enum Topic: String, Sendable, Codable, CaseIterable {
    /// Each change of state.
    case state
    /// Levels, gains and load at regular intervals.
    case meters
    /// Each change of the prescription in force, of its trial and of the notes about it.
    case prescription

    /// Those of a client that names none: what every client of protocol 1 expects then.
    static let usual: Set<Topic> = [.state, .meters]
  }

  /// Time between two meter notifications, s.
  package static let intervals = 0.05...60.0

  package static let description = MethodDescription(
    "subscribe", for: .any, "Sends notifications from now on, in place of former ones.",
    [
      MethodParameter(
        "topics", .words(Topic.allCases.map(\.rawValue)), isOptional: true,
        "state, each change of state; meters, levels, gains and load at regular intervals, and prescription, each change"
          + " of the one in force, for those who have a role; state and meters when left out"
      ),
      MethodParameter(
        "interval_seconds", .number(intervals), isOptional: true, "between two meters, s; 1 when left out"),
    ], answer: "'topics' and 'interval_seconds' as granted", conduct: .staying)

  /// In the order of their words, each once.
  package let topics: [Topic]
  /// Time between two meter notifications, s, in ``intervals``.
  package let intervalSeconds: Double

  /// - Parameter interval: s; taken as the nearest of ``intervals``.
  package init(to topics: Set<Topic>, every interval: Double = 1) {
    self.topics = topics.sorted { $0.rawValue < $1.rawValue }
    intervalSeconds = Self.intervals.nearest(to: interval)
  }

  /// The same without topics that tell of the wearer's hearing: meters by their gain, and the prescription.
  var withoutHearing: Subscription {
    Subscription(to: Set(topics).intersection([.state]), every: intervalSeconds)
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      to: try values.decodeIfPresent(Set<Topic>.self, forKey: .topics) ?? Topic.usual,
      every: try values.decodeIfPresent(Double.self, forKey: .intervalSeconds) ?? 1)
  }
}

/// The method by which a connection is sent spectra, and its answer, what is granted.
package struct SpectrumSubscription: ControlMethod, Hashable {
  package typealias Reply = SpectrumSubscription

  /// Topic of the notifications.
  package static let topic = "spectrum"
  /// Time between two spectra, s.
  package static let intervals = SpectrumWatch.interval...60.0

  package static let description = MethodDescription(
    "spectrum.watch", for: [.audiologist, .developer, .owner],
    "Sends spectra of the sound before and behind the aid, with the parts of the gain, until unsubscribe or "
      + "the end of the role that it needs.",
    [
      MethodParameter(
        "interval_seconds", .number(intervals), isOptional: true,
        "between two spectra, s; 0.04 when left out")
    ], answer: "'interval_seconds' as granted", conduct: .staying)

  /// In ``intervals``.
  package let intervalSeconds: Double

  /// - Parameter interval: s; taken as the nearest of ``intervals``.
  package init(every interval: Double = SpectrumWatch.interval) {
    intervalSeconds = Self.intervals.nearest(to: interval)
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      every: try values.decodeIfPresent(Double.self, forKey: .intervalSeconds) ?? SpectrumWatch.interval)
  }
}

/// The last notification of spectra to a client that may not be sent them any longer.
package struct SpectrumEnd: Sendable, Codable, Hashable {
  /// Reason, a clause.
  package let ended: String
}

extension ClosedRange<Double> {
  /// The value of the range that is nearest: an interval of no time would load a core. What is not a number is the least.
  fileprivate func nearest(to value: Double) -> Double {
    Swift.min(Swift.max(lowerBound, value), upperBound)
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
