import Acoustics
import CommonTesting
import Fitting
import Glibc
import HearingDSP
import Realtime

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
  private let feed: StreamingFeed?
  /// Rest of the streamed sound, the same in both ears.
  private var stream: ArraySlice<Float> = []
  private var sent = [Float](repeating: 0, count: 1 << 21)
  private var position = 0

  /// - Parameters:
  ///   - gain: Flat gain, dB.
  ///   - limit: dB SPL.
  ///   - measured: The path as it was found at the fitting.
  ///   - delay: Of the path's first trace, frames.
  ///   - curves: Prescribed gain instead of the flat one.
  ///   - streams: Sound can be streamed (``beginStream(_:)``).
  ///   - rise: Time from silence to full sound, s.
  init(
    gain: Double, feedback: FeedbackControl, path: [Double], limit: Double = 110,
    measured: FeedbackPath? = nil, delay: Int = Self.delay,
    curves: [GainCurve]? = nil, streams: Bool = false, rise: Double = 0.05
  ) throws {
    self.delay = delay
    self.curves = curves
    let feed = streams ? StreamingFeed() : nil
    self.feed = feed
    var rig = try ChainRig(
      Binaural(both: ChainRig.ear(try ChainRig.flat(0), limit: limit)), rise: rise, streaming: feed)
    let first = try Self.parameters(
      gain: gain, feedback: feedback, limit: limit, transition: 0.1, measured: measured, curves: curves,
      bands: rig.bands, geometry: rig.geometry)
    // From 0 dB, as a person turns it up: behind a first block, for before that a setting is taken at once.
    _ = rig.run(Signal.silence(rig.geometry.blockFrames))
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

  /// Streams sound from now on, as the ears are to hear it.
  mutating func beginStream(_ sound: [Float]) {
    stream = sound[...]
    feed?.target = 512
    feed?.isFlowing = true
    push(1024)
  }

  private mutating func push(_ count: Int) {
    let next = stream.prefix(count)
    guard let feed, !next.isEmpty else { return }
    let frames = AlignedBuffer<Float>(count: next.count) { next[next.startIndex + $0] }
    _ = feed.push(left: frames, right: frames, count: next.count)
    stream = stream.dropFirst(next.count)
  }

  /// Runs the loop on a source at the microphone.
  mutating func run(_ source: ArraySlice<Float>) -> [Float] {
    let frames = rig.geometry.blockFrames
    let response = FiniteResponse(path.map { Float($0) })
    var result: [Float] = []
    result.reserveCapacity(source.count)
    for start in stride(from: source.startIndex, through: source.endIndex - frames, by: frames) {
      push(frames)
      let now = position - delay
      let echo = response.output(of: sent, at: now..<now + frames)
      let left = echo.indices.map { source[start + $0] + echo[$0] }
      let output = rig.run(left, left)
      for n in 0..<frames { sent[position + n] = output.left[n] }
      position += frames
      result += output.left
    }
    return result
  }
}

extension SyntheticPath {
  /// Response scaled so that the greatest |F| is `level` dB.
  func scaled(_ level: Double) -> [Double] {
    let most = Self.frequencies.map { Self.magnitude(response, at: $0) }.max() ?? 1
    return response.map { $0 * pow(10, level / 20) / most }
  }
}
