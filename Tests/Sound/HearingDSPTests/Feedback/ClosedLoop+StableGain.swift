import Glibc

@testable import HearingDSP
@testable import HearingDSPTesting

extension ClosedLoop {
  /// Estimate of the path, as an impulse response behind ``delay``.
  var estimate: [Double] { rig.chain.performer.feedback.canceller.response }

  /// Least over frequency of 20 lg 1/|F − F̂| less that of 20 lg 1/|F|: stable gain added, dB.
  func addedStableGain() -> Double {
    let estimated = estimate
    let count = max(path.count, estimated.count)
    let difference = (0..<count).map {
      ($0 < path.count ? path[$0] : 0) - ($0 < estimated.count ? estimated[$0] : 0)
    }
    let (now, before) = [difference, path].map { h in
      SyntheticPath.frequencies.map { SyntheticPath.magnitude(h, at: $0) }.max() ?? 0
    }.pair
    return 20 * log10(before / now)
  }
}

extension [Double] {
  fileprivate var pair: (Double, Double) { (self[0], self[1]) }
}

extension FeedbackCanceller {
  /// The left ear's estimate as an impulse response behind the bulk delay, by the inverse transform's formula.
  var response: [Double] {
    let half = ears.left.estimate.path.half
    let (re, im) = (ears.left.estimate.path.re, ears.left.estimate.path.im)
    let path = (0...half).map { (Double(re[$0]), Double(im[$0])) }
    return (0..<2 * half - half / 2).map { n in
      var sum = path[0].0 + path[half].0 * (n % 2 == 0 ? 1 : -1)
      for k in 1..<half {
        let angle = Double.pi * Double(k * n % (2 * half)) / Double(half)
        sum += 2 * (path[k].0 * cos(angle) - path[k].1 * sin(angle))
      }
      return sum / Double(2 * half)
    }
  }
}
