public import Acoustics
import Glibc
import HearingDSP

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
