import Acoustics
import Procedures

/// Result of a procedure on a simulated person.
///
/// - Threads: any.
public struct SimulatedRun: Sendable, Hashable {
  /// A number of the result, under the name that it has in the record of a real one.
  public struct Figure: Sendable, Hashable {
    /// Such as "sensation_level"; of thresholds ear and frequency, "left_1000_hz", "left_1000_hz_or_below".
    public let name: String
    /// In the unit beside it.
    public let value: Double
    /// "dB HL", "dB", "Hz"; empty of a flag, 0 or 1, and of a number of things.
    public let unit: String

    init(_ name: String, _ value: Double, _ unit: String) {
      (self.name, self.value, self.unit) = (name, value, unit)
    }
  }

  /// Numbers of the result, each name once.
  public let figures: [Figure]
  /// Time of all sounds and answers, s.
  public let seconds: Double
}

extension SimulatedRun {
  init(_ found: LoudnessSummary, _ seconds: Double) {
    let trials = found.trials.enumerated().map { Figure("trial_\($0.offset + 1)", $0.element, "dB HL") }
    self.init(
      figures: [
        Figure("frequency", found.frequency, "Hz"), Figure("threshold", found.threshold.decibels, "dB HL"),
        Figure("level", found.level.decibels, "dB HL"),
        Figure("sensation_level", found.sensationLevel.decibels, "dB SL"),
      ] + (found.deviation.map { [Figure("deviation", $0, "dB")] } ?? []) + [
        Figure("scattered", found.isScattered ? 1 : 0, ""), Figure("at_limit", found.isAtLimit ? 1 : 0, ""),
        Figure("not_turned", found.isNotTurned == true ? 1 : 0, ""),
      ] + trials, seconds: seconds)
  }

  init(_ found: PitchMatchResult, of plan: PitchPlan, _ seconds: Double) {
    let uncompared = plan.uncomparedOctaves(found)
    let octaves = PitchMatchResult.Octave.allCases.map { octave in
      Figure("octave_\(octave.rawValue)_uncompared", uncompared.contains(octave) ? 1 : 0, "")
    }
    self.init(
      figures: [
        Figure("frequency", found.frequency, "Hz"),
        Figure("compared_frequency", found.comparedFrequency, "Hz"),
        Figure("octave_confused", found.isOctaveConfused ? 1 : 0, ""),
        Figure("at_edge", plan.isAtEdge(found) ? 1 : 0, ""),
      ] + octaves, seconds: seconds)
  }

  /// Thresholds as the audiograms have them, or the reasons why there are none, and the number of doubts.
  init(_ found: HearingTestSummary, _ seconds: Double) {
    let ears = [(Ear.right, found.audiograms.right), (Ear.left, found.audiograms.left)]
    let figures = ears.flatMap { ear, audiogram in
      Self.figures(of: ear, audiogram, found.thresholds.filter { $0.ear == ear })
    }
    self.init(figures: figures + [Figure("doubts", Double(found.doubts.count), "")], seconds: seconds)
  }

  /// As a study keeps the report of a real test.
  private static func figures(
    of ear: Ear, _ audiogram: Audiogram, _ searches: [HearingTestSummary.Threshold]
  ) -> [Figure] {
    let points = Dictionary(audiogram.airPoints.map { ($0.frequency, $0) }) { _, last in last }
    let own = Dictionary(grouping: searches) { $0.frequency }
    return Set(points.keys).union(own.keys).sorted().flatMap { frequency -> [Figure] in
      let name = "\(ear.rawValue)_\(Int(frequency))_hz"
      let searches = own[frequency] ?? []
      var figures: [Figure] = []
      if let point = points[frequency], point.hasResponse {
        figures.append(Figure(name, point.threshold.decibels, "dB HL"))
        let isAtFloor = searches.contains {
          let isMasked = $0.noise != nil && !$0.isInsufficientlyMasked
          return $0.isAtFloor && isMasked == point.isMasked
        }
        figures.append(Figure(name + "_or_below", isAtFloor ? 1 : 0, ""))
        if !point.isMasked, searches.contains(where: \.isInsufficientlyMasked) {
          figures.append(Figure(name + "_insufficiently_masked", 1, ""))
        }
      } else if let point = points[frequency] {
        figures.append(Figure(name + "_no_response_up_to", point.threshold.decibels, "dB HL"))
      }
      if searches.contains(where: { $0.level == nil }) {
        figures.append(Figure(name + "_contradictory", 1, ""))
      }
      return figures
    }
  }
}
