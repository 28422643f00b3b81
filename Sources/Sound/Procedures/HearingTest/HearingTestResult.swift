public import Acoustics
import Glibc

/// Outcome of a hearing test that was finished.
///
/// - Threads: any.
public struct HearingTestResult: Sendable, Hashable {
  /// Both ears' thresholds, as an audiogram's points; a frequency whose answers contradict each other is left out. What was found with noise
  /// stands as masked beside what was found without.
  public let audiograms: Binaural<Audiogram>
  /// Everything that was found, in the order of the test.
  let found: [FoundThreshold]
  /// Reasons for which the result is not to be relied on; none: it may be.
  public let doubts: [Doubt]
  /// Frequencies of each ear, Hz, whose thresholds may be the other ear's, which could not be masked enough; the audiogram has them unmasked.
  public let insufficientlyMasked: Binaural<[Double]>

  /// A reason for which thresholds are not to be relied on.
  public enum Doubt: Sendable, Hashable {
    /// Silences that were called heard, of all silences.
    case falseAlarms(Int, of: Int)
    /// The frequency that was tested again differs by this much, dB; chance was ruled out by a third search.
    case retest(Ear, difference: Double)
    /// Not one tone was heard in the ear: it may be deaf, or the earphone silent.
    case noResponse(Ear)
    /// Answers contradicted each other at these frequencies, Hz.
    case unsettled(Ear, [Double])
    /// The other ear, whose threshold is not known there, may have heard the tones at these frequencies, Hz; true: it was tested too.
    case otherEarUnknown(Ear, [Double], isTested: Bool = false)
    /// The other ear may have heard the noise at these frequencies, Hz, and nothing masked it.
    case notMasked(Ear, [Double])
    /// The softest tones that the device makes, of this level at most, were heard at these frequencies, Hz: thresholds lie there or below.
    case atFloor(Ear, [Double], highest: HearingLevel)
    /// Nothing was heard at these frequencies, Hz, one or two that follow each other, and much softer tones beside them:
    /// the plug may have been out.
    case unheardBetween(Ear, [Double])
  }

  /// Difference of two thresholds at one frequency above which they are not to be relied on, dB (ISO 8253-1, from memory: 5 dB; 5 dB steps
  /// make the next value 10).
  public static let greatestDifference = 5.0
  /// False alarms above which answers are not to be relied on, and the share of silences (more than two: a public program,
  /// docs/sources.md; the share: own choice).
  public static let falseAlarms = (count: 2, share: 0.2)
  /// Silences of a test at least, of which an answer to each one is a doubt too (own choice): a key that is always
  /// pressed is told in a short test as well.
  static let leastSilences = 2
  /// Distance of loudest tones that were not heard from the thresholds beside them above which the plug may have been out,
  /// dB, within an octave (own choice: a loss that is as steep is rare, and one that comes back as steeply rarer).
  static let greatestStep = 40.0

  /// Level above which the softest tone of the device is not soft enough (own choice: hearing is normal up to 20 or 25 dB HL, and below
  /// 0 dB HL no rule prescribes anything else).
  public static let greatestFloor = HearingLevel(0)

  /// False of a test by rules that did not tell which thresholds a doubt is about.
  private let marksDoubts: Bool

  /// - Returns: Nil before the end.
  public init?(_ test: HearingTest) {
    guard test.next == nil else { return nil }
    found = test.found
    let points = Binaural<[Audiogram.Point]> { ear in Self.points(of: test.found.filter { $0.ear == ear }) }
    guard let left = try? Audiogram(points: points.left), let right = try? Audiogram(points: points.right)
    else { return nil }
    audiograms = Binaural(left: left, right: right)
    insufficientlyMasked = Binaural { ear in
      test.found.compactMap {
        guard $0.ear == ear, case .insufficient = $0.masking else { return nil }
        return $0.frequency
      }
    }
    marksDoubts = !test.plan.hasFormerDoubts
    doubts =
      Self.alarms(in: test) + test.plan.ears.flatMap { Self.doubts(of: $0, in: test.found) }
      + Self.unknownEars(test) + Self.unmaskedEars(test) + Self.unheardBetween(test)
  }

