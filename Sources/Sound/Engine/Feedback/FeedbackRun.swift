import Acoustics
import Glibc
import HearingDSP

/// The course of a test: noise first, then louder and louder until enough is known, then again until two readings agree.
///
/// At each level the earphones of the ears under test play one after the other, and both microphones are read, so that what
/// one earphone sends to the other ear's microphone counts too.
///
/// What passes does not end the test: a cough, a jaw that moved, a device that gave sound away and became a period slower. The
/// reading is taken once more then, and only what comes again and again is a fault.
///
/// - Threads: control.
struct FeedbackRun {
  /// Sound, needs and limits of an ear.
  struct Side {
    /// Level that full scale of the test's sound stands for, dB SPL.
    var fullScale: SoundPressureLevel
    /// Gain that makes the earphone as loud as in its loudest band, dB over frequency.
    var equalisation: LogFrequencyTable
    /// Level that full scale of the microphone stands for, dB SPL.
    var microphone: SoundPressureLevel
    /// Gain in the digits asked for in each band, dB.
    var needed: [Double]
    /// Loudest level of the test, dB SPL.
    var greatest: Double
  }

  /// Sound that came back to one microphone.
  private struct Reading {
    var own: FeedbackAnalysis
    var cells: [FeedbackCell]
  }

  let ears: [Ear]
  let sides: Binaural<Side>
  let bands: BandLayout
  let player: TakePlayer
  /// The test's sound from each earphone.
  private let sounds: Binaural<PeriodicSound>

  init(ears: [Ear], sides: Binaural<Side>, bands: BandLayout, player: TakePlayer) {
    (self.ears, self.sides, self.bands, self.player) = (ears, sides, bands, player)
    sounds = sides.map { side in
      PeriodicSound(FeedbackSignal(rate: player.rate) { side.equalisation.held(at: $0) }.period)
    }
  }

  /// - Parameters:
  ///   - moment: Now, s since 1970-01-01 UTC.
  ///   - progress: Told a share of the whole, 0…1.
  ///   - repeats: Told why a reading is taken once more.
  /// - Throws: ``FeedbackFault``.
  func measurements(
    at moment: Double, progress: (Double) -> Void, repeats: (FeedbackFault) -> Void
  ) throws(FeedbackFault) -> [(ear: Ear, measurement: FeedbackMeasurement)] {
    let greatest = ears.map { sides[$0].greatest }.max() ?? 0
    let levels = FeedbackTest.levels.filter { $0 < greatest } + [greatest]
    // Noise counts a third of a run; one more run repeats the last level.
    let parts = Double(levels.count) + 1.3
    let noise = try noise()
    progress(0.3 / parts)
    for (step, level) in levels.enumerated() {
      let first = try readings(level)
      progress((Double(step) + 1.3) / parts)
      if level < greatest, fault(of: first, noise) != nil { continue }
      let second = try readings(level)
      if level < greatest, fault(of: second, noise) != nil { continue }
      let (former, last) = try agreeing(first, second, level: level, noise: noise, repeats)
      progress(1)
      return ears.compactMap { ear in
        guard let a = former[ear], let b = last[ear] else { return nil }
        return (ear, measurement(a, b, level: min(level, sides[ear].greatest), at: moment))
      }
    }
    return []
  }

  /// Reads until two readings in succession know enough and agree.
  private func agreeing(
    _ first: Binaural<Reading?>, _ second: Binaural<Reading?>, level: Double, noise: Binaural<Double>,
    _ repeats: (FeedbackFault) -> Void
  ) throws(FeedbackFault) -> (Binaural<Reading?>, Binaural<Reading?>) {
    var (former, last) = (first, second)
    for attempt in 1... {
      let fault = fault(of: former, noise) ?? fault(of: last, noise) ?? disagreement(former, last)
      guard let fault else { break }
      guard attempt < FeedbackTest.attempts else { throw fault }
      repeats(fault)
      (former, last) = (last, try readings(level))
    }
    return (former, last)
  }

  // MARK: - Playing

