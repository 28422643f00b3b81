import Acoustics
import Fitting
import Glibc
import Realtime

@testable import HearingDSP

/// The real chain with its earphones leaking back into its microphones: both ears on the same path, right ear silent
/// outside unless told.
struct ClosedLoop: ~Copyable {
  /// Time between a sample leaving the chain and its first trace coming back, frames: 4.3 ms.
  static let delay = 190
  var rig: ChainRig
  var path: [Double]
  private let delay: Int
  private let measured: FeedbackPath?
  private let curves: [GainCurve]?
  private var sent = [Float](repeating: 0, count: 1 << 21)
  private var position = 0

  /// - Parameters:
  ///   - gain: Flat gain, dB.
  ///   - limit: dB SPL.
  ///   - measured: The path as it was found at the fitting.
  ///   - delay: Of the path's first trace, frames.
  ///   - curves: Prescribed gain instead of the flat one.
  init(
    gain: Double, feedback: FeedbackControl, path: [Double], limit: Double = 110,
    measured: FeedbackPath? = nil, delay: Int = Self.delay,
    curves: [GainCurve]? = nil
  ) throws {
    self.delay = delay
    self.curves = curves
    var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(gain), limit: limit)))
    let first = try Self.parameters(
      gain: gain, feedback: feedback, limit: limit, transition: 0.1, measured: measured, curves: curves,
      bands: rig.bands, geometry: rig.geometry)
    rig.chain.retarget(to: first)
    self.measured = measured
    self.rig = rig
    self.path = path
  }

  static func control(
    cancelling: Bool = true, shift: Double = 0, notching: Bool = true, delay: Int = Self.delay
  ) -> FeedbackControl {
    var control = FeedbackControl()
    control.isCancelling = cancelling
    control.frequencyShift = shift
    control.isNotching = notching
    control.loopDelay = (Double(delay) + 0.5) / 44_100
    return control
  }

  mutating func set(
    gain: Double, feedback: FeedbackControl, limit: Double = 110, transition: Double = 0.1
  ) throws {
    let next = try Self.parameters(
      gain: gain, feedback: feedback, limit: limit, transition: transition, measured: measured,
      curves: curves, bands: rig.bands, geometry: rig.geometry)
    rig.chain.retarget(to: next)
  }

  private static func parameters(
    gain: Double, feedback: FeedbackControl, limit: Double, transition: Double,
    measured: FeedbackPath?, curves: [GainCurve]?, bands: BandLayout, geometry: ChainGeometry
  ) throws -> ChainParameters {
    var treatment = Treatment.plain
    treatment.feedback = feedback
    treatment.transition = transition
    var ear = ChainRig.ear(try curves ?? ChainRig.flat(gain), limit: limit)
    ear.feedbackPath = measured
    return try ChainParameters(
      Binaural(both: ear), dynamics: Dynamics(), treatment: treatment, bands: bands, geometry: geometry)
  }

  /// Runs the loop on a source at the microphone.
  mutating func run(_ source: ArraySlice<Float>) -> [Float] {
    let frames = rig.geometry.blockFrames
    let taps = path.map { Float($0) }
    var result: [Float] = []
    result.reserveCapacity(source.count)
    var left = [Float](repeating: 0, count: frames)
    for start in stride(from: source.startIndex, through: source.endIndex - frames, by: frames) {
      let first = position - delay - taps.count + 1
      for n in 0..<frames {
        var sum = SIMD8<Float>()
        let base = first + n
        if base >= 0 {
          var k = 0
          while k + 8 <= taps.count {
            var a = SIMD8<Float>()
            var b = SIMD8<Float>()
            for lane in 0..<8 {
              a[lane] = sent[base + taps.count - 1 - k - lane]
              b[lane] = taps[k + lane]
            }
            sum += a * b
            k += 8
          }
          while k < taps.count {
            sum[0] += sent[base + taps.count - 1 - k] * taps[k]
            k += 1
          }
        }
        left[n] = source[start + n] + sum.sum()
      }
      let output = rig.run(left, left)
      for n in 0..<frames { sent[position + n] = output.left[n] }
      position += frames
      result += output.left
    }
    return result
  }

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

extension SyntheticPath {
  /// Response scaled so that the greatest |F| is `level` dB.
  func scaled(_ level: Double) -> [Double] {
    let most = Self.frequencies.map { Self.magnitude(response, at: $0) }.max() ?? 1
    return response.map { $0 * pow(10, level / 20) / most }
  }
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
