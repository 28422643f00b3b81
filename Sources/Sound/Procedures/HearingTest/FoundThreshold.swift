import Acoustics

/// Threshold of one ear at one frequency, as a test found it.
///
/// - Threads: any.
struct FoundThreshold: Sendable, Hashable {
  let ear: Ear
  /// Hz.
  let frequency: Double
  let outcome: ThresholdOutcome
  let toneCount: Int
  /// Range that holds the threshold with a probability of 90 %, dB HL; nil: the method tells none.
  let interval: ClosedRange<Double>?
  /// Noise in the other ear.
  let masking: Masking

  /// Noise that keeps the other ear from hearing the tone.
  enum Masking: Sendable, Hashable, Codable {
    /// The other ear was silent.
    case none
    /// Narrow-band noise of this effective level: the threshold is the tested ear's own.
    case noise(HearingLevel)
    /// The other ear cannot be masked enough: up to this noise its threshold rises, and a louder one may not sound or would reach the
    /// tested ear. The threshold is the one found without noise; the ear's own lies there or above.
    case insufficient(upTo: HearingLevel)

    /// Effective level of the noise, dB HL; nil: none.
    var noise: HearingLevel? {
      switch self {
      case .none: nil
      case .noise(let level), .insufficient(let level): level
      }
    }
  }

  /// Effective level of the noise in the other ear with which it was found; nil: without.
  var noise: HearingLevel? { masking.noise }
}

/// Thresholds of the frequency that an ear is tested at more than once, all without noise.
struct Retest {
  /// Searches that have ended, also those that say nothing.
  let searchCount: Int
  /// dB HL, in the order of the searches; those that say nothing are left out.
  let levels: [Double]

  init(of ear: Ear, in found: [FoundThreshold]) {
    let own = found.filter { $0.ear == ear && $0.masking == .none }
    let searches = own.filter { $0.frequency == own.first?.frequency }
    searchCount = searches.count
    levels = searches.compactMap { $0.outcome.level?.decibels }
  }

  /// Distance of the first one from the mean of the others, dB; 0 where there are none.
  var difference: Double {
    guard let first = levels.first, levels.count > 1 else { return 0 }
    return abs(levels.dropFirst().reduce(0, +) / Double(levels.count - 1) - first)
  }
}
