import Acoustics
public import Acoustics

/// Common part of the rules NAL-R and NAL-RP: their nine frequencies, the terms of the formula, the course
/// between.
///
/// IG(f) = X + 0.31 H(f) + k(f), with H the threshold in dB HL and X = 0.05 (H500 + H1000 + H2000). Byrne &
/// Dillon (1986), Ear and Hearing 7:257–265. The 750 Hz and 3000 Hz rows of k are from later printed
/// nine-point tables.
enum NALFrequencies {
  /// Frequencies the formula is defined at, Hz.
  static let all: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000]

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

  /// Thresholds at ``all``, dB HL, and their average.
  static func thresholds(
    of audiogram: Audiogram
  ) throws(FittingError) -> (levels: [Double], average: Double) {
    guard let average = audiogram.pureToneAverage else {
      throw .insufficientThresholds(measured: audiogram.airPoints.map(\.frequency))
    }
    // An audiogram with an average has a threshold, held or measured, everywhere.
    let levels = all.map { audiogram.threshold(at: $0)?.decibels ?? average.decibels }
    return (levels, average.decibels)
  }

  /// The formula of NAL-R, dB at ``all``, not clipped.
  static func gains(thresholds: [Double], average: Double) -> [Double] {
    zip(thresholds, speechEqualization).map { averageShare * average + thresholdShare * $0 + $1 }
  }

  /// Gains at any frequencies from those at ``all``: clipped at 0 dB first, then linear over log frequency.
  static func insertionGains(
    _ gains: [Double], at frequencies: [Double], lowEdge: LowFrequencyEdge, edge: HighFrequencyEdge
  ) -> [Double] {
    var (points, values) = ([lowestFrequency] + all, [0] + gains.map { max(0, $0) })
    if lowEdge == .heldTo125Hertz {
      points.insert(lowestTested, at: 1)
      values.insert(values[1], at: 1)
    }
    if edge == .fallingToTenKilohertz {
      points.append(highestFrequency)
      values.append(0)
    }
    let table = LogFrequencyTable(points, values)
    return frequencies.map { table.held(at: $0) }
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

  /// Creates the rule.
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

  /// Creates the rule.
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
