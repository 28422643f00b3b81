public import Acoustics
import Base
public import Fitting
import Glibc
public import HearingDSP

/// Figures of a rendering.
public struct RenderingResult: Sendable {
  /// Files read.
  public let inputs: [String]
  /// File written.
  public let output: String
  /// Settings, with the calibrations that were in force.
  public let settings: HearingSettings
  /// Hz.
  public let sampleRate: Double
  /// Length of what was written, s: that of the recordings, whatever they state.
  public let duration: Double
  /// Time the work took, s.
  public let time: Double
  /// Samples that did not fit the output file.
  public let clippedOutput: Int
  /// Programs that were heard and from when on, s; empty: none.
  public let programs: [(program: ListeningProgram, time: Double)]
  /// Figures of each ear.
  public let ears: Binaural<EarResult>
  /// Blocks of the streamed recording with a sample that was infinite, not a number, or too large to be squared: silence in it.
  public let streamedNonFinite: Int
}

/// Sound that one ear was given, and the gain it needed.
public struct EarResult: Sendable {
  /// Sound at the microphone.
  public let input: SoundSummary
  /// Sound at the ear.
  public let output: SoundSummary
  /// The rule's gain, one curve per band.
  public let curves: [GainCurve]
  /// Setting of the chain.
  public let fitting: EarFitting
  /// Share of the time in which a limiter worked, 0...1.
  public let limitedShare: Double
  /// Input samples at full scale or above, of either sign: of integers the greatest ones there are.
  public let clippedInput: Int
  /// Hops of input with a sample that was infinite, not a number, or too large to be squared: silence in both ears.
  public let nonFinite: Int

  /// Gain the rule asks for when speech of the input's level is heard, dB, at each band's centre.
  ///
  /// The input's third octaves are added up to the bands, because a rule prescribes by band level.
  public func targetGains(bands: BandLayout) -> [Double] {
    curves.enumerated().map { band, curve in
      curve.gain(at: level(from: bands.edges[band], to: bands.edges[band + 1]))
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

/// A sound level meter, a spectrum and the course of the level of one pair of signals.
///
/// - Threads: `control`.
struct SoundObservation: ~Copyable {
  /// Time between two points of a level's course, s.
  private static let courseInterval = 0.05

  private let fullScale: Calibrated<SoundPressureLevel>
  private let sampleRate: Double
  private var meters: Binaural<SoundLevelMeter>
  private var spectrum: LongTermSpectrum
  private var course = Binaural(both: [(time: Double, level: SoundPressureLevel)]())
  private var frames = 0
  private var nextPoint = 0.0

  init(sampleRate: Double, fullScale: Calibrated<SoundPressureLevel>) throws(RenderingError) {
    let meter = try rethrowing(
      { (_: AcousticsError) in RenderingError.chain(.unsupportedSampleRate(sampleRate)) },
      try SoundLevelMeter(.z, sampleRate: sampleRate, fullScale: fullScale))
    spectrum = LongTermSpectrum(sampleRate: sampleRate)
    meters = Binaural(both: meter)
    (self.fullScale, self.sampleRate) = (fullScale, sampleRate)
  }

  /// Measures the next samples of both ears.
  mutating func process(_ leftSamples: borrowing Span<Float>, _ rightSamples: borrowing Span<Float>) {
    meters.left.process(leftSamples)
    meters.right.process(rightSamples)
    spectrum.process(left: leftSamples, right: rightSamples)
    frames += leftSamples.count
    let time = Double(frames) / sampleRate
    guard time >= nextPoint else { return }
    nextPoint += Self.courseInterval
    course.left.append((time, meters.left.fastLevel.value))
    course.right.append((time, meters.right.fastLevel.value))
  }

  /// Figures of one ear.
  func summary(_ ear: Ear) -> SoundSummary {
    let meter = meters[ear]
    return SoundSummary(
      equivalentLevel: meter.equivalentLevel, maximumFastLevel: meter.maximumFastLevel,
      thirdOctaves: spectrum.thirdOctaves(ear).map {
        let level = FullScaleLevel(rootMeanSquare: $0.power.squareRoot())
        return ($0.centre, fullScale.value + level.decibels)
      },
      course: course[ear])
  }
}

/// One sound in numbers.
public struct SoundSummary: Sendable {
  /// Leq of the whole, unweighted.
  public let equivalentLevel: Calibrated<SoundPressureLevel>
  /// Highest Fast level.
  public let maximumFastLevel: Calibrated<SoundPressureLevel>
  /// Levels of the third octaves; their centres, Hz.
  public let thirdOctaves: [(frequency: Double, level: SoundPressureLevel)]
  /// Fast level over time, s.
  public let course: [(time: Double, level: SoundPressureLevel)]
}
