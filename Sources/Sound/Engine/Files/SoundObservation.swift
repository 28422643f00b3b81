public import Acoustics
import HearingDSP

/// A sound level meter, a spectrum and the course of the level of one pair of signals.
///
/// - Threads: `control`.
struct SoundObservation: ~Copyable {
  /// Time between two points of a level's course, s.
  private static let courseInterval = 0.05

  private let fullScale: Calibrated<SoundPressureLevel>
  private let sampleRate: Double
  private var left: SoundLevelMeter
  private var right: SoundLevelMeter
  private var spectrum: LongTermSpectrum
  private var course = Binaural(both: [TimedLevel]())
  private var framesHeard = 0
  private var nextPoint = 0.0

  init(sampleRate: Double, fullScale: Calibrated<SoundPressureLevel>) throws(RenderingError) {
    let meter: SoundLevelMeter
    do {
      meter = try SoundLevelMeter(.z, sampleRate: sampleRate, fullScale: fullScale)
    } catch {
      throw .chain(.unsupportedSampleRate(sampleRate))
    }
    do {
      spectrum = try LongTermSpectrum(sampleRate: sampleRate)
    } catch {
      throw .chain(error)
    }
    self.fullScale = fullScale
    self.sampleRate = sampleRate
    left = meter
    right = meter
  }

  mutating func hear(_ leftSamples: borrowing Span<Float>, _ rightSamples: borrowing Span<Float>) {
    left.process(leftSamples)
    right.process(rightSamples)
    spectrum.process(left: leftSamples, right: rightSamples)
    framesHeard += leftSamples.count
    let time = Double(framesHeard) / sampleRate
    guard time >= nextPoint else { return }
    nextPoint += Self.courseInterval
    course.left.append(TimedLevel(time: time, level: left.fastLevel.value))
    course.right.append(TimedLevel(time: time, level: right.fastLevel.value))
  }

  /// What was heard by one ear.
  func summary(_ ear: Ear) -> SoundSummary {
    let meter = ear == .left ? left : right
    return SoundSummary(
      equivalentLevel: meter.equivalentLevel, maximumFastLevel: meter.maximumFastLevel,
      thirdOctaves: spectrum.thirdOctaves(ear).map {
        let level = FullScaleLevel(rootMeanSquare: $0.power.squareRoot())
        return FrequencyLevel(frequency: $0.centre, level: fullScale.value + level.decibels)
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
  /// Levels of the third octaves.
  public let thirdOctaves: [FrequencyLevel]
  /// Fast level over time.
  public let course: [TimedLevel]
}

/// A level at a frequency.
public struct FrequencyLevel: Sendable, Equatable {
  /// Hz.
  public let frequency: Double
  public let level: SoundPressureLevel
}

/// A level at a time.
public struct TimedLevel: Sendable, Equatable {
  /// s.
  public let time: Double
  public let level: SoundPressureLevel
}
