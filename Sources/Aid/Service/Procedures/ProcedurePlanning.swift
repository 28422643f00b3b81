import Acoustics
import AudioIO
import Base
import Engine
import Procedures

/// Makes the plan of a procedure from an order, for devices that are open: what earphone, format, limits and known thresholds let it do.
struct ProcedurePlanning {
  let order: ProcedureOrder
  let rendering: StimulusRendering
  /// Bits of a sample that the device plays; nil: floating point.
  let resolution: Int?
  let known: KnownResults

  /// Frequencies of a usual pitch match, Hz (facts: audiometry-tinnitus).
  private static let pitchRange = 500.0...16_000

  /// - Throws: ``Failure`` that says what has to be done first.
  func plan() throws(Failure) -> (plan: ProcedurePlan, thresholdFrom: String?) {
    switch order.name {
    case .hearingTest: return (.hearingTest(try hearingTest()), nil)
    case .loudness, .bracketing:
      let (range, source) = try range(.tone)
      let plan = LoudnessPlan(
        ear: try ear(), frequency: frequency, range: range, trialCount: order.trials ?? 3,
        signal: order.signal ?? .tone)
      return (order.name == .loudness ? .loudness(plan) : .bracketing(plan), source)
    case .pitch:
      let (curve, source) = try curve()
      return (.pitch(PitchPlan(ear: try ear(), curve: curve)), source)
    case .likeness:
      let (curve, source) = try curve()
      let plan = LikenessPlan(ear: try ear(), curve: curve)
      guard plan.frequencies != nil else {
        throw Failure(
          "likeness",
          found:
            "thresholds from \(curve.range.lowerBound.shortText) to \(curve.range.upperBound.shortText) Hz",
          expected: "a wider range, 500 to 8000 Hz for example",
          remedy: "Measure more frequencies: auricle hearing-test --ear \(try ear().rawValue)",
          exit: .unavailable
        ).logged(asKind: "too few thresholds for this match")
      }
      return (.likeness(plan), source)
    case .bandwidth: return try bandwidth()
    case .masking:
      let (range, source) = try range(.broadNoise)
      let signal = order.signal ?? .broadNoise
      return (
        .masking(MaskingPlan(ear: try ear(), signal: signal, frequency: frequency, range: range)), source
      )
    case .inhibition:
      let (range, source) = try range(.broadNoise)
      let signal = order.signal ?? .broadNoise
      let ear = try ear()
      let given = order.masking.map { HearingLevel($0) }
      guard let masking = given ?? known.masking(ear, signal, at: frequency) else {
        throw Failure(
          "inhibition", found: "no minimum masking level", expected: "one of this ear and noise",
          remedy: "Find it first: auricle match masking", exit: .unavailable)
      }
      return (
        .inhibition(
          InhibitionPlan(
            ear: ear, signal: signal, frequency: frequency, masking: masking, range: range)),
        source
      )
    }
  }

  private var frequency: Double { order.frequency ?? 1000 }

  private func ear() throws(Failure) -> Ear {
    guard let ear = order.ear else {
      throw Failure(order.name.rawValue, found: "no ear", expected: "left or right", exit: .usage)
    }
    return ear
  }

  // MARK: - Hearing test

  private func hearingTest() throws(Failure) -> HearingTestPlan {
    let signal = order.signal ?? .pulsed
    var refusals: [String] = []
    let limits = Binaural<[Double: HearingTestPlan.Limits]> { ear in
      var limits: [Double: HearingTestPlan.Limits] = [:]
      for frequency in order.frequencies ?? HearingTestPlan.usualFrequencies {
        do throws(StimulusRefusal) {
          limits[frequency] = try reach(signal, ear, frequency)
        } catch { refusals.append(error.found) }
      }
      return limits
    }
    let ears = (order.ears ?? [.right, .left]).filter { !limits[$0].isEmpty }
    guard !ears.isEmpty else {
      throw Failure(
        "hearing test", found: "no tone that may be played: \(refusals.first ?? "nothing to be tested")",
        expected: "an earphone and limits that let tones through",
        remedy: "Look at calibration and limits: auricle doctor", exit: .configuration)
    }
    return HearingTestPlan(
      method: order.method ?? .hughsonWestlake, ears: ears,
      frequencies: order.frequencies ?? HearingTestPlan.usualFrequencies, limits: limits, signal: signal,
      attenuation: signal.isNoise ? nil : attenuation)
  }

  /// Least interaural attenuation of the earphone, dB; nil: both ears hear a sound field.
  private var attenuation: Double? {
    switch rendering.calibration.transducer?.fit {
    case nil, .soundField: nil
    case .insert: HearingTestPlan.insertAttenuation
    // An earphone that sits loosely in the ear leaks as one on the ear does (own choice).
    case .supraAural, .loose: HearingTestPlan.supraAuralAttenuation
    }
  }

