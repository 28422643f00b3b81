import Acoustics
import CommonTesting
import Fitting
import Glibc
import HearingDSP
import Testing

@testable import AudioIOTesting
@testable import Engine
@testable import EngineTesting

/// Frames of the live loop, on a scripted card, against the level of the sound in the room and the prescription.
@Suite("Spectrum of the running aid") struct SpectrumFrameTests {
  /// N3 by the compressive rule; 0 dB FS is 120 dB SPL at both ends.
  static let hearing = HearingSettings(audiograms: Binaural(both: StandardAudiogram.n3.audiogram))
    .calibrated()

  /// Frames of the last of five seconds of a sound, and what was handed over in all.
  static func watch(
    _ hearing: HearingSettings = hearing,
    _ source: @escaping @Sendable (_ frame: Int, _ channel: Int) -> Float
  ) throws -> [SpectrumFrame] {
    let bench = try LiveBench { $0.hearing = hearing }
    bench.rig.source = source
    let aid = bench.aid()
    aid.spectra.start()
    var frames: [SpectrumFrame] = []
    for block in stride(from: 20, to: 3500, by: 20) {
      bench.before(block: block) { frames += aid.spectra.frames() }
    }
    bench.before(block: 3500) { bench.stop.request() }
    try aid.start()
    #expect(eventually { aid.state == .stopped })
    aid.stop()
    return frames.filter { $0.time > 4 }
  }

  static func mean(_ levels: [Double]) -> Double {
    10 * log10(levels.reduce(0) { $0 + pow(10, $1 / 10) } / Double(levels.count))
  }

