public import Acoustics
import Glibc
import HearingDSP

/// The most that a band may amplify before the ear whistles, and what that takes from it.
///
/// - Threads: `any`.
public struct GainLimit: Sendable, Equatable {
  /// Hz.
  public let centre: Double
  /// Greatest insertion gain, dB.
  public let limit: Double
  /// Most that is not given at any level, dB; not negative.
  public let reduction: Double
  /// Whether feedback was found there; else noise ended what could be seen, and less gain was never tried.
  public let isFound: Bool

  /// Less than this nobody hears, dB: half of the least difference in level that is told apart in speech (1 dB, from
  /// memory).
  private static let leastTold = 0.5

  /// Whether it takes something worth telling.
  public var isHolding: Bool { reduction >= Self.leastTold }
}

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

/// How much gain an ear can have before it whistles, by band.
///
/// A loop is stable whatever its phase while the gain around it stays below 1 (Nyquist; with two ears that hear each
/// other, while that holds for the sum of what comes back to a microphone: small-gain theorem).
///
/// - Threads: `any`.
public enum MaximumStableGain {
  /// Distance kept from the edge, dB: at 6 dB below it the response is still raised and dented by up to 6 dB and 3.5 dB,
  /// 1/(1 ∓ ½), and a hand near the ear adds some dB. Usual margins are 4 to 8 dB (from memory); own choice.
  public static let margin = 6.0
  /// What the canceller is counted on for, dB: two thirds of the least that its own tests ask of it, 15 dB. Only where it
  /// follows a path in full, ``FeedbackControl/cancelledFrequencies``.
  public static let certainAddedGain = 10.0

  /// Greatest gain of each band in the digits, dB.
  ///
  /// Between two centres the gain lies between those of both, so each band is held by the greatest |F| from the centre
  /// below to the centre above.
  ///
  /// - Parameters:
  ///   - feedback: Measured.
  ///   - bands: The chain's.
  ///   - isCancelling: Whether the canceller is on and begins with this path.
  /// - Returns: One per band; infinite where nothing was measured.
  public static func gains(
    _ feedback: FeedbackMeasurement, bands: BandLayout, isCancelling: Bool
  ) -> [Double] {
    bands.centres.indices.map { band in
      guard let cell = decisive(feedback.cells, bands: bands, band: band, isCancelling: isCancelling)
      else { return .infinity }
      return -remaining(cell, isCancelling: isCancelling) - margin
    }
  }

  /// |F| of a cell less what the canceller takes away there for certain, dB.
  private static func remaining(_ cell: FeedbackCell, isCancelling: Bool) -> Double {
    let isCancelled = isCancelling && FeedbackControl.cancelledFrequencies.contains(cell.frequency)
    return cell.level - (isCancelled ? certainAddedGain : 0)
  }

  /// The strongest of the cells on which a band's gain acts; where none was measured, of the nearest below and above. Nil
  /// without cells.
  static func decisive(
    _ cells: [FeedbackCell], bands: BandLayout, band: Int, isCancelling: Bool
  ) -> FeedbackCell? {
    // Half a cell more on both sides, so that no frequency lies between two.
    let half = exp2(0.5 / FeedbackCell.perOctave)
    guard let first = cells.first, let last = cells.last else { return nil }
    let low = min(band > 0 ? bands.centres[band - 1] : 0, last.frequency) / half
    let high = max(band + 1 < bands.count ? bands.centres[band + 1] : .infinity, first.frequency) * half
    var acting = cells.filter { low...high ~= $0.frequency }
    if acting.isEmpty {
      let neighbours = [cells.last { $0.frequency < low }, cells.first { $0.frequency > high }]
      acting = neighbours.compactMap(\.self)
    }
    return acting.max {
      remaining($0, isCancelling: isCancelling) < remaining($1, isCancelling: isCancelling)
    }
  }
}