  /// Softest and loudest tone, dB HL; nil: the device resolves none.
  private func reach(
    _ signal: Stimulus.Signal, _ ear: Ear, _ frequency: Double
  ) throws(StimulusRefusal) -> HearingTestPlan.Limits? {
    // One level tells all others: they differ by the same number of decibels in the digits.
    let unit = Stimulus(
      signal, ear, frequency: frequency, level: HearingLevel(-100), duration: HearingTest.toneLength)
    let level = try rendering.checked(unit)
    let crest = signal.isNoise ? Stimulus.noiseCrest : 0
    let room = min(
      rendering.limit[ear] - level.sound, (rendering.greatest[ear] - crest) - level.digital)
    let highest = min(HearingLevel(order.highest ?? ProcedureOrder.usualHighest), unit.level + room)
    // The resolution bounds noise as it bounds a tone.
    let reachable = ReachableLevels(
      rendering.calibration, resolution: resolution, limit: rendering.limit[ear])
    guard let range = try? reachable.range(at: frequency, ear: ear) else { return nil }
    let lowest = max(Audiogram.levels.lowerBound, range.lowerBound)
    return HearingTestPlan.Limits(
      lowest: lowest, highest: signal.isNoise ? highest : min(highest, range.upperBound))
  }

  /// A sound that has no level at all by this calibration, on this device.
  private func failure(_ refusal: StimulusRefusal) -> Failure {
    let (sound, place) = (refusal.stimulus.signal, refusal.stimulus.frequency.shortText)
    let remedy =
      switch (refusal.bound, sound) {
      case (.earphone, .broadNoise):
        "Calibrate 250 to 8000 Hz, auricle calibrate earphone, or take --signal narrow-noise."
      case (.earphone, _): "Calibrate these frequencies too: auricle calibrate earphone"
      default: "Take another frequency."
      }
    return Failure(
      order.name.rawValue,
      found: "no level for \(sound.isNoise ? "noise" : "a tone") at \(place) Hz: \(refusal.found)",
      expected: refusal.allowed, remedy: remedy, exit: .configuration)
  }

  // MARK: - Matches

  /// Levels in which a match may sound, by the ear's threshold for the same signal.
  private func range(_ usual: Stimulus.Signal) throws(Failure) -> (MatchRange, String?) {
    let (ear, signal) = (try ear(), order.signal ?? usual)
    let (threshold, source) = try threshold(ear, signal)
    return (try matchRange(threshold, signal, ear), source)
  }

  private func matchRange(
    _ threshold: HearingLevel, _ signal: Stimulus.Signal, _ ear: Ear
  ) throws(Failure) -> MatchRange {
    let unit = Stimulus(signal, ear, frequency: frequency, level: HearingLevel(-100), duration: 1)
    let level: StimulusLevel
    do throws(StimulusRefusal) { level = try rendering.checked(unit) } catch { throw failure(error) }
    let crest = signal.isNoise ? Stimulus.noiseCrest : 0
    let reach = level.sound + ((rendering.greatest[ear] - crest) - level.digital)
    // 0 dB HL lies 100 dB above.
    let range = MatchRange(
      threshold: threshold, reference: level.sound + 100, limit: min(rendering.limit[ear], reach))
    guard let range else {
      // It tells how well somebody hears, which a log does not.
      throw Failure(
        order.name.rawValue,
        found: "a threshold above the loudest sound that may be played there, \(MatchRange.greatestLevel)",
        expected: "one below it",
        remedy: "It cannot be measured safely in this ear at this frequency.", exit: .unavailable
      ).logged(asKind: "a sound that may not be played")
    }
    return range
  }

  /// A tone, narrow and broad noise about the pitch, each about as loud.
  private func bandwidth() throws(Failure) -> (ProcedurePlan, String?) {
    let (ear, (threshold, source)) = (try ear(), try threshold(try ear(), .tone))
    let sensation = known.sensation(ear) ?? 10
    func level(_ signal: Stimulus.Signal, less softer: Double) throws(Failure) -> BandwidthPlan.Level {
      let range = try matchRange(threshold, signal, ear)
      return BandwidthPlan.Level(max(threshold, threshold + sensation - softer), ceiling: range.ceiling)
    }
    // Broad noise has sixteen bands of the narrow one's level; loudness adds over them (own choice: 10 dB).
    return (
      .bandwidth(
        BandwidthPlan(
          ear: ear, frequency: frequency, tone: try level(.tone, less: 0),
          narrowNoise: try level(.narrowNoise, less: 0), broadNoise: try level(.broadNoise, less: 10))),
      source
    )
  }