  @Test(
    "of a tone at 60 dB SPL is 60 dB SPL within 0.5 dB at the microphone, and that and the target within 1 dB at the ear",
    arguments: cases([250.0, 1000, 4000]))
  func tones(_ frequency: Double) throws {
    // A sine at 60 dB below full scale.
    let frames = try Self.watch { frame, _ in
      Float(0.001 * sin(2 * .pi * frequency * Double(frame) / LiveBench.rate))
    }
    #expect(frames.count > 20)
    let band = try #require(BandLayout.standard.centres.firstIndex(of: frequency))
    for frame in frames {
      for ear in Ear.allCases {
        let (spectrum, third) = (
          frame.ears[ear], 1000 * pow(10, (10 * log10(frequency / 1000)).rounded() / 10)
        )
        let place = try #require(frame.scale.thirdOctaves.firstIndex { abs($0.centre - third) < 1 })
        let (input, output) = (spectrum.input, spectrum.output)
        #expect(abs(input.thirdOctaves[place] - 60) < 0.5 && abs(input.level - 60) < 0.5)
        #expect(abs(input.bands[band] - 60) < 0.5)
        #expect(abs(Self.sum(input.bins) - 60) < 0.5)
        let gain = spectrum.gains[band]
        #expect(
          abs(output.thirdOctaves[place] - 60 - gain.target) < 1,
          "\(output.thirdOctaves[place]) \(gain.target)")
        #expect(abs(gain.parts.reduce(0, +) - gain.applied) < 0.1)
      }
    }
  }

  @Test(
    "while a measurement plays, its level in the ear is told by the earphone's own calibration, also beside a microphone that nobody measured"
  )
  func measurement() throws {
    let geometry = try ChainGeometry(sampleRate: LiveBench.rate, blockFrames: LiveBench.period)
    var hearing = Self.hearing
    hearing.microphones = .assumed
    hearing.earphones = OutputCalibration(
      device: hearing.earphones.device,
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(100))))
    let setting = try hearing.parameters(for: geometry)
    var analyser = SpectrumAnalyser(geometry, bands: hearing.bands)
    analyser.append(
      (0..<44_100).map { frame in
        let sample = 0.001 * LiveBench.tone(frame)
        return SIMD4<Float>(0, 0, sample, sample)
      })
    // No setting is in force, as while a procedure plays: 60 dB below the 100 dB SPL of full scale.
    let frame = analyser.frame(ChainFrame(), setting: setting, time: 1)
    for ear in Ear.allCases { #expect(abs(frame.ears[ear].output.level - 40) < 0.5) }
  }

  @Test("a watch goes on over a start with other bands: its frames then have those, and none has both")
  func otherBands() throws {
    let few = try BandLayout(centres: [250, 1000, 4000])
    let bench = try LiveBench { $0.hearing = Self.hearing }
    let aid = bench.aid()
    aid.spectra.start()
    func frames(until end: Int) throws -> [SpectrumFrame] {
      var frames: [SpectrumFrame] = []
      for block in stride(from: bench.blocks + 20, to: end, by: 20) {
        bench.before(block: block) { frames += aid.spectra.frames() }
      }
      bench.before(block: end) { bench.stop.request() }
      try aid.start()
      #expect(eventually { aid.state == .stopped })
      aid.stop()
      return frames
    }
    let before = try frames(until: 1000)
    #expect(before.count > 10)
    #expect(before.allSatisfy { $0.scale.bands.count == BandLayout.standard.count })
    var other = Self.hearing
    other.bands = few
    try aid.apply(other)
    let after = try frames(until: 2000)
    #expect(after.count > 10)
    #expect(after.allSatisfy { $0.scale.bands == few && $0.ears.left.gains.count == 3 })
    #expect(after.allSatisfy { $0.ears.left.targets.count == 3 })
  }

  static func sum(_ levels: [Double]) -> Double { 10 * log10(levels.reduce(0) { $0 + pow(10, $1 / 10) }) }

  /// The target of a frame is the prescription at the level that the aid follows in that frame, whose sound the gain is
  /// for: a compressor's average over a noise follows its swings, so that no single level is that of all frames. Over the
  /// frames both sides are averaged by power, as levels are.
  @Test(
    "of speech noise at 65 dB SPL has the levels of the bands within 0.5 dB, and the targets of its frames within 1 dB at the ear, whether compressed or not",
    arguments: [PrescribedRule.nalR, .nalRPCompressive(compressionRatio: 2)])
  func speechNoise(_ rule: PrescribedRule) throws {
    let noise = Self.speechNoise(level: 65)
    // With the slow average of the programs: fast compression alone gives noise less gain than steady sound.
    var hearing = Self.hearing
    hearing.dynamics.average = SlowAverage()
    hearing.plan = try HearingSettings.plan(by: rule)
    let frames = try Self.watch(hearing) { frame, _ in noise[frame % noise.count] }
    let bands = BandLayout.standard
    let (speech, curves) = (SoundPressureLevel(65), try hearing.curves(for: .left))
    // Bands that are wide enough for the noise's lines, 10 Hz apart, and within its range.
    for band in 1..<bands.count - 1 {
      let expected = LongTermAverageSpeechSpectrum.bandLevel(
        from: bands.edges[band], to: bands.edges[band + 1], overall: speech
      ).decibels
      let input = Self.mean(frames.map { $0.ears.left.input.bands[band] })
      #expect(abs(input - expected) < 0.5, "\(bands.centres[band]) Hz: \(input), \(expected)")
      let gain = frames.map { $0.ears.left.targets[band] }.reduce(0, +) / Double(frames.count)
      // The prescription at the level that the noise has by formula: that is read within 1 dB (LevelWeights), of which a
      // compression of 2:1 makes 0.5 dB.
      #expect(abs(gain - curves[band].gain(at: SoundPressureLevel(expected))) < 0.5)
      let target = Self.mean(
        frames.map { frame in
          let gain = frame.ears.left.gains[band]
          return frame.ears.left.input.bands[band] + gain.target + gain[.link] + gain[.lag]
        })
      let output = Self.mean(frames.map { $0.ears.left.output.bands[band] })
      #expect(abs(output - target) < 1, "\(bands.centres[band]) Hz: \(output), \(target)")
    }
  }

  /// Sines 2 Hz apart with random phases: half a second that repeats.
  static func speechNoise(level: Double) -> [Float] {
    let period = 22_050
    let sine = (0..<period).map { sin(2 * .pi * Double($0) / Double(period)) }
    var state: UInt64 = 1
    var sum = [Double](repeating: 0, count: period)
    for line in 40...8500 {
      let density = LongTermAverageSpeechSpectrum.spectrumLevel(
        at: Double(line) * 2, overall: SoundPressureLevel(level)
      ).decibels
      guard density.isFinite else { continue }
      let amplitude = pow(10, (density + 10 * log10(2.0) - 120) / 20)
      // The generator is Knuth's (MMIX).
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var phase = Int(state >> 33) % period
      for n in 0..<period {
        sum[n] += amplitude * sine[phase]
        phase += line
        if phase >= period { phase -= period }
      }
    }
    return sum.map { Float($0) }
  }

  @Test("is handed on only while somebody watches, and begins anew where sound was lost")
  func watching() throws {
    let bench = try LiveBench { $0.hearing = Self.hearing }
    let aid = bench.aid()
    var (before, between, after) = ([SpectrumFrame](), [SpectrumFrame](), [SpectrumFrame]())
    bench.before(block: 300) {
      before = aid.spectra.frames()
      aid.spectra.start()
    }
    // More sound than there is room for, never fetched.
    bench.before(block: 900) { between = aid.spectra.frames() }
    for block in stride(from: 920, to: 1100, by: 20) {
      bench.before(block: block) { after += aid.spectra.frames() }
    }
    bench.before(block: 1100) {
      aid.spectra.stop()
      bench.stop.request()
    }
    try aid.start()
    #expect(eventually { aid.state == .stopped })
    aid.stop()
    #expect(before.isEmpty)
    // 16,384 frames fit, and eight numbers of a hop: 0.32 s; the windows are full after 4096 frames.
    #expect(between.count >= 4 && between.allSatisfy { $0.time < 0.4 })
    #expect(!after.isEmpty && after.allSatisfy { $0.ears.left.gains.count == 20 && $0.load >= 0 })
  }
}
