public import Acoustics
import HearingDSP

/// What is known of feedback: the paths measured, and the delay of the devices now.
///
/// A value: control makes it of what is kept and what the devices say, and it reaches the audio thread only as what
/// ``HearingSettings`` make of it, limits of gain and ``FeedbackPath``. Nothing here fails: what is not known is nil.
///
/// - Threads: `any`; nothing is shared between copies.
public struct FeedbackKnowledge: Sendable, Equatable {
  /// Measured paths of each ear, full scale to full scale; nil: not measured. One of other devices counts as well.
  public var measurements = Binaural<FeedbackMeasurement?>(both: nil)
  /// Delay of the devices in use from output to input as they say it, s, 0 or more; nil: not known yet.
  public var deviceDelay: Double?
  /// Whether an ear's path was measured with the devices in use; another's still limits the gain, but is not cancelled
  /// by. Nil: no path, or the devices are not known yet.
  public var isOfTheseDevices = Binaural<Bool?>(both: nil)

  /// Whether an ear's canceller is counted on: false for a while after it did harm with what was measured.
  public var isCancellerTrusted = Binaural(both: true)

  /// Nothing: no gain is limited, and the canceller begins with no path.
  public static let none = FeedbackKnowledge()

  /// Nothing is known; see ``none``.
  public init() {}

  /// What the canceller begins with: the measured response, at the rate of its measurement, behind the loop's delay now.
  ///
  /// - Returns: Nil while it is not known for the devices in use, or when it is too long or too loud for a chain to cancel.
  func path(for ear: Ear) -> FeedbackPath? {
    guard isOfTheseDevices[ear] == true, let deviceDelay, let measured = measurements[ear],
      let delay = measured.delay(with: deviceDelay)
    else { return nil }
    let path = FeedbackPath(sampleRate: measured.rate, delay: delay, response: measured.response)
    // A path that is too long or too loud to be cancelled still limits the gain.
    return (try? path.check()) == nil ? nil : path
  }

  /// Time until the first trace of what is sent can come back at either ear, s, 0 or more; 0 while nothing is known.
  ///
  /// The shorter one of the measured ears; an ear that was not measured with these devices counts with theirs alone.
  public var loopDelay: Double {
    guard let deviceDelay else { return 0 }
    let measured = Ear.allCases.compactMap { ear in
      isOfTheseDevices[ear] == true ? measurements[ear]?.delay(with: deviceDelay) : nil
    }
    return measured.count == 2
      ? min(measured[0], measured[1]) : min(deviceDelay, measured.first ?? deviceDelay)
  }
}