  private func threshold(
    _ ear: Ear, _ signal: Stimulus.Signal
  ) throws(Failure) -> (HearingLevel, String?) {
    if let given = order.threshold { return (HearingLevel(given), nil) }
    if let found = known.threshold(ear, signal, at: frequency) { return (found.level, found.record) }
    let test =
      signal.isNoise
      ? "auricle hearing-test --ear \(ear.rawValue) --signal \(signal.rawValue) --frequency \(frequency.shortText)"
      : "auricle hearing-test --ear \(ear.rawValue) --frequency \(frequency.shortText)"
    throw Failure(
      order.name.rawValue,
      found:
        "no threshold of the \(ear.rawValue) ear for this sound at \(frequency.shortText) Hz with this earphone",
      expected: "one that was measured within \(KnownResults.longestAge.shortText) days",
      remedy: "Measure it first: \(test)",
      exit: .unavailable)
  }

  /// Tones as loud as the tinnitus: as far above each threshold as the last loudness match, or 10 dB.
  private func curve() throws(Failure) -> (LevelCurve, String?) {
    let ear = try ear()
    let (audiogram, source) = known.audiogram(ear)
    var measured: [(frequency: Double, range: MatchRange)] = []
    for point in audiogram.sorted(by: { $0.frequency < $1.frequency })
    where Self.pitchRange.contains(point.frequency) {
      guard let (reference, limit) = toneBounds(ear, point.frequency),
        let range = MatchRange(threshold: point.level, reference: reference, limit: limit)
      else { continue }
      measured.append((point.frequency, range))
    }
    let points = (measured + rangesBetween(measured, ear)).sorted { $0.frequency < $1.frequency }
    let sensation = known.sensation(ear) ?? 10
    let curve = LevelCurve(
      points.map { frequency, range in
        LevelCurve.Point(
          frequency: frequency, level: min(range.threshold + sensation, range.ceiling),
          ceiling: range.ceiling)
      })
    guard let curve else {
      throw Failure(
        "pitch",
        found:
          "\(measured.count) thresholds of the \(ear.rawValue) ear from 500 Hz up "
          + "that tones can be heard above",
        expected: "two or more, so that tones are equally loud",
        remedy: "Measure them first: auricle hearing-test --ear \(ear.rawValue)", exit: .unavailable
      ).logged(asKind: "too few thresholds for this match")
    }
    return (curve, source)
  }

  /// Level of 0 dB HL of a tone, and the loudest that may sound, dB SPL; nil: the earphone has no such tone.
  private func toneBounds(
    _ ear: Ear, _ frequency: Double
  ) -> (reference: SoundPressureLevel, limit: SoundPressureLevel)? {
    let unit = Stimulus(.tone, ear, frequency: frequency, level: HearingLevel(-100), duration: 1)
    guard let level = try? rendering.checked(unit) else { return nil }
    let reach = level.sound + (rendering.greatest[ear] - level.digital)
    // 0 dB HL lies 100 dB above.
    return (level.sound + 100, min(rendering.limit[ear], reach))
  }

  /// Ranges at the rows of the reference and earphone tables that lie between measured frequencies.
  ///
  /// Both tables bend at their rows and are straight in between, as the curve is: with a ceiling at every row
  /// no frequency has a level above the loudest that may be played.
  ///
  /// - Parameter measured: By rising frequency.
  private func rangesBetween(
    _ measured: [(frequency: Double, range: MatchRange)], _ ear: Ear
  ) -> [(frequency: Double, range: MatchRange)] {
    guard let first = measured.first, let last = measured.last else { return [] }
    let thresholds = LogFrequencyTable(
      measured.map(\.frequency), measured.map(\.range.threshold.decibels))
    let calibration = rendering.calibration
    let rows = Set(calibration.transducer?.referenceThresholds.frequencies ?? [])
      .union(calibration.sensitivity[ear].frequencies ?? [])
      .subtracting(measured.map(\.frequency))
      .filter { $0 > first.frequency && $0 < last.frequency }
    return rows.compactMap { frequency -> (frequency: Double, range: MatchRange)? in
      guard let (reference, limit) = toneBounds(ear, frequency) else { return nil }
      // Where the threshold lies above all that may be played, the loudest tone stands for it.
      let loudest = HearingLevel(min(MatchRange.greatestLevel, limit) - reference)
      let threshold = min(HearingLevel(thresholds.held(at: frequency)), loudest)
      return MatchRange(threshold: threshold, reference: reference, limit: limit)
        .map { (frequency: frequency, range: $0) }
    }
  }
}
