public import Acoustics
import Fitting
import Glibc
import HearingDSP

/// Greatest gain of a band before the ear whistles, and what that takes from the gain asked for.
///
/// - Threads: `any`.
public struct GainLimit: Sendable, Equatable {
  /// Hz.
  public let centre: Double
  /// Greatest insertion gain, dB.
  public let limit: Double
  /// Greatest part of the gain that is not given at any level, dB; not negative.
  public let reduction: Double
  /// True when feedback was found there; otherwise noise ended what could be seen, and less gain was never tried.
  public let isFound: Bool

  /// Least reduction that somebody hears, dB: half of the least difference in level that is told apart in speech (1 dB, from
  /// memory).
  private static let leastTold = 0.5

  /// True when it takes something worth telling.
  public var isHolding: Bool { reduction >= Self.leastTold }
}

/// Knowledge of feedback: the paths measured, and the delay of the devices now.
///
/// A value: control makes it of what is kept and what the devices say, and it reaches the audio thread only as what
/// ``HearingSettings`` make of it, limits of gain and ``FeedbackPath``. Nothing here fails: an unknown value is nil.
///
/// - Threads: `any`; nothing is shared between copies.
public struct FeedbackKnowledge: Sendable, Equatable {
  /// Measured paths of each ear, full scale to full scale; nil: not measured. One of other devices counts as well.
  public var measurements = Binaural<FeedbackMeasurement?>(both: nil)
  /// Delay of the devices in use from output to input as they say it, s, 0 or more; nil: not known yet.
  public var deviceDelay: Double?
  /// Measured delays of the loop at each ear; nil: not measured.
  public var delays = Binaural<LoopDelayMeasurement?>(both: nil)
  /// True when an ear's delay was measured with the devices, rate and period in use; otherwise it counts for nothing. Nil: none was
  /// measured, or the devices are not known yet.
  public var isDelayOfTheseDevices = Binaural<Bool?>(both: nil)
  /// True when an ear's path was measured with the devices in use; another's still limits the gain, but the canceller
  /// does not begin with it. Nil: no path, or the devices are not known yet.
  public var isOfTheseDevices = Binaural<Bool?>(both: nil)

  /// True when what reaches an ear's microphone from its own earphone and what comes from the other one are known apart; an ear
  /// that nobody has measured sends nothing that is known.
  func isDivided(at ear: Ear) -> Bool {
    measurements[ear]?.isOwnKnown == true && (measurements[ear.opposite]?.isCrossingKnown ?? true)
  }

  /// True when an ear's canceller is counted on: false for a while after it did harm with what was measured.
  public var isCancellerTrusted = Binaural(both: true)

  /// Nothing: no gain is limited, and the canceller begins with no path.
  public static let none = FeedbackKnowledge()

  /// Nothing is known; see ``none``.
  public init() {}

  /// Path that the canceller begins with: the measured response, at the rate of its measurement, behind the loop's delay now.
  ///
  /// - Returns: Nil while it is not known for the devices in use, or when it is too long or too loud for a chain to cancel.
  func path(for ear: Ear) -> FeedbackPath? {
    guard let measured = measurements[ear], let delay = pathDelay(ear) else { return nil }
    let path = FeedbackPath(sampleRate: measured.rate, delay: delay, response: measured.response)
    // A path that is too long or too loud to be cancelled still limits the gain.
    return (try? path.check()) == nil ? nil : path
  }

  /// Measured delay of the loop at an ear with the devices in use, s; nil: not measured with these.
  public func measuredDelay(for ear: Ear) -> Double? {
    guard isDelayOfTheseDevices[ear] == true, let deviceDelay else { return nil }
    return delays[ear]?.delay(with: deviceDelay)
  }

  /// Delay that the devices in use take beyond what they tell by the measurement of the loop at an ear, s;
  /// nil: not measured with these.
  private func untold(_ ear: Ear) -> Double? {
    isDelayOfTheseDevices[ear] == true ? delays[ear]?.untold : nil
  }

