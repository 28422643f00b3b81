import Glibc

/// Frequency weightings of sound level meters, IEC 61672-1.
public enum FrequencyWeighting: String, Sendable, CaseIterable, Codable {
  /// Follows the ear at low levels.
  case a = "A"
  /// Flat but for both ends.
  case c = "C"
  /// Flat.
  case z = "Z"

  /// Pole frequencies f1…f4 of IEC 61672-1 annex E, Hz. C has f1 and f4 twice each; A also f2 and f3.
  static let poles = (20.598997, 107.65265, 737.86223, 12_194.217)

  /// Design goal at a frequency, dB re 1 kHz.
  ///
  /// - Parameter frequency: Hz, positive.
  public func gain(at frequency: Double) -> Double {
    20 * log10(magnitude(at: frequency) / magnitude(at: 1000))
  }

  /// Magnitude of the analogue transfer function, not normalized.
  private func magnitude(at f: Double) -> Double {
    let (f1, f2, f3, f4) = Self.poles
    let square = f * f
    let c = square / ((square + f1 * f1) * (square + f4 * f4))
    return switch self {
    case .a: c * square / ((square + f2 * f2) * (square + f3 * f3)).squareRoot()
    case .c: c
    case .z: 1
    }
  }
}
