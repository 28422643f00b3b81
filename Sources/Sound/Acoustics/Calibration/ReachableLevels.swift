import Base
import Glibc

/// Hearing levels that earphones can play as pure tones, from what the sample format resolves to what they or a
/// limit allow.
///
/// A level outside is refused and the bound is named; none is clipped, and none is rounded to silence.
///
/// - Threads: control.
public struct ReachableLevels: Sendable {
  /// The thing that ends the range of levels.
  public enum Bound: Sendable, Hashable {
    /// Full scale of the digital signal, less ``ReachableLevels/margin``.
    case fullScale
    /// The greatest level stated for the earphone.
    case earphone(SoundPressureLevel)
    /// The limit that was given, the aid's greatest output.
    case limit(SoundPressureLevel)
    /// Resolution of the sample format, bits.
    case resolution(Int)

    /// The bound in a sentence.
    var words: String {
      switch self {
      case .fullScale: "\(ReachableLevels.margin.shortText) dB below full scale"
      case .earphone(let level): "the earphone's greatest level, \(level.decibels.shortText) dB SPL"
      case .limit(let level): "the greatest output, \(level.decibels.shortText) dB SPL"
      case .resolution(let bits): "the resolution of \(bits) bits"
      }
    }
  }

  /// Distance of the loudest tone from 0 dB FS, dB. ResearchKit 3.2.0 refuses a tone from there as one that
  /// will clip (ORKdBHLToneAudiometryAudioGenerator.m).
  public static let margin = 1.0

  /// Smallest peak of a tone, in least significant bits; own choice.
  ///
  /// Rounded to whole steps without dither, a sine of this peak is itself within 0.4 dB of its level, and what
  /// rounding adds, 1/12 of a step squared (Bennett 1948), lies 10·log10(6 · 4²) = 20 dB below it: less than what a
  /// threshold search at 5 dB resolves. At a peak of 1 it would be a square wave of any level within 2 dB, below
  /// 1/2 silence.
  static let smallestPeak = 4.0

  private let calibration: OutputCalibration
  private let resolution: Int?
  private let limit: SoundPressureLevel

  /// - Parameters:
  ///   - calibration: Of the earphones, with the transducer that dB HL refers to.
  ///   - resolution: Bits of an integer sample, 8...32; nil: floating point, which resolves every level.
  ///   - limit: Level that nothing exceeds, in the coupler.
  public init(_ calibration: OutputCalibration, resolution: Int?, limit: SoundPressureLevel) {
    self.calibration = calibration
    self.resolution = resolution.map { min(32, max(8, $0)) }
    self.limit = limit
  }

  /// Hearing levels of tones that can be played. From silence (−∞) with floating point.
  ///
  /// - Parameters:
  ///   - frequency: Hz.
  ///   - ear: Side of the earphone.
  /// - Throws: ``AcousticsError`` without a transducer, for a frequency outside a table, and where no level can be played.
  public func range(at frequency: Double, ear: Ear) throws(AcousticsError) -> ClosedRange<HearingLevel> {
    let (softest, loudest) = try bounds(at: frequency, ear: ear)
    guard softest.level <= loudest.level else {
      throw AcousticsError(
        "no level at \(frequency.shortText) Hz on the \(ear.rawValue) ear: \(softest.bound.words) lies at "
          + "\(Self.text(softest.level)), above \(loudest.bound.words) at \(Self.text(loudest.level))")
    }
    return softest.level...loudest.level
  }

  /// Refuses a level that cannot be played, and names what bounds it.
  ///
  /// - Throws: ``AcousticsError`` for a level outside ``range(at:ear:)`` or not a number, and as it does.
  public func check(_ level: HearingLevel, at frequency: Double, ear: Ear) throws(AcousticsError) {
    let (softest, loudest) = try bounds(at: frequency, ear: ear)
    let found = "\(Self.text(level)) at \(frequency.shortText) Hz on the \(ear.rawValue) ear"
    guard !level.decibels.isNaN else { throw AcousticsError(found, expected: "a number") }
    guard level <= loudest.level else {
      throw AcousticsError(
        found, expected: "at most \(Self.text(loudest.level)), for \(loudest.bound.words)")
    }
    guard level >= softest.level else {
      throw AcousticsError(
        found,
        expected: "at least \(Self.text(softest.level)), for \(softest.bound.words); a format of more bits "
          + "or floating point resolves it")
    }
  }

  private func bounds(
    at frequency: Double, ear: Ear
  ) throws(AcousticsError) -> (
    softest: (level: HearingLevel, bound: Bound), loudest: (level: HearingLevel, bound: Bound)
  ) {
    let full = try calibration.hearingLevel(of: FullScaleLevel(0), at: frequency, ear: ear).value
    let pressure = try calibration.soundPressureLevel(of: FullScaleLevel(0), at: frequency, ear: ear).value
    var loudest = (level: full - Self.margin, bound: Bound.fullScale)
    let others = [calibration.maximumLevel.map { ($0, Bound.earphone($0)) }, (limit, .limit(limit))]
    for (level, bound) in others.compactMap(\.self) where full - (pressure - level) < loudest.level {
      loudest = (full - (pressure - level), bound)
    }
    guard let resolution else { return ((HearingLevel(-.infinity), .fullScale), loudest) }
    let smallest = FullScaleLevel(sinePeak: Self.smallestPeak / pow(2, Double(resolution - 1)))
    return ((full + smallest.decibels, .resolution(resolution)), loudest)
  }

  private static func text(_ level: HearingLevel) -> String { "\(level.decibels.shortText) dB HL" }
}
