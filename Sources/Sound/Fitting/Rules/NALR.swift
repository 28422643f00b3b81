public import Acoustics

/// NAL-R, the linear rule of the National Acoustic Laboratories for mild to moderate loss.
///
/// IG(f) = X + 0.31 H(f) + k(f) at nine frequencies, X = 0.05 (H500 + H1000 + H2000), clipped at 0 dB;
/// Byrne & Dillon (1986), Ear and Hearing 7:257–265. The rule says nothing between and beyond the nine.
/// Here the clipped gains are joined linearly in dB over log frequency; below 250 Hz see ``lowEdge``, above
/// 6 kHz see ``edge``. The gain is the same at all levels.
public struct NALR: LinearRule, Hashable {
  /// Frequencies at which ``unclippedGains(for:)`` are given, Hz.
  public static var frequencies: [Double] { NALFrequencies.all }

  /// Gain below 250 Hz.
  public let lowEdge: LowFrequencyEdge

  /// Gain above 6 kHz.
  public let edge: HighFrequencyEdge

  public init(
    lowEdge: LowFrequencyEdge = .heldTo125Hertz, edge: HighFrequencyEdge = .heldAboveSixKilohertz
  ) {
    self.lowEdge = lowEdge
    self.edge = edge
  }

  public var name: String { lowEdge == .falling ? "NAL-R version 1" : "NAL-R" }

  public func insertionGains(
    for audiogram: Audiogram, at frequencies: [Double]
  ) throws(FittingError) -> [Double] {
    NALFrequencies.insertionGains(
      try Self.unclippedGains(for: audiogram), at: frequencies, lowEdge: lowEdge, edge: edge)
  }

  /// The bare formula at ``frequencies``, dB; negative where the rule asks for no gain.
  public static func unclippedGains(for audiogram: Audiogram) throws(FittingError) -> [Double] {
    let (levels, average) = try NALFrequencies.thresholds(of: audiogram)
    return NALFrequencies.gains(thresholds: levels, average: average)
  }
}