  /// True of a threshold that a doubt is about; nil by rules that did not tell it.
  func isInDoubt(_ found: FoundThreshold) -> Bool? {
    guard marksDoubts else { return nil }
    return insufficientlyMasked[found.ear].contains(found.frequency)
      || doubts.contains { $0.isAbout(found) }
  }

  /// True of a search that heard nothing while the plug may have been out, or the earphone silent; false by rules that did not tell it.
  func isUnheardInDoubt(_ found: FoundThreshold) -> Bool {
    guard marksDoubts, case .noResponse = found.outcome else { return false }
    return doubts.contains { $0.isOfSilence && $0.isAbout(found) }
  }

  /// Of a frequency that was tested twice the lower threshold counts: nobody hears what is below theirs (ASHA, from memory).
  private static func points(of found: [FoundThreshold]) -> [Audiogram.Point] {
    var points: [Double: Audiogram.Point] = [:]
    for threshold in found where threshold.masking == .none {
      guard let point = point(threshold) else { continue }
      if let former = points[threshold.frequency], former.hasResponse,
        !point.hasResponse || former.threshold < point.threshold
      {
        continue
      }
      points[threshold.frequency] = point
    }
    let masked = found.filter { if case .noise = $0.masking { true } else { false } }
    return (points.values + masked.compactMap(point)).sorted { $0.frequency < $1.frequency }
  }

  private static func point(_ found: FoundThreshold) -> Audiogram.Point? {
    // Whole decibels, as audiograms and prescriptions have them.
    func held(_ level: HearingLevel) -> HearingLevel {
      min(
        max(HearingLevel(level.decibels.rounded()), Audiogram.levels.lowerBound),
        Audiogram.levels.upperBound)
    }
    func made(_ level: HearingLevel, hasResponse: Bool = true) -> Audiogram.Point {
      Audiogram.Point(
        frequency: found.frequency, threshold: held(level), isMasked: found.masking != .none,
        hasResponse: hasResponse)
    }
    switch found.outcome {
    case .threshold(let level), .atFloor(let level): return made(level)
    case .noResponse(let level): return made(level, hasResponse: false)
    case .unsettled: return nil
    }
  }

  // MARK: - Doubts

  private static func alarms(in test: HearingTest) -> [Doubt] {
    let silences = test.record.filter { $0.trial.level == nil && $0.response != .interrupted }
    let alarms = silences.count { if case .heard = $0.response { true } else { false } }
    let areMany = alarms > falseAlarms.count && Double(alarms) > falseAlarms.share * Double(silences.count)
    let areAll = alarms == silences.count && alarms >= leastSilences && !test.plan.hasFormerDoubts
    return areMany || areAll ? [.falseAlarms(alarms, of: silences.count)] : []
  }

  /// Frequencies at which not one tone was heard, and much softer ones beside them, as while a plug is out.
  private static func unheardBetween(_ test: HearingTest) -> [Doubt] {
    guard !test.plan.hasFormerDoubts else { return [] }
    return test.plan.ears.compactMap { ear -> Doubt? in
      let points = Self.points(of: test.found.filter { $0.ear == ear && $0.masking == .none })
      var frequencies: [Double] = []
      var start = 0
      while start < points.count {
        let end = points[start...].firstIndex { $0.hasResponse } ?? points.count
        // Beside a run of them lies a response on each side; at an end of what was tested the two nearest on the other side count.
        let below = Array(points[..<start].suffix(2).reversed())
        let above = Array(points[end...].prefix(2))
        let beside = below.isEmpty || above.isEmpty ? below + above : [below[0], above[0]]
        let run = points[start..<end]
        if (1...2).contains(run.count), beside.count == 2,
          beside.allSatisfy({ isMuchSofter($0, than: run) })
        {
          frequencies += run.map(\.frequency)
        }
        start = end + 1
      }
      return frequencies.isEmpty ? nil : .unheardBetween(ear, frequencies)
    }
  }

  /// True of a threshold far below loudest tones that were not heard, within an octave of one of them.
  private static func isMuchSofter(_ point: Audiogram.Point, than run: ArraySlice<Audiogram.Point>) -> Bool
  {
    point.hasResponse && run.contains { abs(log2($0.frequency / point.frequency)) <= 1 }
      && run.allSatisfy { $0.threshold - point.threshold > greatestStep }
  }

