import Acoustics
import Base
import Glibc
import HearingDSP

/// Measures how much of what the earphones play comes back to the microphones.
///
/// Each ear in turn plays a rising tone again and again, soft first, louder only as far as the noise asks
/// for; the microphones are not amplified meanwhile. Everything passes the output safety stage and its slow
/// rise. Two runs in succession must agree.
///
/// - Threads: control.
struct FeedbackTest {
  /// Levels tried, dB SPL in the ear: from soft speech to loud speech (ANSI S3.5: 62 normal, 75 loud at one
  /// metre).
  static let levels = [55.0, 65.0, 75.0]
  /// Below this nothing is measured that a quiet room does not hide, dB SPL.
  static let leastLevel = 50.0
  /// Distance kept from the ear's limit, dB: the signal's peaks and what an uneven earphone adds stay
  /// below.
  static let distance = 10.0
  /// Least distance from the noise that counts as known, dB: the greatest of some bins of noise, 8 dB above
  /// its RMS, then adds 3 dB at most, which only lowers the gain.
  static let sufficient = 15.0
  /// Room left above the prescription, dB, for which feedback is looked for: fine tuning and volume. Own
  /// choice.
  static let headroom = 6.0
  /// Distance from the noise from which two runs are compared, dB: noise then makes a difference of 2.4 dB
  /// at most, 1.2 dB in each.
  static let clear = 25.0
  /// Greatest difference of two runs, dB, in a band that is clear of noise: a jaw that moves makes more
  /// (own choice).
  static let greatestDifference = 3.0
  /// Greatest difference of delays, s, between two runs and between the ears: a metre of air lies between
  /// no two earpieces of one head, and the least period that a device moves by is longer than a third of
  /// it.
  static let delayRoom = (runs: 0.0005, ears: 0.003)
  /// Periods recorded per run: an even number.
  static let periods = 4
  /// Attempts at two runs that agree: what disturbs once has passed by then.
  static let attempts = 3
  /// Peak of a microphone that is taken for its end: full scale less one step of 10 bits.
  static let overload: Float = 0.999

  let settings: AidSettings

  /// Each ear's part in the test. Fails where the settings can play nothing.
  func sides(_ ears: [Ear]) throws(FeedbackFault) -> Binaural<FeedbackRun.Side> {
    try Binaural { ear throws(FeedbackFault) in try side(ear, ears) }
  }

  /// Greatest output: that of the aid.
  func limits() throws(FeedbackFault) -> OutputLimits {
    let ears = try rethrowing(FeedbackFault.settings, try settings.hearing.fittings())
    return try rethrowing({ FeedbackFault.settings(.chain($0)) }, try OutputLimits(ears))
  }

  /// An ear's part, without the gain limits of a former test.
  private func side(_ ear: Ear, _ tested: [Ear]) throws(FeedbackFault) -> FeedbackRun.Side {
    var hearing = settings.hearing
    hearing.feedback = .none
    let fitting = try rethrowing(FeedbackFault.settings, try hearing.fitting(for: ear))
    let needed = fitting.curves.enumerated().map { band, curve in
      (curve.knots.map(\.gain).max() ?? 0) + Self.headroom + fitting.digitalOffset(inBand: band)
    }
    let greatest = Self.greatestLevel(fitting)
    guard greatest >= Self.leastLevel || !tested.contains(ear) else {
      throw .limitTooLow(ear, limit: greatest + Self.distance)
    }
    // Of the loudest band, so that no frequency has to be lowered.
    let fullScale = fitting.outputAtFullScale.max() ?? fitting.inputAtFullScale
    return FeedbackRun.Side(
      fullScale: fullScale,
      equalisation: LogFrequencyTable(
        hearing.bands.centres, fitting.outputAtFullScale.map { fullScale - $0 }),
      microphone: fitting.inputAtFullScale, needed: needed, greatest: greatest)
  }

  /// The loudest that an ear is tested with, dB SPL.
  private static func greatestLevel(_ fitting: EarFitting) -> Double {
    // Its own limits, and what the earphone reaches in its quietest band.
    let limits = fitting.bandLimits + fitting.outputAtFullScale
    let reach = limits.reduce(fitting.outputLimit) { min($0, $1) }
    return min(levels.max() ?? 0, reach.decibels - distance)
  }
}

extension HearingAid {
  /// Measures how much of what the earphones play comes back to the microphones, on the devices of this
  /// aid.
  ///
  /// The aid falls silent for it and sounds again afterwards, however it ends; one that was stopped is
  /// stopped again.
  ///
  /// - Parameters:
  ///   - ears: In this order.
  ///   - moment: Now, s since 1970-01-01 UTC.
  ///   - progress: Told a share of the whole, 0…1.
  ///   - repeats: Told why a run is taken once more.
  ///   - isCancelled: Asked again and again; the sound then fades out. ``endProcedure(_:)`` does the same.
  /// - Returns: Measurements, in the order of `ears`.
  /// - Throws: ``FeedbackFault``.
  /// - Threads: control; waits for the end, some ten seconds for an ear.
  public func measureFeedback(
    _ ears: [Ear], at moment: Double, progress: (Double) -> Void = { _ in },
    repeats: (FeedbackFault) -> Void = { _ in }, isCancelled: @escaping () -> Bool = { false }
  ) throws(FeedbackFault) -> [(ear: Ear, measurement: FeedbackMeasurement)] {
    try test(ears, isCancelled: isCancelled) { run throws(FeedbackFault) in
      let results = try run.measurements(at: moment, progress: progress, repeats: repeats)
      progress(1)
      return results
    }
  }

  /// Lets a test of these ears play.
  func test<Result>(
    _ ears: [Ear], isCancelled: @escaping () -> Bool, _ body: (FeedbackRun) throws(FeedbackFault) -> Result
  ) throws(FeedbackFault) -> Result {
    let settings = currentSettings
    let test = FeedbackTest(settings: settings)
    // What the settings cannot play is said before anything falls silent.
    let sides = try test.sides(ears)
    let limits = try test.limits()
    return try perform { loop throws(FeedbackFault) in
      let player = try TakePlayer(
        loop, limits: limits, ramp: settings.ramp, patience: patience, isCancelled: isCancelled)
      return try body(
        FeedbackRun(ears: ears, sides: sides, bands: settings.hearing.bands, player: player))
    }
  }
}
