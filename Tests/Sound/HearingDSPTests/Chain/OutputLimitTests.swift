import Acoustics
import CommonTesting
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// The output limit, measured in three ways: no sample above the peak of a sine at the limit; no 10 ms of
/// sound whose level is more than 0.5 dB above it; no Fast reading of a sound level meter that is.
@Suite("Output limit of the chain") struct OutputLimitTests {
  static let rate = 44_100.0
  static let tolerance = 0.5

  /// A sound and its name.
  struct Sound: Sendable, CustomStringConvertible {
    var description: String
    var samples: [Float]

    init(_ description: String, _ samples: [Float]) {
      self.description = description
      self.samples = samples
    }
  }

  static let second = 64 * 690

  static let sounds: [Sound] = {
    let lead = Signal.silence(7000)
    var sounds: [Sound] = []
    for frequency in [125.0, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000] {
      sounds.append(
        Sound(
          "full-scale tone at \(frequency) Hz", lead + Signal.tone(frequency, level: 120, count: second)))
      sounds.append(
        Sound("soft tone at \(frequency) Hz", lead + Signal.tone(frequency, level: 75, count: second)))
    }
    for frequency in [60.0, 125, 440, 1000, 3000, 9000] {
      sounds.append(
        Sound(
          "full-scale square at \(frequency) Hz", lead + Signal.square(frequency, peak: 1, count: second)))
    }
    sounds.append(Sound("full-scale noise", lead + Signal.noise(peak: 1, count: second)))
    sounds.append(Sound("soft noise", lead + Signal.noise(peak: 0.003, count: second)))
    sounds.append(Sound("speech at 65 dB SPL", Signal.speechLike(level: 65, count: 3 * second)))
    sounds.append(Sound("speech at 95 dB SPL", Signal.speechLike(level: 95, count: 3 * second)))
    sounds.append(Sound("full-scale sweep", Signal.sweep(peak: 1, count: 3 * second)))
    for spacing in [40, 441, 9000] {
      sounds.append(
        Sound(
          "full-scale impulses every \(spacing) samples",
          Signal.impulses(peak: 1, first: 7011, spacing: spacing, count: second)))
    }
    let jump = [(40.0, 12_000), (118, 9000), (30, 12_000), (100, 5000), (60, 5000), (120, 9000)]
    for frequency in [250.0, 1000, 5000] {
      sounds.append(
        Sound("tone at \(frequency) Hz that jumps", Signal.steps(frequency, jump.map { ($0.0, $0.1) })))
    }
    let bursts = (0..<10).flatMap { index in
      Signal.noise(peak: index % 2 == 0 ? 0.0005 : 1, count: 6001, seed: UInt64(index))
    }
    sounds.append(Sound("noise that jumps", bursts))
    return sounds
  }()

  /// Limits a sound is tried at, dB SPL.
  static let limits: [Double] = [60, 80, 100, 110, 120]

  /// Prescriptions that ask for much: the strongest standard loss, linear and compressed, and the greatest
  /// gain that is accepted in every band.
  static func prescriptions() throws -> [[GainCurve]] {
    let linear = try NALRPCompressive(compressionRatio: 1)
    let compressive = try NALRPCompressive(compressionRatio: 3)
    return [
      try linear.curves(for: StandardAudiogram.n7.audiogram, bands: .standard),
      try compressive.curves(for: StandardAudiogram.s3.audiogram, bands: .standard),
      try ChainRig.flat(EarFitting.gainCeiling),
      try ChainRig.flat(0),
    ]
  }

