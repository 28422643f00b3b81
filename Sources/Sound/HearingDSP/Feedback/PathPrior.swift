import Glibc
import Realtime

/// One ear's measured feedback path as the canceller reads it: a spectrum of causal taps behind the bulk delay in use.
///
/// - Threads: built on `control`, read and copied on `audio`.
struct PathPrior: ~Copyable, Sendable {
  /// Half width of the interpolating kernel, samples of the slower rate: 16 keep 10 kHz to 0.1 dB at 44.1 kHz.
  private static var reach: Double { 16 }

  /// What the path of another day may differ by from the measured one, relative to its greatest power: −25 dB. Own choice:
  /// a jaw moves it by less, a telephone by more, which the canceller meets as an abrupt change.
  private static var uncertainty: Float { 0.003_16 }

  let isKnown: Bool
  /// Uncertainty where a path is strongest, |F|².
  private(set) var variance: Float = 0
  /// Bins of the canceller's transform, and a vector's rest; empty when nothing is known.
  private(set) var re: AlignedBuffer<Float>
  private(set) var im: AlignedBuffer<Float>
  let half: Int

  /// - Parameters:
  ///   - path: nil: nothing is known.
  ///   - loopDelay: That the canceller runs with, s.
  init(_ path: FeedbackPath?, loopDelay: Double, geometry chain: ChainGeometry) {
    let geometry = FeedbackGeometry(chain)
    half = geometry.length / 2
    isKnown = path != nil
    re = AlignedBuffer(count: half + 8)
    im = AlignedBuffer(count: half + 8)
    guard let path else { return }
    let early = geometry.bulkDelay(loopDelay)
    let taps = Self.taps(of: path, from: early, count: geometry.taps, sampleRate: geometry.sampleRate)
    for k in 0...half {
      let weight = geometry.weight(bin: k)
      let turn = 2 * .pi * Double(k) / Double(geometry.length)
      var (sumRe, sumIm) = (0.0, 0.0)
      for (n, x) in taps.enumerated() {
        sumRe += x * cos(turn * Double(n))
        sumIm -= x * sin(turn * Double(n))
      }
      re[k] = Float(weight * sumRe)
      im[k] = Float(weight * sumIm)
      variance = max(variance, Self.uncertainty * (re[k] * re[k] + im[k] * im[k]))
    }
  }

  /// The response on the chain's own samples, from `first` frames after sending on: interpolated by a windowed sinc.
  static func taps(of path: FeedbackPath, from first: Int, count: Int, sampleRate: Double) -> [Double] {
    let ratio = path.sampleRate / sampleRate
    let cut = min(1, 1 / ratio)
    let reach = Self.reach / cut
    return (0..<count).map { n in
      // Where this tap lies among the measured ones.
      let at = (Double(first + n) / sampleRate - path.delay) * path.sampleRate
      let from = max(0, Int((at - reach).rounded(.up)))
      let to = min(path.response.count - 1, Int((at + reach).rounded(.down)))
      guard from <= to else { return 0 }
      var sum = 0.0
      for k in from...to {
        let x = at - Double(k)
        let window = 0.5 + 0.5 * cos(.pi * x / reach)
        let sinc = abs(x) < 1e-9 ? 1 : sin(.pi * cut * x) / (.pi * cut * x)
        sum += path.response[k] * sinc * window
      }
      // A sampled response is its density times the sampling interval.
      return sum * cut * ratio
    }
  }
}
