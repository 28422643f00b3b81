import Acoustics
import Fitting
import Glibc
import Realtime
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Feedback: safety") struct FeedbackSafetyTests {
  @Test("with nothing switched on the chain's output is bit for bit that without a loop delay")
  func off() throws {
    let sound = Signal.speechLike(level: 70, count: 44_032)
    var plain = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(20))))
    var other = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(20))))
    var treatment = Treatment.plain
    treatment.feedback.loopDelay = 0.02
    let ears = Binaural(both: ChainRig.ear(try ChainRig.flat(20)))
    plain.chain.retarget(to: try plain.parameters(ears))
    other.chain.retarget(
      to: try ChainParameters(
        ears, dynamics: Dynamics(), treatment: treatment, bands: other.bands, geometry: other.geometry))
    let (expected, found) = (plain.run(sound), other.run(sound))
    #expect(expected.left == found.left)
    #expect(expected.right == found.right)
  }

  @Test("a canceller that is told no delay and no path leaves the sound bit for bit as it is")
  func unknownDelay() throws {
    let sound = Signal.speechLike(level: 70, count: 44_032)
    let ears = Binaural(both: ChainRig.ear(try ChainRig.flat(20)))
    var plain = try ChainRig(ears)
    var other = try ChainRig(ears)
    var treatment = Treatment.plain
    treatment.feedback.isCancelling = true
    plain.chain.retarget(to: try plain.parameters(ears))
    other.chain.retarget(
      to: try ChainParameters(
        ears, dynamics: Dynamics(), treatment: treatment, bands: other.bands, geometry: other.geometry))
    #expect(plain.run(sound).left == other.run(sound).left)
    let isCancelling = other.chain.performer.feedback.canceller.isActive
    #expect(!isCancelling)
  }

  @Test("a path that cannot have been measured is refused, one of another rate is converted and begun with")
  func measuredPath() throws {
    let path =
      [Double](repeating: 0, count: 20)
      + SyntheticPath(length: 0.0025, seed: 9, sampleRate: 48_000).response
    let measured = FeedbackPath(sampleRate: 48_000, delay: 0.005, response: path)
    try measured.check()
    for wrong in [
      FeedbackPath(sampleRate: 47_000, delay: 0.005, response: path),
      FeedbackPath(sampleRate: 48_000, delay: .nan, response: path),
      FeedbackPath(sampleRate: 48_000, delay: 0.005, response: [.infinity]),
      FeedbackPath(sampleRate: 48_000, delay: 0.005, response: [11]),
    ] {
      #expect(throws: ChainError.self) { try wrong.check() }
    }
    var ears = Binaural(both: ChainRig.ear(try ChainRig.flat(20)))
    ears.left.feedbackPath = measured
    var treatment = Treatment.plain
    treatment.feedback.isCancelling = true
    var rig = try ChainRig(ears)
    rig.chain.retarget(
      to: try ChainParameters(
        ears, dynamics: Dynamics(), treatment: treatment, bands: rig.bands, geometry: rig.geometry))
    let estimate = rig.chain.performer.feedback.canceller.response
    // Between the interpolation's reach on both sides and below 10 kHz the spectrum is the measured one; the filters that
    // part the followed range lie below 900 Hz. 0.2 dB of the strongest bin: the windowed sinc.
    let most = SyntheticPath.frequencies.map { SyntheticPath.magnitude(path, at: $0, sampleRate: 48_000) }
      .max()
    for f in stride(from: 1500.0, through: 9000, by: 500) {
      let found = SyntheticPath.magnitude(estimate, at: f)
      let expected = SyntheticPath.magnitude(path, at: f, sampleRate: 48_000)
      #expect(abs(found - expected) < 0.023 * (most ?? 0))
    }
    _ = rig.run(Signal.silence(64))
    let isCancelling = rig.chain.performer.feedback.canceller.isActive
    let hasMeasuredLeft = rig.chain.performer.feedback.canceller.ears.left.estimate.beganWithMeasured
    let hasMeasuredRight = rig.chain.performer.feedback.canceller.ears.right.estimate.beganWithMeasured
    #expect(isCancelling && hasMeasuredLeft && !hasMeasuredRight)
  }

  @Test("a loop that howls is notched within 100 ms of its peak, and counted with its frequency")
  func notch() throws {
    // One narrow resonance at 3 kHz, 4 dB beyond the stable gain, no canceller.
    var h = [Double](repeating: 0, count: 110)
    for n in h.indices { h[n] = sin(2 * .pi * 3000 * Double(n) / 44_100) * exp(-Double(n) / 30) }
    let most = SyntheticPath.frequencies.map { SyntheticPath.magnitude(h, at: $0) }.max() ?? 1
    h = h.map { $0 * pow(10, -25.0 / 20) / most }
    let second = AddedStableGainTests.second
    let sound = Signal.noise(peak: Float(Signal.amplitude(40)), count: 4 * second)
    var loop = try ClosedLoop(
      gain: 29, feedback: ClosedLoop.control(cancelling: false, notching: true), path: h, limit: 100)
    let output = loop.run(sound[...])
    let meters = loop.rig.chain.meters.left
    // Time spent above 90 dB SPL in stretches of 10 ms: the longest run.
    var (longest, run) = (0, 0)
    for start in stride(from: 0, to: output.count - 441, by: 441) {
      run = Measure.level(of: output[start..<start + 441]) > 90 ? run + 1 : 0
      longest = max(longest, run)
    }
    #expect(meters.howls >= 1)
    #expect(meters.howlFrequency > 2400 && meters.howlFrequency < 3600)
    #expect(longest <= 12)
  }

  @Test(
    "random settings and sounds: finite and below the limit",
    arguments: [(44_100.0, 64), (48_000, 441), (96_000, 100), (44_100, 16)])
  func fuzz(_ rate: Double, _ frames: Int) throws {
    var random = Seeded(UInt64(frames))
    let bands = BandLayout.standard
    let start = Binaural(
      left: try RandomSettingTests.ear(bands, &random), right: try RandomSettingTests.ear(bands, &random))
    var rig = try ChainRig(start, sampleRate: rate, frames: frames, bands: bands)
    var worst = (finite: true, peak: 0.0)
    for index in 0..<200 {
      let ears = Binaural(
        left: try RandomSettingTests.ear(bands, &random), right: try RandomSettingTests.ear(bands, &random))
      var treatment = Treatment.plain
      treatment.feedback.isCancelling = Int.random(in: 0..<5, using: &random) > 0
      treatment.feedback.isNotching = Bool.random(using: &random)
      treatment.feedback.frequencyShift =
        Bool.random(using: &random) ? Double.random(in: 0...30, using: &random) : 0
      treatment.feedback.loopDelay = Double.random(in: 0...0.05, using: &random)
      treatment.transition = 0.02
      rig.chain.retarget(
        to: try ChainParameters(
          ears, dynamics: Dynamics(), treatment: treatment, bands: bands, geometry: rig.geometry))
      if index % 11 == 0 { rig.chain.restart() }
      let count = rig.count(0.05)
      let output = rig.run(
        RandomSettingTests.sound(count, &random), RandomSettingTests.sound(count, &random))
      worst.finite = worst.finite && Measure.isFinite(output.left) && Measure.isFinite(output.right)
      worst.peak = max(
        worst.peak, RandomSettingTests.share(output.left, ears.left),
        RandomSettingTests.share(output.right, ears.right))
    }
    #expect(worst.finite)
    #expect(worst.peak <= 1.000_001)
    #expect(rig.chain.meters.left.brokenOutput == 0)
  }

  @Test(
    "at every rate the shift's lower sideband lies 33 dB under the upper one",
    arguments: ChainGeometry.sampleRates)
  func sidebands(_ rate: Double) throws {
    let geometry = try ChainGeometry(sampleRate: rate, blockFrames: 64)
    // Half a second holds whole periods of the tone and of both sidebands.
    let window = Int(rate / 2)
    let count = (window + Int(0.3 * rate)) / 64 * 64
    for frequency in [1600.0, 2400, 4000, 7000, 11_000, 12_000] {
      var shifter = FrequencyShifter(geometry)
      shifter.retarget(to: 10)
      var sound = Signal.tone(frequency, level: 100, count: count, sampleRate: rate)
      var other = sound
      for start in stride(from: 0, to: count, by: 64) {
        var left = sound.mutableSpan
        var right = other.mutableSpan
        shifter.process(&left, &right, from: start, frames: 64)
      }
      let shifted = sound[(count - window)...]
      let lower = Measure.level(of: shifted, at: frequency - 10, sampleRate: rate)
      let upper = Measure.level(of: shifted, at: frequency + 10, sampleRate: rate)
      // 2.4° by the branches' formula, half an angle's tangent: 33.6 dB.
      #expect(upper - lower > 33, "\(frequency) Hz: \(upper - lower) dB")
    }
  }

  @Test("what rewrites the microphones' sound behind the canceller changes nothing that it learns")
  func rewritten() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    let control = ClosedLoop.control(delay: 128)
    let sent = Signal.noise(peak: 0.1, count: 64 * 300, seed: 2)
    let near = Signal.noise(peak: 0.01, count: sent.count, seed: 3)
    func learned(isRewritten: Bool) throws -> (remainder: [Float], path: [Double]) {
      var canceller = try FeedbackCanceller(
        geometry, readingTime: 0.006, after: Binaural(both: FeedbackStage.Meters()))
      let paths: Binaural<PathPrior> = Binaural { _ in
        PathPrior(nil, loopDelay: control.loopDelay, geometry: geometry)
      }
      canceller.retarget(to: control, paths: paths)
      var microphones = Buffer(count: 2 * geometry.filterLength)
      var left = Buffer(count: 64)
      var right = Buffer(count: 64)
      var remainder: [Float] = []
      let newest = microphones.count - 128
      for start in stride(from: 0, to: sent.count, by: 64) {
        microphones.shiftDown(by: 128)
        for n in 0..<64 {
          let echo = start + n >= 128 ? 0.1 * sent[start + n - 128] : 0
          microphones[newest + 2 * n] = near[start + n] + echo
          microphones[newest + 2 * n + 1] = near[start + n] - echo
        }
        canceller.process(&microphones, frames: 64)
        for n in 0..<128 { remainder.append(microphones[newest + n]) }
        if isRewritten { for n in 0..<microphones.count { microphones[n] *= -0.5 } }
        for n in 0..<64 {
          left[n] = sent[start + n]
          right[n] = sent[start + n]
        }
        canceller.history.process(left.mutableSpan, right.mutableSpan, from: 0, frames: 64)
      }
      return (remainder, canceller.response)
    }
    let (plain, rewritten) = (try learned(isRewritten: false), try learned(isRewritten: true))
    #expect(plain.remainder == rewritten.remainder && plain.path == rewritten.path)
    #expect(plain.path.contains { $0 != 0 })
  }

  @Test("the shift adds at most 0.3 ms at every audiometric frequency away from the parting of the bands")
  func delay() throws {
    let geometry = try ChainGeometry(sampleRate: 44_100, blockFrames: 64)
    for frequency in [250.0, 500, 750, 1000, 2000, 3000, 4000, 6000, 8000] {
      var shifter = FrequencyShifter(geometry)
      // A shift too small to turn anything in the time of the test.
      shifter.retarget(to: 1e-6)
      let count = 64 * 400
      var input = [Float](repeating: 0, count: count)
      input[64 * 300] = 1
      var other = input
      for start in stride(from: 0, to: count, by: 64) {
        var left = input.mutableSpan
        var right = other.mutableSpan
        shifter.process(&left, &right, from: start, frames: 64)
      }
      let response = input[(64 * 300)...].map { Double($0) }
      let delay = Measure.groupDelay(response, at: frequency) / 44.1
      #expect(delay <= 0.3)
    }
  }
}
