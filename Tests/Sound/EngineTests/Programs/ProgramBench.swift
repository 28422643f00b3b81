import Acoustics
import CommonTesting
import Glibc
import HearingDSP
import Realtime

@testable import Engine

/// Sound through the real chain while its settings change, and what an instrument reads from it.
struct ProgramBench {
  static let rate = 44_100.0
  static let frames = 64
  /// Levels are read over this time, s: a period of the lowest sound used and a few more.
  static let window = 0.05

  /// Fitted for a moderate loss, calibrated, the louder sound on the left.
  static func settings(_ program: ListeningProgram?) -> HearingSettings {
    var settings = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n3.audiogram)).calibrated()
    settings.program = program
    return settings
  }

  /// Both ears' output when the settings change at given times, s; the right ear hears 10 dB less.
  static func run(
    _ input: [Float], _ first: HearingSettings, changes: [(time: Double, settings: HearingSettings)] = []
  ) throws -> Binaural<[Float]> {
    let geometry = try ChainGeometry(sampleRate: rate, blockFrames: frames)
    var chain = try LimitedChain(
      geometry: geometry, bands: first.bands, parameters: try first.parameters(for: geometry), rise: 0.05)
    chain.open()
    var pending = changes
    var block = SoundBlock(frames: frames)
    var left = [Float](repeating: 0, count: input.count)
    var right = left
    let previous = flushDenormals()
    defer { previous.restore() }
    for start in stride(from: 0, through: input.count - frames, by: frames) {
      while let next = pending.first, Double(start) / rate >= next.time {
        chain.retarget(to: try next.settings.parameters(for: geometry))
        pending.removeFirst()
      }
      for n in 0..<frames {
        block.leftInput[n] = input[start + n]
        block.rightInput[n] = input[start + n] * 0.316_227_8
      }
      block.process(&chain)
      for n in 0..<frames {
        left[start + n] = block.leftOutput[n]
        right[start + n] = block.rightOutput[n]
      }
    }
    return Binaural(left: left, right: right)
  }

  // MARK: - Sounds

  enum Sound: String, CaseIterable { case tone, noise, speech }

  /// A sound of about 65 dB SPL where full scale is 120.
  static func sound(_ sound: Sound, seconds: Double) -> [Float] {
    let count = Int(seconds * rate)
    let amplitude = pow(10, (65.0 - 120) / 20)
    switch sound {
    case .tone: return (0..<count).map { Float(amplitude * sin(2 * .pi * 1000 * Double($0) / rate)) }
    case .noise:
      var state: UInt64 = 7
      // An even spread over ± a has the mean square a²/3, a sine half its amplitude's square. The generator is Knuth's
      // (MMIX).
      return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(amplitude * 1.5.squareRoot()) * Float(Int32(truncatingIfNeeded: state >> 32))
          / Float(1 << 31)
      }
    case .speech:
      // A voice of 120 Hz whose partials fall by 6 dB per octave, in four syllables a second.
      return (0..<count).map { n in
        let time = Double(n) / rate
        let voice = (1...40).reduce(0.0) { $0 + sin(2 * .pi * 120 * Double($1) * time) / Double($1) }
        let syllable = 0.5 - 0.5 * cos(2 * .pi * 4 * time)
        return Float(amplitude * 1.3 * (0.02 + syllable) * voice)
      }
    }
  }

  // MARK: - Instruments

  /// Level of each window of a signal, dB re full scale's square, one every quarter of ``window``.
  static func levels(_ samples: [Float], window: Double = Self.window) -> [Double] {
    let length = Int(window * rate)
    return stride(from: 0, through: samples.count - length, by: length / 4).map { start in
      let power = samples[start..<start + length].reduce(0.0) { $0 + Double($1) * Double($1) }
      return 10 * log10(power / Double(length) + 1e-20)
    }
  }

  /// Greatest change of a course of levels over 100 ms at each point, dB.
  static func jumps(_ levels: [Double]) -> [Double] {
    let apart = Int((0.1 / (window / 4)).rounded())
    return levels.indices.dropLast(apart).map { from in
      (1...apart).reduce(0) { max($0, abs(levels[from + $1] - levels[from])) }
    }
  }

  /// What lies above 6 kHz: a windowed sinc of 255 taps (Blackman, 74 dB down), in which a step is heard and a tone of
  /// 1 kHz is not.
  static func treble(_ samples: [Float]) -> [Float] {
    let half = 127
    let taps: [Float] = (-half...half).map { n in
      let x = Double(n)
      let window = 0.42 + 0.5 * cos(.pi * x / 128) + 0.08 * cos(2 * .pi * x / 128)
      let low = n == 0 ? 2 * 6000 / rate : sin(2 * .pi * 6000 / rate * x) / (.pi * x)
      return Float(window * ((n == 0 ? 1 : 0) - low))
    }
    // The taps are the same from both ends; what begins or ends within them has no treble of its own.
    let whole = FiniteResponse(taps).output(of: samples, at: 2 * half..<samples.count)
    let margin = [Float](repeating: 0, count: half)
    return margin + whole + margin
  }
}
