import Glibc
import Testing

@testable import HearingDSP

/// An output limiter by itself, at 44.1 kHz, and what its description says of its store.
final class LimiterRig {
  static let rate = 44_100.0
  static let hop = 64
  /// Samples of the limit's mean square that may lie above the limit: 0.8 ms, 35.28.
  static let allowance = 0.0008 * rate

  /// Peak of a sine at the limit, and its mean square: 20 dB below full scale.
  static let peak: Float = 0.1
  static let power = 0.005

  var limiter: OutputLimiter

  init(_ limiter: consuming OutputLimiter) { self.limiter = limiter }

  init(headroom: Double = -20) throws {
    limiter = OutputLimiter(
      OutputLimits.Ear(headroom: headroom),
      geometry: try ChainGeometry(sampleRate: Self.rate, blockFrames: Self.hop))
  }

  /// Hops of `frames` samples in turn; nil where a hop was not finite.
  func run(_ input: [Float], frames: Int = hop) -> [Float]? {
    var output = input
    var isWhole = true
    for start in stride(from: 0, to: input.count, by: frames) {
      var span = output.mutableSpan
      let isFinite = limiter.process(&span, from: start, frames: min(frames, input.count - start))
      isWhole = isWhole && isFinite
    }
    return isWhole ? output : nil
  }

  /// Report of the last hop.
  func report() -> OutputReport.Ear {
    var report = OutputReport.Ear()
    limiter.read(into: &report)
    return report
  }

  /// A hop of one value.
  static func hops(_ count: Int, of value: Float) -> [Float] {
    [Float](repeating: value, count: count * hop)
  }

  /// A hop whose last samples have the allowed peak.
  static func late(_ count: Int) -> [Float] { (0..<hop).map { $0 < hop - count ? 0 : peak } }

  /// Energy in samples of the limit's mean square.
  static func energy(_ samples: some Sequence<Float>) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) } / power
  }
}