  /// Level of what there is without the test, dB SPL.
  func noise() throws(FeedbackFault) -> Binaural<Double> {
    let take = try player.take(sounds.left, .left, factor: 0, periods: 1)
    var levels = Binaural(both: 0.0)
    for ear in ears {
      let sound = take.heard[ear]
      try checkOverload(sound, ear, level: 0)
      let mean = sound.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(sound.count)
      // A full-scale sine has a mean square of ½.
      levels[ear] = sides[ear].microphone.decibels + 10 * log10(2 * max(mean, 1e-20))
    }
    return levels
  }

  /// |F| and noise of a cell, both linear.
  private typealias Cell = (frequency: Double, magnitude: Double, noise: Double)

  /// Plays from all earphones, one after the other, and reads both microphones.
  private func readings(_ level: Double) throws(FeedbackFault) -> Binaural<Reading?> {
    var own = Binaural<FeedbackAnalysis?>(both: nil)
    // By the microphone that the other ear's earphone is heard with.
    var crossing = Binaural<[Cell]?>(both: nil)
    for earphone in ears {
      let level = min(level, sides[earphone].greatest)
      let take = try take(earphone, level: level, periods: FeedbackTest.periods)
      for ear in Ear.allCases {
        let sound = take.heard[ear]
        if ear == earphone {
          try checkMicrophone(sound, ear, level: level)
        } else if ears.contains(ear) {
          try checkOverload(sound, ear, level: level)
        } else if Self.isOverloaded(sound) {
          // A microphone that is not under test ends nothing; what comes to it stays unknown.
          continue
        }
        let analysis = FeedbackAnalysis(
          sent: take.sent, heard: sound, count: take.period, rate: player.rate)
        if ear == earphone { own[ear] = analysis } else { crossing[ear] = analysis.cells() }
      }
    }
    return Binaural { ear in
      own[ear].map { own in
        Reading(own: own, cells: Self.cells(own, from: crossing[ear], to: crossing[ear.opposite]))
      }
    }
  }

  /// Plays the test's sound from one earphone.
  ///
  /// - Parameter level: In the ear, dB SPL.
  /// - Returns: Sound that left, sound that came back, and frames of a period.
  func take(
    _ earphone: Ear, level: Double, periods: Int
  ) throws(FeedbackFault) -> (sent: [Float], heard: Binaural<[Float]>, period: Int) {
    // RMS of a sine of this level is 1/√2 of its peak.
    let factor = pow(10, (level - sides[earphone].fullScale.decibels) / 20) / 2.0.squareRoot()
    let take = try player.take(sounds[earphone], earphone, factor: factor, periods: periods)
    return (take.sent, take.heard, sounds[earphone].count)
  }

  /// - Parameters:
  ///   - other: Cells from the other ear's earphone; nil: it did not play.
  ///   - crossing: Cells at the other ear's microphone; nil: it cannot be read.
  private static func cells(
    _ own: FeedbackAnalysis, from other: [Cell]?, to crossing: [Cell]?
  ) -> [FeedbackCell] {
    own.cells().enumerated().map { index, cell in
      FeedbackCell(
        frequency: cell.frequency, level: decibels(cell.magnitude + clear(other?[index])),
        noise: decibels(cell.noise), own: decibels(cell.magnitude),
        crossing: crossing.map { decibels(clear($0[index])) })
    }
  }

  /// |F| that stands out of noise, linear; otherwise it is noise, which would count twice, and 0 is told.
  private static func clear(_ cell: Cell?) -> Double {
    guard let cell, decibels(cell.magnitude) - decibels(cell.noise) >= FeedbackCell.leastDistance else {
      return 0
    }
    return cell.magnitude
  }

  /// Refuses the microphone of the ear that plays where it is dead or driven to its end.
  func checkMicrophone(_ sound: [Float], _ ear: Ear, level: Double) throws(FeedbackFault) {
    try checkOverload(sound, ear, level: level)
    // A circuit without any noise is not dead as long as it carries the test's sound.
    guard sound.contains(where: { $0 != 0 }) else { throw .microphoneSilent(ear) }
  }

  private func checkOverload(_ sound: [Float], _ ear: Ear, level: Double) throws(FeedbackFault) {
    guard !Self.isOverloaded(sound) else { throw .microphoneOverloaded(ear, level: level) }
  }

