import Base

extension StatusReport {
  /// Measurement and treatment of sound that comes back from the earphones to the microphones.
  package struct Feedback: Sendable, Codable, Hashable {
    package let left: Ear
    package let right: Ear
    /// True when the program in force has the canceller on.
    package let isCancelling: Bool
    /// Time until the first trace of what is sent can come back, s; nil: not known while no sound flows.
    package let loopDelaySeconds: Double?
    /// Notes for the wearer, whole sentences.
    package var notes: [String] = []

    /// One ear.
    package struct Ear: Sendable, Codable, Hashable {
      /// Nil: not measured.
      package let path: Path?
      /// Measured delay of the loop; nil: not measured.
      package var delay: Delay?
      /// Howls notched or lowered since the sound began.
      package let howls: UInt64
      /// Frequency of the last one, Hz.
      package let lastHowlHz: Double?
      /// Reduction of the ear now because it went on howling, dB; 0: none.
      package var howlReliefDB = 0.0
      /// Times the canceller began anew since the sound began.
      package let cancellerResets: UInt64
    }

    /// A measured path, and what it takes from the prescription.
    package struct Path: Sendable, Codable, Hashable {
      /// s since 1970-01-01 UTC.
      package let measuredUnixSeconds: Double
      /// True when measured with the devices and rate in use; nil: none are in use. Another's limits the gain all the same.
      package let isTheseDevices: Bool?
      package let capture: String
      package let playback: String
      /// Hz.
      package let rateHz: Double
      /// From output to the first trace in the input, s; nil: nothing came back.
      package let delaySeconds: Double?
      package let bands: [Band]

      /// Bands in which something is taken.
      package var held: [Band] { bands.filter(\.isHeld) }
    }

    /// A measured delay of the loop, without the chain's own.
    package struct Delay: Sendable, Codable, Hashable {
      /// s since 1970-01-01 UTC.
      package let measuredUnixSeconds: Double
      /// True when measured with the devices, rate and period in use; nil: none are in use. Another's counts for nothing.
      package let isTheseDevices: Bool?
      package let capture: String
      package let playback: String
      /// Hz.
      package let rateHz: Double
      package let periodFrames: Int
      /// Level of the test sound, dB SPL.
      package let levelDBSPL: Double
      /// The middle one of all repetitions, s.
      package let delaySeconds: Double
      /// Longest less shortest repetition, s.
      package let spreadSeconds: Double
      package let repetitions: Int
      /// Delay that the devices told then, s; nil: none.
      package let deviceDelaySeconds: Double?
      /// Delay now, s: that of the devices may be another one since; nil while it is not that of the devices in use.
      package let presentSeconds: Double?
    }

    /// One band.
    package struct Band: Sendable, Codable, Hashable {
      /// Hz.
      package let centreHz: Double
      /// Greatest insertion gain without whistling, dB.
      package let greatestGainDB: Double
      /// Gain that is not given of the prescription, dB.
      package let heldBackDB: Double
      /// True when the reduction is worth telling.
      package let isHeld: Bool
      /// True when feedback was found; otherwise noise ended what could be seen.
      package let isFeedbackFound: Bool
    }
  }
}

/// Outcome of an action on measured feedback paths, if any, and the feedback then, as `auricle fit
/// feedback --json` prints it.
package struct FeedbackAnswer: Sendable, Codable, Hashable {
  /// Grows when a key is added, changes its hundred when one is renamed or means something else.
  package private(set) var schema = 101
  /// One or more whole sentences for the person who asked.
  package let message: String
  package let feedback: StatusReport.Feedback

  static let words = "'message', whole sentences; 'feedback' then"

  package init(message: String, feedback: StatusReport.Feedback) {
    self.message = message
    self.feedback = feedback
  }

  /// After a measurement was kept.
  package static func kept(_ feedback: StatusReport.Feedback) -> FeedbackAnswer {
    FeedbackAnswer(message: "Kept; it limits the gain from now on.", feedback: feedback)
  }

  /// After a delay was kept.
  package static func keptDelay(_ feedback: StatusReport.Feedback) -> FeedbackAnswer {
    FeedbackAnswer(
      message:
        "Kept; auricle status tells it beside the devices' own figure, and the feedback canceller goes by it.",
      feedback: feedback)
  }

  /// After all measurements were removed.
  package static func cleared(_ feedback: StatusReport.Feedback) -> FeedbackAnswer {
    FeedbackAnswer(
      message: "Forgotten: feedback limits nothing now, and no measured delay counts.", feedback: feedback)
  }
}

/// News of a feedback test, which its caller is told without asking: one of the four is there.
package struct FeedbackNotice: Sendable, Codable, Hashable {
  /// Name of the notification.
  package static let topic = "feedback"

  /// Share of the whole that is done, 0…1.
  package var share: Double?
  /// Finding for which a run is taken once more, a clause.
  package var onceMore: String?
  /// The test has a result, which is kept.
  package var answer: FeedbackAnswer?
  /// The test has ended without a result.
  package var error: Failure?

  /// True of the last one of a test.
  var isLast: Bool { answer != nil || error != nil }
}