  /// Thresholds at frequencies at which the other ear was not tested, or answered in contradictions: whether it hears
  /// the tones is not known, so it is taken to hear as well as any does.
  private static func unknownEars(_ test: HearingTest) -> [Doubt] {
    guard let attenuation = test.plan.attenuation else { return [] }
    let unmasked = test.found.filter { $0.masking == .none }
    return test.plan.ears.compactMap { ear -> Doubt? in
      let heard = unmasked.filter { found in
        switch found.outcome {
        case .threshold(let level), .atFloor(let level):
          let arriving = level - attenuation
          return found.ear == ear && arriving >= Audiogram.levels.lowerBound
            && !isKnown(ear.opposite, at: found.frequency, for: arriving, in: unmasked)
        case .noResponse, .unsettled: return false
        }
      }
      let frequencies = Set(heard.map(\.frequency)).sorted()
      let isTested = test.plan.ears.contains(ear.opposite)
      return frequencies.isEmpty ? nil : .otherEarUnknown(ear, frequencies, isTested: isTested)
    }
  }

  /// True where the test tells whether an ear hears a level at a frequency: by its threshold, or by a tone as loud that
  /// it did not hear.
  private static func isKnown(
    _ ear: Ear, at frequency: Double, for level: HearingLevel, in found: [FoundThreshold]
  ) -> Bool {
    found.contains {
      guard $0.ear == ear, $0.frequency == frequency else { return false }
      return switch $0.outcome {
      case .threshold, .atFloor: true
      case .noResponse(let highest): highest >= level
      case .unsettled: false
      }
    }
  }

  /// Of a test that cannot mask: thresholds that lie so far above the other ear's that they may be that one's.
  private static func unmaskedEars(_ test: HearingTest) -> [Doubt] {
    guard !test.plan.canMask else { return [] }
    let open = CrossHearing.all(in: test.found, of: test.plan)
    return test.plan.ears.compactMap { ear -> Doubt? in
      let frequencies = open.filter { $0.ear == ear }.map(\.frequency).sorted()
      return frequencies.isEmpty ? nil : .notMasked(ear, frequencies)
    }
  }

  private static func doubts(of ear: Ear, in all: [FoundThreshold]) -> [Doubt] {
    let found = all.filter { $0.ear == ear }
    guard !found.isEmpty else { return [] }
    if found.allSatisfy({ if case .noResponse = $0.outcome { true } else { false } }) {
      return [.noResponse(ear)]
    }
    var doubts: [Doubt] = []
    let retest = Retest(of: ear, in: found)
    if retest.difference > greatestDifference { doubts.append(.retest(ear, difference: retest.difference)) }
    let unsettled = found.filter { $0.outcome == .unsettled }.map(\.frequency)
    if !unsettled.isEmpty { doubts.append(.unsettled(ear, unsettled)) }
    return doubts + atFloor(ear, found)
  }

  private static func atFloor(_ ear: Ear, _ found: [FoundThreshold]) -> [Doubt] {
    let floors = found.compactMap { (threshold) -> (frequency: Double, level: HearingLevel)? in
      // Whole decibels, as the audiogram has them.
      guard threshold.masking == .none, case .atFloor(let level) = threshold.outcome,
        level.decibels.rounded() > greatestFloor.decibels
      else { return nil }
      return (threshold.frequency, level)
    }
    guard let highest = floors.map(\.level).max() else { return [] }
    return [.atFloor(ear, Set(floors.map(\.frequency)).sorted(), highest: highest)]
  }
}

extension HearingTestResult.Doubt {
  /// True of a doubt about this threshold. That it may lie lower than the softest tone is told by itself.
  func isAbout(_ found: FoundThreshold) -> Bool {
    switch self {
    case .falseAlarms: true
    case .retest(let ear, _), .noResponse(let ear): found.ear == ear
    case .unsettled(let ear, let frequencies), .otherEarUnknown(let ear, let frequencies, _),
      .notMasked(let ear, let frequencies), .unheardBetween(let ear, let frequencies):
      found.ear == ear && frequencies.contains(found.frequency)
    case .atFloor: false
    }
  }

  /// True of a doubt whether the earphone sounded at all; others are about thresholds that were found.
  fileprivate var isOfSilence: Bool {
    switch self {
    case .noResponse, .unheardBetween: true
    case .falseAlarms, .retest, .unsettled, .otherEarUnknown, .notMasked, .atFloor: false
    }
  }
}
