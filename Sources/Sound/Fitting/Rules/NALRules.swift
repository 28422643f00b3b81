public import Acoustics

/// NAL-R, the linear rule of the National Acoustic Laboratories for mild to moderate loss, and NAL-RP, its
/// revision for severe and profound loss.
///
/// IG(f) = X + 0.31 H(f) + k(f) at nine frequencies, clipped at 0 dB, with H the threshold in dB HL and
/// X = 0.05 (H500 + H1000 + H2000); Byrne & Dillon (1986), Ear and Hearing 7:257–265. The 750 Hz and 3000
/// Hz rows of k are from later printed nine-point tables. NAL-RP (Byrne, Parkinson & Newall (1990), Ear and
/// Hearing 11:40–49, and (1991), Vanderbilt Hearing Aid Report II) adds 0.2 dB per dB by which the mean
/// threshold at 500, 1000 and 2000 Hz exceeds 60 dB HL, and, from 95 dB HL at 2 kHz up, a correction
/// towards low frequencies (``severeLossCorrections(hearingLevelAt2kHz:)``).
///
/// The rules say nothing between and beyond the nine frequencies. Here the clipped gains are joined
/// linearly in dB over log frequency; below 250 Hz see ``lowEdge``, above 6 kHz see ``edge``. The gain is
/// the same at all levels.
public struct NALR: LinearRule, Hashable {
  /// Frequencies the formula is defined at, Hz.
  public static let frequencies: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000]

  /// k(f), dB: makes speech bands equally loud, Byrne & Dillon (1986).
  static let speechEqualization: [Double] = [-17, -8, -3, 1, 1, -1, -2, -2, -2]

  /// Gain per dB of threshold at the frequency itself.
  static let thresholdShare = 0.31

  /// Gain per dB of the mean threshold at 500, 1000 and 2000 Hz (0.05 per dB of their sum).
  static let averageShare = 0.15

  /// Frequency below the table at which the gain has fallen to 0 dB, Hz: the choice of openMHA 4.18.
  static let lowestFrequency = 50.0

  /// Down to where the gain is held, Hz, with ``LowFrequencyEdge/heldTo125Hertz``.
  static let lowestTested = 125.0

  /// Frequency above the table at which it has fallen to 0 dB, Hz, with
  /// ``HighFrequencyEdge/fallingToTenKilohertz``.
  static let highestFrequency = 10_000.0

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

  /// True for NAL-RP.
  public let isRevised: Bool

  /// Gain below 250 Hz.
  public let lowEdge: LowFrequencyEdge

  /// Gain above 6 kHz.
  public let edge: HighFrequencyEdge

  /// Creates the rule: NAL-R, unless it is revised.
  public init(
    revised isRevised: Bool = false, lowEdge: LowFrequencyEdge = .heldTo125Hertz,
    edge: HighFrequencyEdge = .heldAboveSixKilohertz
  ) {
    (self.isRevised, self.lowEdge, self.edge) = (isRevised, lowEdge, edge)
  }

  public var name: String { (isRevised ? "NAL-RP" : "NAL-R") + (lowEdge == .falling ? " version 1" : "") }

  /// Gains at any frequencies from those at ``frequencies``: clipped at 0 dB first, then linear over log
  /// frequency.
  public func insertionGains(
    for audiogram: Audiogram, at frequencies: [Double]
  ) throws(FittingError) -> [Double] {
    let gains = try unclippedGains(for: audiogram).map { max(0, $0) }
    var (points, values) = ([Self.lowestFrequency] + Self.frequencies, [0] + gains)
    if lowEdge == .heldTo125Hertz {
      points.insert(Self.lowestTested, at: 1)
      values.insert(values[1], at: 1)
    }
    if edge == .fallingToTenKilohertz {
      points.append(Self.highestFrequency)
      values.append(0)
    }
    let table = LogFrequencyTable(points, values)
    return frequencies.map { table.held(at: $0) }
  }

  /// The bare formula at ``frequencies``, dB; negative where the rule asks for no gain.
  ///
  /// - Parameter correctsSevereLoss: True adds NAL-RP's correction for 95 dB HL and more at 2 kHz; some
  ///   programs leave it out.
  public func unclippedGains(
    for audiogram: Audiogram, correctsSevereLoss: Bool = true
  ) throws(FittingError) -> [Double] {
    guard let average = audiogram.pureToneAverage?.decibels else {
      throw .insufficientThresholds(measured: audiogram.airPoints.map(\.frequency))
    }
    // An audiogram with an average has a threshold, held or measured, everywhere.
    let thresholds = Self.frequencies.map { audiogram.threshold(at: $0)?.decibels ?? average }
    let gains = zip(thresholds, Self.speechEqualization).map {
      Self.averageShare * average + Self.thresholdShare * $0 + $1
    }
    guard isRevised else { return gains }
    let excess = Self.severeShare * max(0, average - Self.severeAverage)
    let raised = gains.map { $0 + excess }
    guard correctsSevereLoss, let at2kHz = audiogram.threshold(at: 2000) else { return raised }
    return zip(raised, Self.severeLossCorrections(hearingLevelAt2kHz: at2kHz.decibels)).map { $0 + $1 }
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

/// Gain below 250 Hz of a rule that is defined from there up.
public enum LowFrequencyEdge: String, Sendable, CaseIterable, Codable {
  /// The 250 Hz gain is held to 125 Hz, the lowest frequency that is tested, and falls to 0 dB at 50 Hz.
  /// pyclarity 0.9.0 and the models HASPI and HASQI hold it everywhere. Falling from 250 Hz costs a severe
  /// loss the fundamental of voices, and the steep fall turns phases: N5 loses 0.03 HASQI by it.
  case heldTo125Hertz
  /// The gain falls linearly over log frequency to 0 dB at 50 Hz: what openMHA 4.18 does, and version 1 of
  /// the rules.
  case falling
}

/// Gain above 6 kHz of a rule that is defined up to there.
public enum HighFrequencyEdge: String, Sendable, CaseIterable, Codable {
  /// The 6 kHz gain is held: what pyclarity 0.9.0 does, and the choice here, since it keeps the bands that
  /// carry fricatives audible.
  case heldAboveSixKilohertz
  /// The gain falls linearly over log frequency to 0 dB at 10 kHz: what openMHA 4.18 does.
  case fallingToTenKilohertz
}
