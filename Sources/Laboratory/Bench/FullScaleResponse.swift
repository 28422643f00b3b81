public import Acoustics

/// What full scale stands for at every frequency: a microphone's or an earphone's stated sensitivity, held
/// beyond the ends of its table.
///
/// - Threads: any.
public struct FullScaleResponse: Sendable {
  private let sensitivity: Sensitivity

  public init(_ sensitivity: Sensitivity) { self.sensitivity = sensitivity }

  /// dB SPL of a full-scale sine at a frequency, Hz.
  public func level(at frequency: Double) -> Double {
    let range = sensitivity.range ?? frequency...frequency
    let within = min(max(frequency, range.lowerBound), range.upperBound)
    return ((try? sensitivity.level(at: within)) ?? sensitivity.nominalLevel).decibels
  }
}
