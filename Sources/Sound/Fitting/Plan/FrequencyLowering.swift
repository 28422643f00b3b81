public import Acoustics
import Base
import Glibc

/// Non-linear frequency compression for an ear that hears nothing high any more: what lies above the cutoff
/// is brought nearer to it, `f_out = cutoff · (f_in / cutoff)^(1/ratio)`; what lies below stays.
public struct FrequencyLowering: Sendable, Hashable {
  /// Cutoffs accepted, Hz: below 1.5 kHz vowels would change (own choice, after common practice).
  public static let cutoffs = 1500.0...6000.0
  /// Ratios accepted, octaves in over octaves out.
  public static let ratios = 1.5...4.0

  /// Hz.
  public let cutoff: Double
  public let ratio: Double

  /// - Throws: ``FrequencyLoweringError``.
  public init(cutoff: Double, ratio: Double) throws(FrequencyLoweringError) {
    guard Self.cutoffs.contains(cutoff) else { throw .cutoffOutOfRange(cutoff) }
    guard Self.ratios.contains(ratio) else { throw .ratioOutOfRange(ratio) }
    self.cutoff = cutoff
    self.ratio = ratio
  }
}

extension FrequencyLowering: CustomStringConvertible {
  /// For people: `from 2000 Hz up, 2:1`.
  public var description: String { "from \(cutoff.shortText) Hz up, \(ratio.shortText):1" }
}

/// Why numbers do not make a frequency lowering.
public enum FrequencyLoweringError: Error, Equatable {
  /// Outside ``FrequencyLowering/cutoffs``, or not a number; Hz.
  case cutoffOutOfRange(Double)
  /// Outside ``FrequencyLowering/ratios``, or not a number.
  case ratioOutOfRange(Double)
}

extension FrequencyLoweringError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .cutoffOutOfRange(let cutoff):
      "frequency lowering from \(cutoff.shortText) Hz: expected 1500 to 6000 Hz"
    case .ratioOutOfRange(let ratio): "frequency lowering by \(ratio.shortText): expected 1.5 to 4"
    }
  }
}

extension FrequencyLowering {
  /// Range of the sounds that lowering makes audible, Hz: the energy of /s/ and other fricatives.
  static let fricatives = 4000.0...8000.0
  /// Share of the speech between 4 and 8 kHz that must go unheard by amplification alone. Own choice: it parts the
  /// standard audiograms S2, S3, N6 and N7, for which lowering is meant, from the rest.
  static let leastAudible = 1.0 / 6
  /// Cutoff below which a stronger ratio is tried first, Hz: vowels' second formants end there.
  static let preferredCutoff = 2000.0

  /// The weakest lowering that brings what speech has up to 8 kHz to where this ear still hears speech peaks; nil when
  /// the ear hears enough up there, when it hears nothing from ``cutoffs`` on, or when it was not tested.
  ///
  /// Heard is speech of 65 dB SPL (Byrne et al. 1994) amplified by ``NALRP``, third octave by third octave, whose
  /// audible share is (level − threshold + 15 dB) / 30 dB (ANSI/ASA S3.5-1997: peaks lie 15 dB above the mean; from
  /// memory). Weakest is the lowest of the ratios 1.5, 2 … 4 whose cutoff is at least ``preferredCutoff``, with the
  /// highest cutoff that reaches; if none is, the strongest. A starting point for the audiologist, no prescription.
  public static func suggested(for audiogram: Audiogram) -> FrequencyLowering? {
    let high = [4000.0, 5000, 6300, 8000].map { audibleShare(at: $0, audiogram) }
    guard high.allSatisfy({ $0.isFinite }), high.reduce(0, +) / 4 < leastAudible else { return nil }
    guard let edge = highestAudible(audiogram), edge > cutoffs.lowerBound else { return nil }
    let top = fricatives.upperBound
    for ratio in stride(from: ratios.lowerBound, through: ratios.upperBound, by: 0.5) {
      // cutoff · (top / cutoff)^(1/ratio) = edge
      let cutoff = pow(edge / pow(top, 1 / ratio), ratio / (ratio - 1))
      if cutoff >= preferredCutoff { return rounded(cutoff, ratio) }
    }
    let strongest = ratios.upperBound
    return rounded(pow(edge / pow(top, 1 / strongest), strongest / (strongest - 1)), strongest)
  }

  /// Highest frequency, Hz, at which amplified speech peaks reach the threshold; nil when they do nowhere. In
  /// twelfths of an octave from 8 kHz down to 1 kHz.
  private static func highestAudible(_ audiogram: Audiogram) -> Double? {
    (0...36).lazy.map { fricatives.upperBound * exp2(-Double($0) / 12) }
      .first { audibleShare(at: $0, audiogram) > 0 }
  }

  /// Audible share of amplified speech in the third octave around a frequency, 0...1; not a number for an ear that was
  /// not tested.
  private static func audibleShare(at frequency: Double, _ audiogram: Audiogram) -> Double {
    guard let threshold = audiogram.threshold(at: frequency),
      let gain = try? NALRP().insertionGains(for: audiogram, at: [frequency])
    else { return .nan }
    let half = exp2(1.0 / 6)
    let speech = LongTermAverageSpeechSpectrum.bandLevel(
      from: frequency / half, to: frequency * half, overall: SoundPressureLevel(65))
    let floor = HearingThreshold.level(at: frequency).decibels + threshold.decibels
    return min(max((speech.decibels + gain[0] - floor + 15) / 30, 0), 1)
  }

  /// To the next lower 100 Hz, within what is accepted.
  private static func rounded(_ cutoff: Double, _ ratio: Double) -> FrequencyLowering? {
    let whole = (cutoff / 100).rounded(.down) * 100
    return try? FrequencyLowering(
      cutoff: min(max(whole, cutoffs.lowerBound), cutoffs.upperBound), ratio: ratio)
  }
}
