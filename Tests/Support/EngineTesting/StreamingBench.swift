import Acoustics
import AudioIO
import AudioIOTesting
import Glibc
import HearingDSP

@testable import Engine

/// A ``LiveBench`` with a stream beside it: another scripted card of 48 kHz with a clock of its own, read by the stream's
/// loop each time before the aid waits for a block, in the same virtual time.
final class StreamingBench: @unchecked Sendable {
  static let rate = 48_000
  /// Level of a tone of amplitude 1 in the stream, dB SPL.
  static let fullScale = 85.0

  let aid: LiveBench
  let source = FakeRig(recordingCapacity: 0)
  private let device: String
  private var loop: StreamingLoop<FakePCM>
  /// True while the stream's thread gets no processor.
  var isHeld = false
  /// Time from which the loop rests, and until when, s.
  private var restsUntil = 0.0

  /// - Parameters:
  ///   - drift: Of the stream's clock, parts per million; the aid's is exact.
  ///   - rates: That the source has, Hz.
  ///   - streaming: Nil: off.
  ///   - hearing: Without streaming, which is put in.
  ///   - device: ALSA name of the source.
  ///   - aidRate: Rate of the aid's own devices, Hz.
  init(
    drift: Double = 100, rates: [Int] = [StreamingBench.rate],
    hearing: HearingSettings = LiveBench.hearing(gain: 0),
    streaming: StreamingSettings? = StreamingSettings(microphoneReduction: 0),
    recordingCapacity: Int = 1 << 19, device: String = "fake", aidRate: Int = Int(LiveBench.rate)
  ) throws {
    aid = try LiveBench(recordingCapacity: recordingCapacity) {
      $0.hearing = hearing
      $0.hearing.streaming = streaming
      $0.streamingName = device
      $0.stream.rate = aidRate
    }
    self.device = device
    source.name = device
    aid.waitLimit = .max
    source.offer.rates = rates
    source.setDrift(.capture, drift)
    source.source = { _, _ in 0 }
    let (rig, clock) = (source, source.clock)
    loop = StreamingLoop(aid.state.streaming) { _ in PacedCapture(rig.device(.capture), clock: clock) }
    aid.state.streaming.apply(aid.settings.hearing, device: device)
    aid.beforeEachBlock { [unowned self] in work() }
  }

  /// Other settings, at once, as control would hand them on.
  func apply(_ streaming: StreamingSettings?) {
    var hearing = aid.settings.hearing
    hearing.streaming = streaming
    aid.state.streaming.apply(hearing, device: device)
    restsUntil = 0
  }

  /// Events of the aid's own devices but the signal that stops it.
  var mishaps: [StreamEvent] { aid.events.filter { $0 != .interrupted } }

  /// What the stream's loop reports.
  var reading: StreamingReading { aid.state.streaming.reading }

  /// What the aid's chain reports of it.
  var played: StreamingMeters { aid.state.reading.load().meters.streaming }

  /// Lets the stream's thread do what it does until the aid's time.
  private func work() {
    source.advance(max(0, aid.rig.time - source.time))
    guard !isHeld, source.time >= restsUntil else { return }
    let pause = loop.step(atMost: 0, orUntil: -1)
    restsUntil = pause > 0 ? source.time + pause : 0
  }

  /// Blocks of the aid that last so long.
  static func blocks(_ seconds: Double) -> Int { Int(seconds * LiveBench.rate / Double(LiveBench.period)) }

  /// A sum of tones, each of an amplitude, at the stream's nominal rate.
  static func tones(_ frequencies: [Double], amplitude: Float) -> @Sendable (Int, Int) -> Float {
    { frame, channel in
      var sum = 0.0
      // Other phases on the right, so that the ears' sounds differ.
      for (index, frequency) in frequencies.enumerated() {
        sum += sin(2 * .pi * frequency * Double(frame) / Double(rate) + Double(index * index + channel))
      }
      return amplitude * Float(sum)
    }
  }

  /// Amplitude of the strongest component within a few hundredths of a percent of a frequency, Hz: the clocks differ.
  static func amplitude(of samples: ArraySlice<Float>, near frequency: Double) -> Double {
    let offsets = stride(from: -400e-6, through: 400e-6, by: 10e-6)
    return offsets.map { offset in
      // Rotation by one sample at a time; in double precision the phase is good for millions of samples.
      let omega = 2 * Double.pi * frequency * (1 + offset) / LiveBench.rate
      let (stepC, stepS) = (cos(omega), sin(omega))
      var (c, s) = (1.0, 0.0)
      var (real, imaginary) = (0.0, 0.0)
      for sample in samples {
        real += Double(sample) * c
        imaginary += Double(sample) * s
        (c, s) = (c * stepC - s * stepS, s * stepC + c * stepS)
      }
      return 2 * hypot(real, imaginary) / Double(samples.count)
    }.max() ?? 0
  }
}
