import Glibc

/// Follows a tone of known period sample by sample, and tells where it is broken.
///
/// Of a tone of ω radians a sample, x[n] = 2·cos ω·x[n−1] − x[n−2]. A sample that is lost or doubled moves the phase by ω, which
/// breaks that at one of the next two samples by amplitude · ω · sin(ω/2) at least.
package struct ToneCheck: Sendable {
  /// Samples of a period.
  package let period: Int
  /// Peak of the tone.
  package let amplitude: Double
  private let omega: Double
  private let twiceCosine: Double
  private var former = 0.0
  private var latest = 0.0
  private var taken = 0

  /// Greatest departure that is none, as a share of the amplitude. Own choice: a lost sample of a tone of 45 to a period departs by
  /// 0.0097 at least, `SRC_SINC_FASTEST` (97 dB by its documentation) and 300 ppm together by 0.0001.
  package static let tolerance = 0.002

  package init(period: Int, amplitude: Double) {
    (self.period, self.amplitude) = (period, amplitude)
    omega = 2 * .pi / Double(period)
    twiceCosine = 2 * cos(omega)
  }

  /// The tone's samples, one period.
  package var samples: [Float] { (0..<period).map { Float(amplitude * sin(omega * Double($0))) } }

  /// Takes the next sample.
  ///
  /// - Returns: False when the tone is broken here.
  package mutating func take(_ sample: Float) -> Bool {
    let value = Double(sample)
    let departure = value - (twiceCosine * latest - former)
    (former, latest) = (latest, value)
    taken += 1
    return taken <= 2 || abs(departure) <= Self.tolerance * amplitude
  }

  /// Place of the last sample in the tone, samples in 0..<period.
  package var place: Double {
    let sine = latest / amplitude
    let cosine = (sine * cos(omega) - former / amplitude) / sin(omega)
    let phase = atan2(sine, cosine) / omega
    return phase < 0 ? phase + Double(period) : phase
  }
}