  /// Fails where any of the three measures does.
  static func expect(
    _ output: [Float], below limit: Double, _ comment: String, rate: Double = rate,
    at location: SourceLocation = #_sourceLocation
  ) {
    let peak = Measure.peak(output)
    // Single precision: the last bit of a product.
    #expect(
      Double(peak) <= Signal.amplitude(limit) * 1.000_001, "\(comment): peak \(peak)",
      sourceLocation: location)
    let short = Measure.greatestLevel(output, over: 0.010, sampleRate: rate)
    #expect(
      short <= limit + tolerance, "\(comment): \(short - limit) dB over 10 ms", sourceLocation: location)
    let fast = Measure.greatestFastLevel(output, sampleRate: rate)
    #expect(fast <= limit + tolerance, "\(comment): \(fast - limit) dB Fast", sourceLocation: location)
  }

  @Test("no sound comes out above the limit, by any measure, at any prescription", arguments: cases(sounds))
  func never(_ sound: Sound) throws {
    for (index, curves) in try Self.prescriptions().enumerated() {
      for limit in Self.limits {
        // The bands' own limits stay out of the way: what is shown here holds by the output limiter alone.
        var rig = try ChainRig(Binaural(both: ChainRig.ear(curves, limit: limit, bandLimit: 120)))
        let output = rig.run(sound.samples)
        Self.expect(output.left, below: limit, "\(sound), prescription \(index), limit \(limit)")
      }
    }
  }

  struct Sizes: Sendable {
    var rate: Double
    var frames: Int
  }

  @Test(
    "nor at other sample rates and block sizes",
    arguments: [
      Sizes(rate: 44_100, frames: 16), Sizes(rate: 44_100, frames: 1024), Sizes(rate: 48_000, frames: 441),
      Sizes(rate: 96_000, frames: 64), Sizes(rate: 96_000, frames: 1000),
    ])
  func otherSizes(_ sizes: Sizes) throws {
    let lead = Signal.silence(Int(sizes.rate * 0.1))
    let count = Int(sizes.rate / 2)
    let inputs = [
      lead + Signal.square(440, peak: 1, count: count, sampleRate: sizes.rate),
      lead + Signal.tone(250, level: 120, count: count, sampleRate: sizes.rate),
      lead + Signal.noise(peak: 1, count: count),
      Signal.speechLike(level: 90, count: 2 * count, sampleRate: sizes.rate),
    ]
    for (index, input) in inputs.enumerated() {
      let ear = ChainRig.ear(try ChainRig.flat(40), limit: 100, bandLimit: 120)
      var rig = try ChainRig(Binaural(both: ear), sampleRate: sizes.rate, frames: sizes.frames)
      Self.expect(rig.run(input).left, below: 100, "input \(index)", rate: sizes.rate)
    }
  }

  @Test("the ears have limits of their own")
  func perEar() throws {
    let curves = try ChainRig.flat(60)
    var rig = try ChainRig(
      Binaural(left: ChainRig.ear(curves, limit: 85), right: ChainRig.ear(curves, limit: 105)))
    let output = rig.run(Signal.tone(1000, level: 80, count: rig.count(1)))
    Self.expect(output.left, below: 85, "left")
    Self.expect(output.right, below: 105, "right")
    // And each ear gets what it may have: a tone at the limit, less what holding it there costs.
    #expect(Measure.level(of: output.left.suffix(22_050)) > 83)
    #expect(Measure.level(of: output.right.suffix(22_050)) > 103)
  }

  @Test(
    "a tone far above the limit comes out within 2 dB of it, with less than 3 % distortion",
    arguments: [250.0, 500, 1000, 2000, 4000])
  func toneAtLimit(frequency: Double) throws {
    let curves = try ChainRig.flat(30)
    var rig = try ChainRig(Binaural(both: ChainRig.ear(curves, limit: 100, bandLimit: 120)))
    let output = rig.run(Signal.tone(frequency, level: 85, count: rig.count(1))).left.suffix(17_640)
    let fundamental = Measure.level(of: output, at: frequency)
    #expect(fundamental > 98 && fundamental <= 100.5, "\(fundamental)")
    let all = Measure.meanSquare(output)
    let tone = 0.5 * pow(Signal.amplitude(fundamental), 2)
    let distortion = sqrt(max(0, all - tone) / tone)
    #expect(distortion < 0.03, "\(distortion)")
  }

  @Test("10 ms after a crest of half a millisecond at twice the peak allowed, a tone has its gain back")
  func crest() throws {
    var rig = try ChainRig(Binaural(both: ChainRig.ear(try ChainRig.flat(0), limit: 80)))
    let tone = Signal.tone(1000, level: 60, count: rig.count(1))
    let place = rig.count(0.7)
    let crest = (0..<22).map { Float(2 * Signal.amplitude(80) * sin(.pi * (Double($0) + 0.5) / 22)) }
    var input = tone
    for (index, sample) in crest.enumerated() { input[place + index] += sample }
    let output = rig.run(input).left
    // Linear filter, no gain: what comes out is what goes in less its direct current, but for the crest. The peak's gain was −6 dB; after five
    // time constants of 2 ms e^−5 of that is left, 0.06 dB or −43 dB of the tone; the rest is the crest's own end.
    let after = place + rig.count(0.012)..<place + rig.count(0.06)
    let residual = zip(Signal.withoutDirectCurrent(input)[after], output[after]).map { $1 - $0 }
    #expect(Measure.level(of: residual[...]) - 60 < -40)
    #expect(Double(Measure.peak(output)) <= Signal.amplitude(80) * 1.000_001)
  }

  @Test("a sound 0.1 dB below the limit passes untouched")
  func idle() throws {
    let curves = try ChainRig.flat(0)
    var rig = try ChainRig(Binaural(both: ChainRig.ear(curves, limit: 100)))
    let input = Signal.tone(250, level: 99.9, count: rig.count(1))
    let output = rig.run(input).left
    let open = rig.count(0.5)..<input.count
    let residual = zip(Signal.withoutDirectCurrent(input)[open], output[open]).map { $1 - $0 }
    #expect(Measure.level(of: residual[...]) - 99.9 < -100)
  }

  @Test(
    "a band's own limit holds a steady tone within 0.5 dB, at its centre and between two centres",
    arguments: [
      250.0, 306, 433, 500, 612, 866, 1000, 1050, 1118, 1330, 2000, 2236, 2739, 3162, 4000, 4472, 4850,
      5477, 6700, 8000, 9300, 10_965,
    ])
  func bandLimit(frequency: Double) throws {
    let curves = try ChainRig.flat(40)
    var rig = try ChainRig(Binaural(both: ChainRig.ear(curves, limit: 120, bandLimit: 90)))
    let output = rig.run(Signal.tone(frequency, level: 70, count: rig.count(1))).left.suffix(17_640)
    let level = Measure.level(of: output, at: frequency)
    #expect(level <= 90.5 && level > 88, "\(level)")
  }

  @Test(
    "nor does the worst place between two centres pass a band's own limit by 0.8 dB, at any rate",
    arguments: [228.0, 363], [44_100.0, 48_000, 96_000])
  func worstPlace(frequency: Double, rate: Double) throws {
    let curves = try ChainRig.flat(40)
    var rig = try ChainRig(
      Binaural(both: ChainRig.ear(curves, limit: 120, bandLimit: 90)), sampleRate: rate)
    let tone = Signal.tone(frequency, level: 70, count: rig.count(1), sampleRate: rate)
    let output = rig.run(tone).left.suffix(rig.count(0.4))
    let level = Measure.level(of: output, at: frequency, sampleRate: rate)
    // Reckoned of the bands' shapes: 0.75 dB at 48 kHz (LevelMemory).
    #expect(level <= 90.8 && level > 88, "\(level)")
  }
}
