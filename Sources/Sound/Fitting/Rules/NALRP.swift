public import Acoustics

/// NAL-RP, NAL-R revised for severe and profound loss.
///
/// Byrne, Parkinson & Newall (1990), Ear and Hearing 11:40–49, and (1991), Vanderbilt Hearing Aid Report
/// II. To the gain of ``NALR`` it adds 0.2 dB per dB by which the mean threshold at 500, 1000 and 2000 Hz
/// exceeds 60 dB HL, and, from 95 dB HL at 2 kHz up, a correction towards low frequencies
/// (``severeLossCorrections(hearingLevelAt2kHz:)``). Clipping, interpolation and edges as in ``NALR``.
public struct NALRP: LinearRule, Hashable {
  /// Frequencies at which ``unclippedGains(for:correctsSevereLoss:)`` are given, Hz.
  public static var frequencies: [Double] { NALFrequencies.all }

  /// Average threshold above which the rule adds gain, dB HL.
  static let severeAverage = 60.0

  /// Gain added per dB above ``severeAverage``.
  static let severeShare = 0.20

  /// Rows of ``severeCorrections``: threshold at 2 kHz, dB HL.
  static let severeLevels: [Double] = [95, 100, 105, 110, 115, 120]

  /// Correction at the nine frequencies, dB: Byrne et al. (1991), figure 9, as tabulated in openMHA 4.18.
  /// At 750 Hz only the first and last rows are known, 1 and 4 dB: the four between lie on a line.
  static let severeCorrections: [[Double]] = [
    [4, 3, 1.0, 0, -1, -2, -2, -2, -2],
    [6, 4, 1.6, 0, -2, -3, -3, -3, -3],
    [8, 5, 2.2, 0, -3, -5, -5, -5, -5],
    [11, 7, 2.8, 0, -3, -6, -6, -6, -6],
    [13, 8, 3.4, 0, -4, -8, -8, -8, -8],
    [15, 9, 4.0, 0, -5, -9, -9, -9, -9],
  ]

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

  public var name: String { lowEdge == .falling ? "NAL-RP version 1" : "NAL-RP" }

  public func insertionGains(
    for audiogram: Audiogram, at frequencies: [Double]
  ) throws(FittingError) -> [Double] {
    NALFrequencies.insertionGains(
      try Self.unclippedGains(for: audiogram), at: frequencies, lowEdge: lowEdge, edge: edge)
  }

  /// The bare formula at ``frequencies``, dB; negative where the rule asks for no gain.
  ///
  /// - Parameter correctsSevereLoss: True adds the correction for 95 dB HL and more at 2 kHz; some
  ///   programs leave it out.
  public static func unclippedGains(
    for audiogram: Audiogram, correctsSevereLoss: Bool = true
  ) throws(FittingError) -> [Double] {
    let (levels, average) = try NALFrequencies.thresholds(of: audiogram)
    let excess = severeShare * max(0, average - severeAverage)
    let gains = NALFrequencies.gains(thresholds: levels, average: average).map { $0 + excess }
    guard correctsSevereLoss, let at2kHz = audiogram.threshold(at: 2000) else { return gains }
    return zip(gains, severeLossCorrections(hearingLevelAt2kHz: at2kHz.decibels)).map { $0 + $1 }
  }

  /// Correction at ``frequencies``, dB: none below 95 dB HL at 2 kHz, linear between the rows of the table.
  static func severeLossCorrections(hearingLevelAt2kHz level: Double) -> [Double] {
    guard level >= severeLevels[0] else { return frequencies.map { _ in 0 } }
    guard let next = severeLevels.firstIndex(where: { $0 > level }) else {
      return severeCorrections[severeCorrections.count - 1]
    }
    let share = (level - severeLevels[next - 1]) / (severeLevels[next] - severeLevels[next - 1])
    return zip(severeCorrections[next - 1], severeCorrections[next]).map { $0 + share * ($1 - $0) }
  }
}
