public import Acoustics
import HearingDSP

/// What is known of feedback: the paths measured, and the delay of the devices now.
///
/// - Threads: `any`.
public struct FeedbackKnowledge: Sendable, Equatable {
  /// Measured paths; nil: none.
  public var measurements = Binaural<FeedbackMeasurement?>(both: nil)
  /// Delay of the devices in use from output to input, s; nil: not known yet.
  public var deviceDelay: Double?
  /// Whether an ear's path was measured with the devices in use; another's still limits the gain, but is not cancelled
  /// by. Nil: no path, or the devices are not known yet.
  public var isOfTheseDevices = Binaural<Bool?>(both: nil)

  public static let none = FeedbackKnowledge()

  public init() {}

  /// What the canceller begins with; nil while it is not known for the devices in use, or no chain could use it.
  func path(for ear: Ear) -> FeedbackPath? {
    guard isOfTheseDevices[ear] == true, let deviceDelay, let measured = measurements[ear],
      let delay = measured.delay(with: deviceDelay)
    else { return nil }
    let path = FeedbackPath(sampleRate: measured.rate, delay: delay, response: measured.response)
    // A path that is too long or too loud to be cancelled still limits the gain.
    return (try? path.check()) == nil ? nil : path
  }

  /// Time until the first trace of what is sent can come back at either ear, s; 0 while nothing is known.
  public var loopDelay: Double {
    guard let deviceDelay else { return 0 }
    let measured = Ear.allCases.compactMap { ear in
      isOfTheseDevices[ear] == true ? measurements[ear]?.delay(with: deviceDelay) : nil
    }
    return measured.count == 2
      ? min(measured[0], measured[1]) : min(deviceDelay, measured.first ?? deviceDelay)
  }
}
