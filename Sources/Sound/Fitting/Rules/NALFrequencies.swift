import Acoustics

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
  /// The 250 Hz gain is held to 125 Hz, the lowest frequency that is tested, and falls to 0 dB at 50 Hz. pyclarity
  /// 0.9.0 and the models HASPI and HASQI hold it everywhere. Falling from 250 Hz costs a severe loss the fundamental
  /// of voices, and the steep fall turns phases: N5 loses 0.03 HASQI by it.
  case heldTo125Hertz
  /// The gain falls linearly over log frequency to 0 dB at 50 Hz: what openMHA 4.18 does, and version 1 of the rules.
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
