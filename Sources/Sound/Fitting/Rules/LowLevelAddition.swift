/// Gain that ``NALRPCompressive`` adds for soft speech, S(40), to that for ordinary speech, S(65).
public enum LowLevelAddition: String, Sendable, CaseIterable, Codable {
  /// No more than the loss of loudness asks for: nothing up to 20 dB HL, from there 0.4 dB per dB of threshold,
  /// until the compression ratio's own addition is reached.
  ///
  /// FIG6 (Killion & Fikret-Pasa 1993, The Hearing Journal 46(11):31–34; formula from memory) gives an ear of 20
  /// to 60 dB HL a gain of H − 20 for sounds of 40 dB SPL and of 0.6·(H − 20) for sounds of 65 dB SPL, and none
  /// below 20 dB HL: 0.4·(H − 20) more for the soft ones.
  case byThreshold
  /// All that the compression ratio makes of the 25 dB in between, whatever the threshold: versions 1 and 2 of the
  /// rule. At a ratio of 2 that is 12.5 dB, for a healthy ear too.
  case byRatio

  /// Threshold up to which nothing is added, dB HL: FIG6's.
  static let leastThreshold = 20.0

  /// Addition per dB of threshold above ``leastThreshold``: FIG6's H − 20 less its 0.6·(H − 20).
  static let thresholdShare = 0.4

  /// The addition at a threshold, dB, not negative.
  ///
  /// - Parameters:
  ///   - whole: Addition by the compression ratio over the distance from S(65) to S(40), dB.
  ///   - threshold: H, dB HL.
  func gain(of whole: Double, threshold: Double) -> Double {
    switch self {
    case .byThreshold: min(whole, Self.thresholdShare * max(0, threshold - Self.leastThreshold))
    case .byRatio: whole
    }
  }
}
