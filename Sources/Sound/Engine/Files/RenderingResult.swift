public import Acoustics
public import Fitting
import Glibc
public import HearingDSP

/// What became of a rendering.
public struct RenderingResult: Sendable {
  public let inputs: [String]
  public let output: String
  /// What was heard, with the calibrations that were in force.
  public let settings: HearingSettings
  /// Hz.
  public let sampleRate: Double
  /// Length of the recordings, s.
  public let duration: Double
  /// Time the work took, s.
  public let time: Double
  /// Samples that did not fit the output file.
  public let clippedOutput: Int
  /// Programs that were heard and from when on, s; empty: none.
  public let programs: [(program: ListeningProgram, time: Double)]
  public let ears: Binaural<EarResult>
}

/// What one ear was given and what it needed.
public struct EarResult: Sendable {
  public let input: SoundSummary
  public let output: SoundSummary
  /// The rule's gain, one curve per band.
  public let curves: [GainCurve]
  /// What the chain was set to.
  public let fitting: EarFitting
  /// Share of the time in which a limiter worked, 0...1.
  public let limitedShare: Double
  /// Input samples at or above full scale.
  public let clippedInput: Int
  /// Hops of input with a sample that was infinite or not a number.
  public let nonFinite: Int

  /// Gain the rule asks for when speech of the input's level is heard, dB, at each band's centre.
  ///
  /// The input's third octaves are added up to the bands, because a rule prescribes by band level.
  public func targetGains(bands: BandLayout) -> [Double] {
    bands.centres.indices.map { band in
      let (low, high) = (bands.edges[band], bands.edges[band + 1])
      return curves[band].gain(at: level(from: low, to: high))
    }
  }

  /// Level of the input between two frequencies, each third octave cut in proportion over log frequency.
  private func level(from low: Double, to high: Double) -> SoundPressureLevel {
    let half = 1.122_018_454_301_963  // 10^(1/20), from a third octave's centre to its edge
    let parts = input.thirdOctaves.compactMap { part -> SoundPressureLevel? in
      let (from, to) = (max(low, part.frequency / half), min(high, part.frequency * half))
      guard to > from else { return nil }
      let share = log(to / from) / log(half * half)
      return part.level + 10 * log(share) / log(10)
    }
    return SoundPressureLevel.powerSum(parts)
  }
}
