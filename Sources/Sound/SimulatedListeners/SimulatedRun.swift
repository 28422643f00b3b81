import Acoustics
import Procedures

/// Result of a procedure on a simulated person.
///
/// - Threads: any.
public struct SimulatedRun: Sendable, Hashable {
  /// A number of the result, under the name that it has in the record of a real one.
  public struct Figure: Sendable, Hashable {
    /// Such as "sensation_level"; of thresholds ear and frequency, "left_1000_hz".
    public let name: String
    public let value: Double
    /// "dB HL", "dB", "Hz"; empty of a flag, 0 or 1, and of a number of things.
    public let unit: String

    init(_ name: String, _ value: Double, _ unit: String) {
      (self.name, self.value, self.unit) = (name, value, unit)
    }
  }

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
      ] + trials, seconds: seconds)
  }

  init(_ found: PitchMatchResult, _ seconds: Double) {
    self.init(
      figures: [
        Figure("frequency", found.frequency, "Hz"),
        Figure("compared_frequency", found.comparedFrequency, "Hz"),
        Figure("octave_confused", found.isOctaveConfused ? 1 : 0, ""),
      ], seconds: seconds)
  }

  /// Thresholds as the audiograms have them, and the number of doubts.
  init(_ found: HearingTestSummary, _ seconds: Double) {
    let thresholds = [("right", found.audiograms.right), ("left", found.audiograms.left)].flatMap {
      ear, audiogram in
      audiogram.airPoints.filter(\.hasResponse).map {
        Figure("\(ear)_\(Int($0.frequency))_hz", $0.threshold.decibels, "dB HL")
      }
    }
    self.init(
      figures: thresholds + [Figure("doubts", Double(found.doubts.count), "")], seconds: seconds)
  }
}
