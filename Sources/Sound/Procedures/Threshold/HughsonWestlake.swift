import Acoustics

/// The modified Hughson–Westlake method at one frequency: down by 10 dB after a tone that was heard, up by 5 dB after one that was
/// not; the threshold is the lowest level heard in two ascents at least and in half of those that led
/// to it.
///
/// Before the first response the level rises by 20 dB up to 50 dB HL, by 10 dB up to 80 dB HL and by 5 dB above:
/// with recruitment a tone little above a high threshold is loud already. ISO 8253-1 and ASHA (2005), Guidelines for
/// manual pure-tone threshold audiometry; both from programs and papers that cite them (docs/sources.md).
///
/// The grid of 5 dB makes the result 2.5 dB higher than the level heard half of the time, on average. That is the clinic's
/// convention, and nothing is subtracted.
///
/// - Threads: any.
struct HughsonWestlake: ThresholdSearch, Hashable, Codable {
  /// dB HL, from the softest to the loudest tone that may be asked for.
  let limits: ClosedRange<Double>
  private(set) var toneCount = 0
  /// Level of the tone to be answered, dB HL.
  private var level: Double
  private var phase = Phase.familiarising
  /// True when the level has come up from a tone that was not heard.
  private var isAscending = false
  /// Answers of ascents, by level.
  private var ascents: [Ascent] = []
  /// Ended in a row at the loudest tone, unheard; and at the softest, heard.
  private var (ceilingMisses, floorHits) = (0, 0)
  private var end: End?
  /// True: by ``HearingTestPlan/hasFirstRules``.
  private let hasFirstRules: Bool

  private enum Phase: Hashable, Codable {
    /// Nothing has been heard yet.
    case familiarising
    case bracketing
  }

  private enum End: Hashable, Codable { case threshold(Double), floor(Double), ceiling(Double), unsettled }

  private struct Ascent: Hashable, Codable {
    let level: Double
    var heard = 0
    var presented = 0
  }

  /// Level of the first tone, dB HL: heard well by most who have a mild loss at most (ASHA, from memory; ResearchKit).
  static let usualStart = HearingLevel(30)
  /// Rises until the first response, dB, each with the highest level to which it leads, dB HL: ASHA (2005) up to
  /// 80 dB HL, the British Society of Audiology (2018) above; both from memory.
  private static let familiarisation: [(rise: Double, highest: Double)] = [
    (20, 50), (10, 80), (5, .infinity),
  ]
  /// The same by ``HearingTestPlan/hasFirstRules``.
  private static let firstFamiliarisation: [(rise: Double, highest: Double)] = [(20, .infinity)]
  /// dB.
  private static let (descent, ascent) = (10.0, 5.0)
  /// Responses in ascents that make a threshold, where they are half of the tones or more (ASHA 2005, from programs that cite it: two of
  /// three or of four).
  private static let responses = 2
  /// Unheard tones at the ceiling, and heard ones at the floor, that end the search (ResearchKit ends after three at the floor).
  private static let atEnd = 3
  /// Tones after which answers are called contradictory: a listener with a spread of 6 dB needs 21 at most in 95 of 100
  /// searches (the simulation of docs/sources.md); own choice, twice as many.
  private static let greatestCount = 42

  /// - Parameters:
  ///   - start: Of the first tone; held within the limits.
  ///   - limits: From the softest to the loudest tone that may be asked for.
  ///   - hasFirstRules: True: by ``HearingTestPlan/hasFirstRules``.
  init(
    start: HearingLevel = usualStart, limits: ClosedRange<HearingLevel>, hasFirstRules: Bool = false
  ) {
    self.hasFirstRules = hasFirstRules
    self.limits = limits.lowerBound.decibels...limits.upperBound.decibels
    level = min(max(start.decibels, limits.lowerBound.decibels), limits.upperBound.decibels)
  }

  var next: HearingLevel? { end == nil ? HearingLevel(level) : nil }

  var outcome: ThresholdOutcome? {
    switch end {
    case .threshold(let level): .threshold(HearingLevel(level))
    case .floor(let level): .atFloor(HearingLevel(level))
    case .ceiling(let level): .noResponse(upTo: HearingLevel(level))
    case .unsettled: .unsettled
    case nil: nil
    }
  }

  mutating func answer(isHeard: Bool) {
    guard end == nil else { return }
    toneCount += 1
    if isAscending { note(isHeard) }
    countAtEnds(isHeard)
    if end == nil, toneCount >= Self.greatestCount { end = .unsettled }
    guard end == nil else { return }
    move(isHeard)
  }

  /// Counts an ascent, and ends where its level was heard often enough.
  private mutating func note(_ isHeard: Bool) {
    let index =
      ascents.firstIndex { $0.level == level }
      ?? {
        ascents.append(Ascent(level: level))
        return ascents.count - 1
      }()
    ascents[index].presented += 1
    if isHeard { ascents[index].heard += 1 }
    let (heard, presented) = (ascents[index].heard, ascents[index].presented)
    if heard >= Self.responses, 2 * heard >= presented { end = .threshold(level) }
  }

  private mutating func countAtEnds(_ isHeard: Bool) {
    ceilingMisses = level >= limits.upperBound && !isHeard ? ceilingMisses + 1 : 0
    floorHits = level <= limits.lowerBound && isHeard ? floorHits + 1 : 0
    guard end == nil else { return }
    if ceilingMisses >= Self.atEnd { end = .ceiling(limits.upperBound) }
    if floorHits >= Self.atEnd { end = .floor(limits.lowerBound) }
  }

  /// Rise from the level of a tone that was not heard before the first response, dB.
  private var familiarisingStep: Double {
    let steps = hasFirstRules ? Self.firstFamiliarisation : Self.familiarisation
    return steps.first { level + $0.rise <= $0.highest }?.rise ?? Self.ascent
  }

  private mutating func move(_ isHeard: Bool) {
    switch (phase, isHeard) {
    case (.familiarising, false): level += familiarisingStep
    case (_, true):
      phase = .bracketing
      level -= Self.descent
    case (.bracketing, false): level += Self.ascent
    }
    isAscending = phase == .bracketing && !isHeard
    level = min(max(level, limits.lowerBound), limits.upperBound)
  }
}