  /// True at full scale; what is not a number is no level either.
  private static func isOverloaded(_ sound: [Float]) -> Bool {
    !sound.allSatisfy { abs($0) < FeedbackTest.overload }
  }

  private static func decibels(_ magnitude: Double) -> Double {
    max(20 * log10(max(magnitude, 1e-20)), FeedbackCell.floor)
  }

  // MARK: - Judging

  /// The strongest cell that a band's gain acts on: from the centre below to the centre above.
  private func strongest(_ cells: [FeedbackCell], _ band: Int) -> FeedbackCell? {
    MaximumStableGain.decisive(cells, bands: bands, band: band, isCancelling: false)
  }

  /// Centres of bands in which noise would limit the gain asked for, Hz.
  private func hidden(_ reading: Reading?, _ ear: Ear) -> [Double] {
    guard let reading else { return [] }
    return bands.centres.indices.compactMap { band in
      guard let cell = strongest(reading.cells, band) else { return nil }
      let isFree = -cell.level - MaximumStableGain.margin >= sides[ear].needed[band]
      return isFree || cell.level - cell.noise >= FeedbackTest.sufficient ? nil : bands.centres[band]
    }
  }

  /// Bands of readings that noise hides; nil when enough is known.
  private func fault(of readings: Binaural<Reading?>, _ noise: Binaural<Double>) -> FeedbackFault? {
    ears.lazy.map { ear in (ear, hidden(readings[ear], ear)) }.first { !$1.isEmpty }
      .map { ear, frequencies in .tooNoisy(ear, frequencies: frequencies, level: noise[ear]) }
  }

  /// Difference of two readings; nil: they agree.
  private func disagreement(_ first: Binaural<Reading?>, _ second: Binaural<Reading?>) -> FeedbackFault? {
    for ear in ears {
      guard let a = first[ear], let b = second[ear] else { continue }
      let fault = movement(a.cells, b.cells, ear) ?? delayChange(a.own, b.own, FeedbackTest.delayRoom.runs)
      if let fault { return fault }
    }
    guard let left = second.left, let right = second.right else { return nil }
    return delayChange(left.own, right.own, FeedbackTest.delayRoom.ears)
  }

  /// ``FeedbackFault/moved(_:frequency:difference:)``, or nil.
  private func movement(_ first: [FeedbackCell], _ second: [FeedbackCell], _ ear: Ear) -> FeedbackFault? {
    for band in bands.centres.indices {
      guard let a = strongest(first, band), let b = strongest(second, band) else { continue }
      let isClear = max(a.level - a.noise, b.level - b.noise) >= FeedbackTest.clear
      let difference = abs(a.level - b.level)
      if isClear, difference > FeedbackTest.greatestDifference {
        return .moved(ear, frequency: bands.centres[band], difference: difference)
      }
    }
    return nil
  }

  /// ``FeedbackFault/delayMoved(by:)``, or nil.
  private func delayChange(
    _ first: FeedbackAnalysis, _ second: FeedbackAnalysis, _ room: Double
  ) -> FeedbackFault? {
    guard first.isDelayClear, second.isDelayClear, let first = first.delay, let second = second.delay,
      abs(first - second) > room
    else { return nil }
    return .delayMoved(by: abs(first - second))
  }

  private func measurement(
    _ first: Reading, _ second: Reading, level: Double, at moment: Double
  ) -> FeedbackMeasurement {
    let latency = player.state.reading.load().believedLatency
    let devices = latency.map { Double($0) / player.rate }
    let isOfEarpiece =
      second.own.delay.map { FeedbackMeasurement.plausibleDelays.contains($0 - (devices ?? 0)) } ?? false
    return FeedbackMeasurement(
      moment: moment, captureName: player.devices.captureName, playbackName: player.devices.playbackName,
      rate: player.rate, level: level, delay: isOfEarpiece ? second.own.delay : nil, deviceDelay: devices,
      response: isOfEarpiece ? second.own.taps(FeedbackMeasurement.responseTime) : [],
      cells: zip(first.cells, second.cells).map { a, b in
        var cell = a.level >= b.level ? a : b
        cell.crossing = [a.crossing, b.crossing].compactMap(\.self).max()
        return cell
      })
  }
}
