public import Acoustics

/// What is known of feedback: the paths measured, and the delay of the devices now.
///
/// - Threads: `any`.
public struct FeedbackKnowledge: Sendable, Equatable {
  /// Measured paths; nil: none.
  public var measurements = Binaural<FeedbackMeasurement?>(both: nil)
  /// Delay of the devices in use from output to input, s; nil: not known yet.
  public var deviceDelay: Double?
  /// Ears whose path was measured with the devices in use; another's still limits the gain, but is not cancelled by.
  public var isOfTheseDevices = Binaural(both: false)

  public static let none = FeedbackKnowledge()

  public init() {}

  /// Time until the first trace of what is sent can come back at either ear, s; 0 while nothing is known.
  public var loopDelay: Double {
    guard let deviceDelay else { return 0 }
    let measured = Ear.allCases.compactMap { ear in
      isOfTheseDevices[ear] ? measurements[ear]?.delay(with: deviceDelay) : nil
    }
    return measured.count == 2
      ? min(measured[0], measured[1]) : min(deviceDelay, measured.first ?? deviceDelay)
  }
}
