import Acoustics
import Glibc
import HearingDSP

/// The course of a measurement of the loop's delay: each ear in turn, louder until the sound that comes back is clear, then several
/// repetitions that must agree.
///
/// The sound is the feedback test's. A sweep through a converter, a cable or the air has its whole spectrum in which to be told from
/// noise, at a fraction of a click's peak; so it stays soft.
///
/// - Threads: control.
struct LoopDelayRun {
  /// Readings of each ear. Own choice: as many as let one that is off be seen beside the others.
  static let repetitions = 5
  /// Periods of one reading, the least that tells noise from sound.
  private static let periods = 2

  let run: FeedbackRun

  /// - Parameters:
  ///   - moment: Now, s since 1970-01-01 UTC.
  ///   - progress: Told a share of the whole, 0…1.
  ///   - repeats: Told why an ear is measured once more.
  /// - Throws: ``FeedbackFault``.
  func measurements(
    at moment: Double, progress: (Double) -> Void, repeats: (FeedbackFault) -> Void
  ) throws(FeedbackFault) -> [(ear: Ear, measurement: LoopDelayMeasurement)] {
    let noise = try run.noise()
    var results: [(ear: Ear, measurement: LoopDelayMeasurement)] = []
    for (index, ear) in run.ears.enumerated() {
      func tell(_ part: Double) { progress((Double(index) + part) / Double(run.ears.count)) }
      let level = try sufficientLevel(ear, noise: noise[ear])
      tell(0.3)
      results.append((ear, try measurement(ear, level: level, noise: noise[ear], at: moment, repeats)))
      tell(1)
    }
    try checkEars(results.map(\.measurement))
    return results
  }

  /// The softest level whose sound comes back clear of noise, dB SPL.
  private func sufficientLevel(_ ear: Ear, noise: Double) throws(FeedbackFault) -> Double {
    let greatest = run.sides[ear].greatest
    for level in FeedbackTest.levels where level < greatest {
      if try readings(ear, level: level, count: 1).allSatisfy(\.isDelayClear) { return level }
    }
    guard try readings(ear, level: greatest, count: 1).allSatisfy(\.isDelayClear) else {
      throw .nothingHeard(ear, level: greatest, noise: noise)
    }
    return greatest
  }

  /// Repeats until all readings are clear and agree.
  private func measurement(
    _ ear: Ear, level: Double, noise: Double, at moment: Double, _ repeats: (FeedbackFault) -> Void
  ) throws(FeedbackFault) -> LoopDelayMeasurement {
    var attempt = 1
    while true {
      let readings = try readings(ear, level: level, count: Self.repetitions)
      let delays = readings.compactMap { $0.isDelayClear ? $0.delay : nil }.sorted()
      let spread = (delays.last ?? 0) - (delays.first ?? 0)
      let fault: FeedbackFault
      if spread > FeedbackTest.delayRoom.runs {
        fault = .delayMoved(by: spread)
      } else if delays.count < readings.count {
        fault = .nothingHeard(ear, level: level, noise: noise)
      } else {
        return measurement(delays, spread: spread, level: level, at: moment)
      }
      guard attempt < FeedbackTest.attempts else { throw fault }
      attempt += 1
      repeats(fault)
    }
  }

  private func measurement(
    _ delays: [Double], spread: Double, level: Double, at moment: Double
  ) -> LoopDelayMeasurement {
    let player = run.player
    let latency = player.state.reading.load().believedLatency
    return LoopDelayMeasurement(
      moment: moment, captureName: player.devices.captureName, playbackName: player.devices.playbackName,
      rate: player.rate, period: player.devices.period, level: level, delay: delays[delays.count / 2],
      spread: spread, repetitions: delays.count, deviceDelay: latency.map { Double($0) / player.rate })
  }

  /// Readings one after the other of one sound without a gap: a delay that moves while the devices run is seen in them.
  private func readings(
    _ ear: Ear, level: Double, count: Int
  ) throws(FeedbackFault) -> [FeedbackAnalysis] {
    let take = try run.take(ear, level: level, periods: count * Self.periods)
    let heard = take.heard[ear]
    try run.checkMicrophone(heard, ear, level: level)
    let frames = Self.periods * take.period
    return (0..<count).map { index in
      let part = index * frames..<(index + 1) * frames
      return FeedbackAnalysis(
        sent: Array(take.sent[part]), heard: Array(heard[part]), count: take.period, rate: run.player.rate)
    }
  }

  /// Both ears share the devices; what differs is air.
  private func checkEars(_ measured: [LoopDelayMeasurement]) throws(FeedbackFault) {
    guard measured.count == 2 else { return }
    let difference = abs(measured[0].delay - measured[1].delay)
    guard difference <= FeedbackTest.delayRoom.ears else { throw .delayMoved(by: difference) }
  }
}

extension HearingAid {
  /// Measures the delay from what is played to what is captured, on the devices of this aid, through a cable or the air.
  ///
  /// The aid is silent for it, as for ``measureFeedback(_:at:progress:repeats:isCancelled:)``, whose sound, levels, limits and ends it
  /// has. A delay of more than the sound's period, 0.7 s, is not told from a shorter one.
  ///
  /// - Parameters: As there.
  /// - Returns: Measurements, in the order of `ears`.
  /// - Throws: ``FeedbackFault``.
  /// - Threads: control; waits for the end, some ten seconds for an ear.
  public func measureLoopDelay(
    _ ears: [Ear], at moment: Double, progress: (Double) -> Void = { _ in },
    repeats: (FeedbackFault) -> Void = { _ in }, isCancelled: @escaping () -> Bool = { false }
  ) throws(FeedbackFault) -> [(ear: Ear, measurement: LoopDelayMeasurement)] {
    try test(ears, isCancelled: isCancelled) { run throws(FeedbackFault) in
      try LoopDelayRun(run: run).measurements(at: moment, progress: progress, repeats: repeats)
    }
  }
}