  /// Delay until an ear's measured path begins with the devices in use, s; nil: not measured with these, or
  /// it cannot be.
  ///
  /// Where the ear's own loop was measured, that says what the devices do not tell. The other ear's loop
  /// went through other air, so it may let a longer path count, and takes none away.
  private func pathDelay(_ ear: Ear) -> Double? {
    guard isOfTheseDevices[ear] == true, let deviceDelay, let measured = measurements[ear] else {
      return nil
    }
    if let own = untold(ear) { return measured.delay(with: deviceDelay, untold: own) }
    if let delay = measured.delay(with: deviceDelay) { return delay }
    return untold(ear.opposite).flatMap { measured.delay(with: deviceDelay, untold: $0) }
  }

  /// Delay of the loop by what was measured with the devices in use, s; nil: nothing was, or they are not
  /// known yet.
  ///
  /// The shorter one of both ears; each by its path, which was measured in the ear, otherwise by the loop's
  /// delay. An ear with neither counts as the other: what the devices do not tell is the same, and its own
  /// sound comes as far through the air.
  private var knownDelay: Double? {
    Ear.allCases.compactMap { pathDelay($0) ?? measuredDelay(for: $0) }.min()
  }

  /// True when ``loopDelay`` was measured; otherwise the devices tell it, and may tell too little.
  var isDelayMeasured: Bool { knownDelay != nil }

  /// Time until the first trace of what is sent can come back at either ear, s, 0 or more: as measured with
  /// the devices in use, otherwise as they tell it; 0 while nothing is known.
  public var loopDelay: Double { knownDelay ?? deviceDelay ?? 0 }
}

/// Greatest gain that an ear can have before it whistles, by band.
///
/// A loop is stable whatever its phase while the gain around it stays below 1 (Nyquist; with two ears that hear each
/// other, while that holds for the sum of what comes back to a microphone: small-gain theorem).
///
/// - Threads: `any`.
public enum MaximumStableGain {
  /// Distance kept from the edge, dB: at 6 dB below it the response is still raised and dented by up to 6 dB and 3.5 dB,
  /// 1/(1 ∓ ½), and a hand near the ear adds some dB. Usual margins are 4 to 8 dB (from memory); own choice.
  public static let margin = 6.0
  /// Gain that the canceller is counted on for, dB: two thirds of the least that its own tests ask of it, 15 dB. Only where it
  /// follows a path in full, ``FeedbackControl/cancelledFrequencies``, and of the sound of the ear's own earphone: each ear's
  /// canceller begins with that alone.
  public static let certainAddedGain = 10.0
  /// Time behind the canceller's first tap within which a path has to begin for that gain, s. Own choice: a
  /// tap of the first 0.73 ms learns in full, one at 1 ms takes 0.64 of a step, one at 3 ms 0.02.
  static let latestOnset = 0.001

  /// Greatest gain of each band in the digits, dB.
  ///
  /// Between two centres the gain lies between those of both, so each band is held by the greatest |F| from the centre
  /// below to the centre above.
  ///
  /// - Parameters:
  ///   - feedback: Measured at the ear.
  ///   - other: Measured at the other ear.
  ///   - bands: The chain's.
  ///   - isCancelling: True when the canceller is on and begins with this path.
  /// - Returns: One per band; infinite where nothing was measured.
  public static func gains(
    _ feedback: FeedbackMeasurement, other: FeedbackMeasurement? = nil, bands: BandLayout,
    isCancelling: Bool
  ) -> [Double] {
    let cells = cells(feedback, other: other)
    return bands.centres.indices.map { band in
      decisive(cells, bands: bands, band: band, isCancelling: isCancelling)
        .map { -remaining($0, isCancelling: isCancelling) - margin } ?? .infinity
    }
  }

  /// Cells at an ear's microphone, with what the other ear's earphone sends there by that ear's own test, where that is more than by
  /// this one: it may have been measured later, or alone.
  static func cells(_ feedback: FeedbackMeasurement, other: FeedbackMeasurement?) -> [FeedbackCell] {
    guard let other else { return feedback.cells }
    return feedback.cells.map { cell in
      func distance(_ other: FeedbackCell) -> Double { abs(other.frequency - cell.frequency) }
      let nearest = other.cells.min { distance($0) < distance($1) }
      guard let crossing = nearest?.crossing, crossing > FeedbackCell.floor else { return cell }
      var cell = cell
      // A level that is not told apart may have it in it already, and is then taken for too much.
      cell.level = max(cell.level, decibels(magnitude(cell.own ?? cell.level) + magnitude(crossing)))
      return cell
    }
  }

