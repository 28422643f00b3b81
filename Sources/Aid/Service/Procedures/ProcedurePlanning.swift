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

  /// - Throws: ``Failure`` that says what has to be done first.
  func plan() throws(Failure) -> (plan: ProcedurePlan, thresholdFrom: String?) {
    switch order.name {
    case .hearingTest: return (.hearingTest(try hearingTest()), nil)
    case .loudness, .bracketing:
      let (range, threshold) = try range(.tone)
      let plan = LoudnessPlan(
        ear: try ear(), frequency: frequency, range: range, trialCount: order.trials ?? 3,
        signal: order.signal ?? .tone, reservation: threshold.reservation)
      return (order.name == .loudness ? .loudness(plan) : .bracketing(plan), threshold.source)
    case .pitch:
      // The two tones of a comparison would lie on both sides of a gap, and their middle in it.
      let (curve, source) = try curve(isWhole: false)
      let plan = PitchPlan(ear: try ear(), curve: curve)
      guard plan.isWideEnough else { throw narrow(curve, plan.ear) }
      return (.pitch(plan), source)
    case .likeness:
      let (curve, source) = try curve(isWhole: true)
      let plan = LikenessPlan(ear: try ear(), curve: curve)
      guard plan.frequencies != nil else { throw narrow(curve, plan.ear) }
      return (.likeness(plan), source)
    case .bandwidth: return try bandwidth()
    case .masking:
      let (range, threshold) = try range(.broadNoise)
      let signal = order.signal ?? .broadNoise
      return (
        .masking(
          MaskingPlan(
            ear: try ear(), signal: signal, frequency: frequency, range: range,
            reservation: threshold.reservation)),
        threshold.source
      )
    case .inhibition:
      let (range, threshold) = try range(.broadNoise)
      let signal = order.signal ?? .broadNoise
      let ear = try ear()
      let masking = try maskingLevel(ear, signal)
      return (
        .inhibition(
          InhibitionPlan(
            ear: ear, signal: signal, frequency: frequency, masking: masking.level, range: range,
            isMaskingOrBelow: masking.isOrBelow)),
        threshold.source
      )
    }
  }

  /// Minimum masking level that is given, or of the last search, and whether that told it as one or below.
  private func maskingLevel(
    _ ear: Ear, _ signal: Stimulus.Signal
  ) throws(Failure) -> (level: HearingLevel, isOrBelow: Bool?) {
    if let given = order.masking { return (HearingLevel(given), nil) }
    let search = known.masking(ear, signal, at: frequency)
    if let search, let level = search.level { return (level, search.isLevelOrBelow) }
    guard search == nil else {
      // It tells of somebody's tinnitus, which a log does not.
      throw Failure(
        "inhibition", found: "that no noise which may be played masked the tinnitus in the last search",
        expected: "a minimum masking level of this ear and noise",
        remedy:
          "Try another noise, --signal narrow-noise for example, or search once more: auricle match masking",
        exit: .unavailable
      ).logged(asKind: "no minimum masking level")
    }
    let turned = known.turnedMasking(ear, signal, at: frequency)
    throw Failure(
      "inhibition", found: "no minimum masking level" + Self.aside(turned),
      expected: "one of this ear and noise",
      remedy: turned == nil
        ? "Find it first: auricle match masking"
        : "Put the control back, or find the level anew: auricle match masking", exit: .unavailable)
  }

  /// A reason for which a known result does not count, behind what was found; empty without one.
  static func aside(_ reason: String?) -> String { reason.map { " (\($0))" } ?? "" }

  private var frequency: Double { order.frequency ?? 1000 }

  func ear() throws(Failure) -> Ear {
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
      attenuation: attenuation)
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
    let room = min(
      rendering.limit[ear] - level.sound, (rendering.greatest[ear] - unit.headroom) - level.digital)
    let highest = min(HearingLevel(order.highest ?? ProcedureOrder.usualHighest), unit.level + room)
    guard let range = reachable(ear, frequency) else { return nil }
    let lowest = max(Audiogram.levels.lowerBound, range.lowerBound)
    return HearingTestPlan.Limits(
      lowest: lowest, highest: signal.isNoise ? highest : min(highest, range.upperBound))
  }

  /// Levels of tones that the device resolves and the limit lets through; nil: none. The resolution bounds noise as it bounds a tone.
  func reachable(_ ear: Ear, _ frequency: Double) -> ClosedRange<HearingLevel>? {
    let levels = ReachableLevels(
      rendering.calibration, resolution: resolution, limit: rendering.limit[ear])
    return try? levels.range(at: frequency, ear: ear)
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

  /// A threshold, the record that it is from, and reservations about it; neither of one that was given.
  private typealias Threshold = (level: HearingLevel, source: String?, reservation: ThresholdReservation?)

  /// Levels in which a match may sound, by the ear's threshold for the same signal.
  private func range(_ usual: Stimulus.Signal) throws(Failure) -> (MatchRange, Threshold) {
    let (ear, signal) = (try ear(), order.signal ?? usual)
    let threshold = try threshold(ear, signal)
    return (try matchRange(threshold.level, signal, ear), threshold)
  }

  private func matchRange(
    _ threshold: HearingLevel, _ signal: Stimulus.Signal, _ ear: Ear
  ) throws(Failure) -> MatchRange {
    let unit = Stimulus(signal, ear, frequency: frequency, level: HearingLevel(-100), duration: 1)
    let level: StimulusLevel
    do throws(StimulusRefusal) { level = try rendering.checked(unit) } catch { throw failure(error) }
    let reach = level.sound + ((rendering.greatest[ear] - unit.headroom) - level.digital)
    guard let softest = reachable(ear, frequency)?.lowerBound else {
      throw Failure(
        order.name.rawValue,
        found: "no tone at \(frequency.shortText) Hz that the device resolves and that may be played",
        expected: "one", remedy: "Look at calibration and limits: auricle doctor", exit: .configuration)
    }
    try check(threshold, signal, ear, frequency, against: softest)
    // 0 dB HL lies 100 dB above.
    let range = MatchRange(
      threshold: threshold, reference: level.sound + 100, limit: min(rendering.limit[ear], reach),
      softest: softest)
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

  /// Refuses a threshold below the softest sound that the device resolves: it was measured with another format, or given, and a match
  /// about it would be one of sounds that rounding makes, or of silence.
  private func check(
    _ threshold: HearingLevel, _ signal: Stimulus.Signal, _ ear: Ear, _ frequency: Double,
    against softest: HearingLevel
  ) throws(Failure) {
    // A level worked out there and back is not refused for its last digit.
    guard threshold < softest - 1e-6 else { return }
    let (found, least) = (threshold.decibels.shortText, softest.decibels.rounded(.up).shortText)
    let test = Self.testCommand(signal, ear, frequency)
    // It tells how well somebody hears, which a log does not.
    throw Failure(
      order.name.rawValue, found: "a threshold of \(found) dB HL at \(frequency.shortText) Hz",
      expected: "\(least) dB HL or more, for this format of the device resolves nothing softer",
      remedy: "Take a device.format of 24 bits or more, or measure with this one: \(test)",
      exit: .unavailable
    ).logged(asKind: "a sound that this format of the device does not resolve")
  }

  /// A tone, narrow and broad noise about the pitch, each about as loud.
  private func bandwidth() throws(Failure) -> (ProcedurePlan, String?) {
    let ear = try ear()
    let (threshold, source, reservation) = try threshold(ear, .tone)
    let given = order.threshold.map { (frequency: frequency, level: HearingLevel($0)) }
    let match = known.sensation(ear, above: given)
    let sensation = match?.level ?? 10
    // Broad noise has sixteen bands of the narrow one's level; loudness adds over them (own choice).
    let softening = 10.0
    func level(_ signal: Stimulus.Signal) throws(Failure) -> BandwidthPlan.Level {
      let range = try matchRange(threshold, signal, ear)
      guard signal == .broadNoise else {
        return BandwidthPlan.Level(threshold + sensation, ceiling: range.ceiling)
      }
      let softer = max(threshold, threshold + sensation - softening)
      let bound = lowestThreshold(ear, with: threshold) + sensation
      return BandwidthPlan.Level(min(softer, max(bound, range.floor)), ceiling: range.ceiling)
    }
    let (tone, narrowNoise) = (try level(.tone), try level(.narrowNoise))
    let broadNoise = try level(.broadNoise)
    // Where a match at this frequency alone makes all three levels they are right, whatever the threshold is.
    let areMatched = [(tone, 0.0), (narrowNoise, 0.0), (broadNoise, softening)].allSatisfy { sound, less in
      match?.isMatch(frequency, sound.level + less) == true
    }
    return (
      .bandwidth(
        BandwidthPlan(
          ear: ear, frequency: frequency, tone: tone, narrowNoise: narrowNoise, broadNoise: broadNoise,
          reservation: areMatched ? nil : reservation ?? match?.reservation)),
      source
    )
  }

  /// The lowest threshold for tones at the bands of broad noise. All of these have one level: by the threshold at a pitch where the ear hears
  /// badly the noise would be far louder than the tinnitus where it hears well.
  ///
  /// - Parameter threshold: At the match's frequency. Where no other is known, that of each band.
  private func lowestThreshold(_ ear: Ear, with threshold: HearingLevel) -> HearingLevel {
    let others = known.audiogram(ear).points.filter { $0.frequency != frequency }
    let points =
      (others.map { (frequency: $0.frequency, level: $0.level) } + [
        (frequency: frequency, level: threshold)
      ])
      .sorted { $0.frequency < $1.frequency }
    let thresholds = LogFrequencyTable(points.map(\.frequency), points.map(\.level.decibels))
    let bands = Stimulus.broadBands.map { HearingLevel(thresholds.held(at: $0)) }
    return bands.reduce(threshold, min)
  }

  private func threshold(_ ear: Ear, _ signal: Stimulus.Signal) throws(Failure) -> Threshold {
    if let given = order.threshold { return (HearingLevel(given), nil, nil) }
    if let found = known.threshold(ear, signal, at: frequency) {
      return (found.level, found.record, found.reservation)
    }
    let turned = known.turnedThreshold(ear, signal) { $0 == frequency }
    throw Failure(
      order.name.rawValue,
      found:
        "no threshold of the \(ear.rawValue) ear for this sound at \(frequency.shortText) Hz with this earphone"
        + Self.aside(turned),
      expected: "one of a test that began in the last \(KnownResults.longestAge.shortText) days",
      remedy: (turned == nil ? "Measure it first: " : "Put the control back, or measure it anew: ")
        + Self.testCommand(signal, ear, frequency),
      exit: .unavailable)
  }

  /// Command that measures a threshold.
  private static func testCommand(_ signal: Stimulus.Signal, _ ear: Ear, _ frequency: Double) -> String {
    "auricle hearing-test --ear \(ear.rawValue)" + (signal.isNoise ? " --signal \(signal.rawValue)" : "")
      + " --frequency \(frequency.shortText)"
  }
}
