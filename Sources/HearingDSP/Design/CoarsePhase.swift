/// A band's phase at every `spacing`-th bin, and what a cubic through the four nearest of them (Lagrange)
/// leaves.
///
/// - Threads: `control`.
struct CoarsePhase {
  /// Phase at bins `-spacing`, 0, `spacing`, ... up to two behind the last group of bins.
  let knots: [Double]
  /// Phase minus cubic at each bin; 0 at the knots.
  let remainder: [Double]

  /// - Parameter phase: At bins 0 Hz to half the sampling rate; beyond both it is mirrored with the other
  ///   sign.
  init(_ phase: [Double], spacing: Int) {
    let half = phase.count - 1
    let knots = (-1...half / spacing + 2).map { Self.mirrored(phase, $0 * spacing) }
    remainder = phase.indices.map { k in
      let weights = Self.weights(at: Double(k % spacing) / Double(spacing))
      return phase[k] - zip(weights, knots[(k / spacing)...]).reduce(0) { $0 + $1.0 * $1.1 }
    }
    self.knots = knots
  }

  /// Lagrange's weights of the values at −1, 0, 1 and 2 for the cubic's value at `x`.
  static func weights(at x: Double) -> [Double] {
    [
      -x * (x - 1) * (x - 2) / 6, (x + 1) * (x - 1) * (x - 2) / 2, -(x + 1) * x * (x - 2) / 2,
      (x + 1) * x * (x - 1) / 6,
    ]
  }

  private static func mirrored(_ phase: [Double], _ k: Int) -> Double {
    let half = phase.count - 1
    if k < 0 { return -phase[-k] }
    return k <= half ? phase[k] : -phase[2 * half - k]
  }
}