  /// |F| of a cell less what the canceller takes away there for certain, dB.
  private static func remaining(_ cell: FeedbackCell, isCancelling: Bool) -> Double {
    guard isCancelling, let own = cell.own,
      FeedbackControl.cancelledFrequencies.contains(cell.frequency)
    else { return cell.level }
    let taken = magnitude(min(own, cell.level)) * (1 - magnitude(-certainAddedGain))
    return decibels(magnitude(cell.level) - taken)
  }

  private static func magnitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

  private static func decibels(_ magnitude: Double) -> Double { 20 * log10(magnitude) }

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
      acting = [cells.last { $0.frequency < low }, cells.first { $0.frequency > high }].compactMap(\.self)
    }
    return acting.max {
      remaining($0, isCancelling: isCancelling) < remaining($1, isCancelling: isCancelling)
    }
  }
}

extension HearingSettings {
  /// True when the canceller is on and begins with what was measured at an ear, which lies where its taps
  /// learn: one that has yet to learn the path is counted on for nothing, nor is one that did harm, nor one at whose microphone
  /// nobody knows how much is the other earphone's, as where a former version has measured either ear.
  func isCancelling(at ear: Ear) -> Bool {
    guard treatment.feedback.isCancelling, feedback.isCancellerTrusted[ear], feedback.isDivided(at: ear),
      let path = feedback.path(for: ear)
    else { return false }
    // Both ears have one first tap, that of the shorter loop.
    return path.delay - feedback.loopDelay <= MaximumStableGain.latestOnset
  }

  /// Greatest insertion gain of each band that an ear can have without whistling, dB; nil: not measured.
  public func stableGains(for ear: Ear) throws(FittingFailure) -> [Double]? {
    stableGains(ear, try levels(for: ear))
  }

  /// - Parameter levels: Levels that full scale stands for at the microphone, and at the ear in each band.
  func stableGains(
    _ ear: Ear, _ levels: (microphone: SoundPressureLevel, earphone: [SoundPressureLevel])
  ) -> [Double]? {
    guard let measured = feedback.measurements[ear] else { return nil }
    let gains = MaximumStableGain.gains(
      measured, other: feedback.measurements[ear.opposite], bands: bands,
      isCancelling: isCancelling(at: ear))
    // In the digits an insertion gain of 0 dB is what turns the microphone's scale into the earphone's, and a field into what the
    // coupler makes of it.
    let coupler = couplerResponse(for: ear) ?? gains.map { _ in 0 }
    let microphone = microphoneResponse(for: ear) ?? gains.map { _ in 0 }
    return gains.indices.map {
      gains[$0] + (levels.earphone[$0] - (levels.microphone - microphone[$0])) - coupler[$0]
    }
  }

  /// Curves with no gain above what is stable, at any level.
  func stable(_ curves: [GainCurve], limits: [Double]?) -> [GainCurve] {
    guard let limits else { return curves }
    return zip(curves, limits).map { curve, limit in limit.isFinite ? curve.held(below: limit) : curve }
  }

  /// Limit of each band of an ear, and the part of the requested gain that is not given; program, volume and tone
  /// included. Empty when nothing was measured.
  public func gainLimits(for ear: Ear) throws(FittingFailure) -> [GainLimit] {
    guard let measured = feedback.measurements[ear], let limits = try stableGains(for: ear) else {
      return []
    }
    var free = self
    free.feedback.measurements[ear] = nil
    let (wished, given) = (try free.fitting(for: ear).curves, try fitting(for: ear).curves)
    let cells = MaximumStableGain.cells(measured, other: feedback.measurements[ear.opposite])
    return bands.centres.indices.map { band in
      let levels = (wished[band].knots + given[band].knots).map(\.level)
      let reduction = levels.map { wished[band].gain(at: $0) - given[band].gain(at: $0) }.max() ?? 0
      let cell = MaximumStableGain.decisive(
        cells, bands: bands, band: band, isCancelling: isCancelling(at: ear))
      return GainLimit(
        centre: bands.centres[band], limit: limits[band], reduction: max(0, reduction),
        isFound: cell?.isFound ?? false)
    }
  }
}
