import Acoustics
import Glibc
import Procedures
import Testing

@Suite("The samples of a stimulus")
struct StimulusRenderingTests {
  /// An earphone of one sensitivity at all frequencies.
  private func calibration(
    _ transducer: Transducer, at fullScale: Double = 130
  ) throws -> OutputCalibration {
    OutputCalibration(
      device: DeviceCalibration(device: "test", date: nil, status: .provisional),
      sensitivity: Binaural(both: try Sensitivity(flat: SoundPressureLevel(fullScale))),
      transducer: transducer)
  }

  private func rendering(
    _ calibration: OutputCalibration, rate: Double = 48_000, limit: Double = 200
  ) -> StimulusRendering {
    StimulusRendering(
      calibration: calibration, rate: rate, limit: Binaural(both: SoundPressureLevel(limit)))
  }

  /// Level of the steady middle of a tone, dB FS: whole periods, by their mean square.
  private func level(_ samples: [Float], _ frequency: Double, rate: Double) -> Double {
    let first = Int(0.06 * rate)
    let frames = Int((0.15 * frequency).rounded(.down) / frequency * rate)
    let square = samples[first..<first + frames].reduce(0) { $0 + Double($1) * Double($1) }
    return 10 * log10(2 * square / Double(frames))
  }

  @Test(
    "A tone's level is dB HL + reference threshold − dB SPL at full scale within 0.05 dB, or it is refused by the name of its bound",
    arguments: Transducer.all)
  func levelChain(of transducer: Transducer) throws {
    let rate = 48_000.0
    let rendering = rendering(try calibration(transducer), rate: rate)
    var (played, refused) = (0, 0)
    for frequency in transducer.referenceThresholds.frequencies where frequency >= 20 {
      let reference = try transducer.referenceThreshold(at: frequency).value.decibels
      for hearing in stride(from: 0.0, through: 100, by: 5) {
        let expected = hearing + reference - 130
        let stimulus = Stimulus(
          .tone, .left, frequency: frequency, level: HearingLevel(hearing), duration: 0.3)
        do throws(StimulusRefusal) {
          let samples = try rendering.samples(of: stimulus)
          // 0.05 dB: the must of the issue. Whole periods of a sampled sine leave 0.02 dB at 20 Hz.
          #expect(abs(level(samples, frequency, rate: rate) - expected) < 0.05)
          #expect(expected < -0.999)
          played += 1
        } catch {
          #expect(error.bound == (expected > -1.001 ? .fullScale : .rate), "\(error)")
          refused += 1
        }
      }
    }
    #expect(played > 0)
  }

  @Test("The worked example: AirPods Pro 2 at 1 kHz and 30 dB HL is −74.40 dB FS, amplitude 1.905e-4")
  func workedExample() throws {
    // ResearchKit's tables: 9.27 + 30 − (83.67 + 0 + 30); TinniTrack's README has the same figures (docs/sources.md).
    let airPods = try #require(Transducer.named("airpods-pro-2"))
    let calibration = try calibration(airPods, at: 113.67)
    let stimulus = Stimulus(.tone, .right, frequency: 1000, level: HearingLevel(30), duration: 0.5)
    let level = try StimulusLevel(stimulus, by: calibration)
    #expect(abs(level.digital.decibels + 74.40) < 1e-9)
    #expect(abs(level.digital.sinePeak - 1.905e-4) < 5e-8)
    #expect(level.status == .provisional)
  }

  @Test("A tone has its frequency within 0.1 %, and harmonics below −80 dB at −20 dB FS")
  func purity() throws {
    let hda = try #require(Transducer.named("hda200"))
    let (rate, count) = (48_000.0, 16_384)
    for bin in [43, 341, 1365, 2731] {
      // A frequency of the transform, so that no window is needed; its level at −20 dB FS.
      let frequency = Double(bin) * rate / Double(count)
      let reference = try hda.referenceThreshold(at: frequency).value.decibels
      let stimulus = Stimulus(
        .tone, .left, frequency: frequency, level: HearingLevel(110 - reference), duration: 0.6)
      let samples = try rendering(try calibration(hda), rate: rate).samples(of: stimulus)
      var real = samples[4800..<4800 + count].map(Double.init)
      var imaginary = [Double](repeating: 0, count: count)
      FourierTransform(count: count).transform(&real, &imaginary)
      let power = (1..<count / 2).map { k -> Double in
        real[k] * real[k] + imaginary[k] * imaginary[k]
      }
      let tone = power[bin - 1]
      // All that is not the tone, harmonics among it.
      let rest = power.reduce(0, +) - tone
      #expect(10 * log10(rest / tone) < -80)
      #expect(power.max() == tone)
    }
  }

  @Test(
    "A tone's edges are heard neither an octave above nor below it: less than −60 dB there",
    arguments: [125.0, 250, 500, 1000, 4000, 8000], [Stimulus.Signal.tone, .pulsed])
  func splatter(at frequency: Double, _ signal: Stimulus.Signal) throws {
    let hda = try #require(Transducer.named("hda200"))
    let stimulus = Stimulus(signal, .left, frequency: frequency, level: HearingLevel(40), duration: 1.3)
    let samples = try rendering(try calibration(hda)).samples(of: stimulus)
    let count = 131_072
    var real = samples.map(Double.init) + [Double](repeating: 0, count: count - samples.count)
    var imaginary = [Double](repeating: 0, count: count)
    FourierTransform(count: count).transform(&real, &imaginary)
    func power(_ range: ClosedRange<Double>) -> Double {
      let bins =
        Int(range.lowerBound * Double(count) / 48_000)...Int(range.upperBound * Double(count) / 48_000)
      return bins.reduce(0) { $0 + real[$1] * real[$1] + imaginary[$1] * imaginary[$1] }
    }
    let tone = power(frequency / 1.41...frequency * 1.41)
    // A third of an octave about each octave: an ear's filter there.
    for middle in [frequency / 2, frequency * 2] {
      #expect(10 * log10(power(middle / 1.12...middle * 1.12) / tone) < -60)
    }
  }

  @Test("A stimulus begins and ends at zero, and rises over 30 to 50 ms")
  func edges() throws {
    let hda = try #require(Transducer.named("hda200"))
    for (frequency, edge) in [(125.0, 0.05), (1000, 0.03)] {
      for signal in Stimulus.Signal.allCases {
        let stimulus = Stimulus(signal, .left, frequency: frequency, level: HearingLevel(60), duration: 0.8)
        let samples = try rendering(try calibration(hda)).samples(of: stimulus)
        #expect(samples.count == 38_400)
        #expect(samples[0] == 0)
        let loudest = samples.reduce(0) { max($0, abs($1)) }
        // A raised cosine is at 0.024 of its height after a tenth of its time.
        let first = samples.prefix(Int((signal == .broadNoise ? 0.03 : edge) * 4800))
        #expect(first.allSatisfy { abs($0) < 0.03 * loudest })
        #expect(abs(samples[samples.count - 1]) < 1e-3 * loudest)
      }
    }
  }

  @Test("A sound that rises grows by 10 dB a second to its level, and is the same sound from there on")
  func rise() throws {
    let rendering = rendering(try calibration(try #require(Transducer.named("hda200"))))
    for signal in [Stimulus.Signal.narrowNoise, .tone] {
      func samples(rise: Double?) throws -> [Float] {
        try rendering.samples(
          of: Stimulus(
            signal, .left, frequency: 1000, level: HearingLevel(50), duration: 3, rise: rise), seed: 3)
      }
      let (whole, rising) = (try samples(rise: nil), try samples(rise: 2))
      #expect(rising.count == whole.count && rising[96_000...] == whole[96_000...])
      for frame in 0..<96_000 {
        let share = pow(10, 10 * (Double(frame) / 48_000 - 2) / 20)
        // Single precision.
        let expected = Double(whole[frame]) * share
        #expect(abs(Double(rising[frame]) - expected) <= abs(expected) * 1e-6)
      }
    }
  }

  @Test("Noise has the level of its bands, and nothing an octave beside them")
  func noise() throws {
    let hda = try #require(Transducer.named("hda200"))
    let calibration = try calibration(hda)
    for signal in [Stimulus.Signal.narrowNoise, .broadNoise] {
      let stimulus = Stimulus(signal, .left, frequency: 2000, level: HearingLevel(50), duration: 4)
      let level = try StimulusLevel(stimulus, by: calibration)
      let samples = try rendering(calibration).samples(of: stimulus, seed: 7)
      let middle = samples[9600..<182_400]
      let square = middle.reduce(0) { $0 + Double($1) * Double($1) } / Double(middle.count)
      // Four seconds of a third of an octave at 2 kHz are 1,850 independent values: 0.2 dB at two standard deviations.
      #expect(abs(10 * log10(2 * square) - level.digital.decibels) < 0.3)
    }
    // Each third of an octave: 50 + reference threshold − 130, here at 2 kHz 4.5 (ISO 389-8).
    let narrow = Stimulus(.narrowNoise, .left, frequency: 2000, level: HearingLevel(50), duration: 1)
    #expect(abs(try StimulusLevel(narrow, by: calibration).digital.decibels - (50 + 4.5 - 130)) < 1e-9)
  }

  @Test("Of 1000 of the longest noises fewer than one has a peak above the room that noise keeps")
  func crest() {
    // S. O. Rice 1945: Gaussian noise passes ± u 2 ν T e^(−u²/2σ²) times on average, ν at most its highest
    // frequency. Below full scale by c dB as a sine is, u² = 2 σ² · 10^(c/10). The longest sound lasts 120 s.
    func passes(_ crest: Double, highest: Double, seconds: Double) -> Double {
      2 * highest * seconds * exp(-pow(10, crest / 10))
    }
    #expect(passes(Stimulus.noiseCrest, highest: 20_000, seconds: 120) < 1e-3)
    // With 10 dB broad noise of 3 s would pass it once and more.
    #expect(passes(10, highest: 8980, seconds: 3) > 1)
  }

  @Test("The same seed makes the same noise, another one another")
  func seeds() throws {
    let hda = try #require(Transducer.named("hda200"))
    let rendering = rendering(try calibration(hda))
    let stimulus = Stimulus(.narrowNoise, .left, frequency: 1000, level: HearingLevel(50), duration: 0.5)
    let first = try rendering.samples(of: stimulus, seed: 1)
    #expect(try rendering.samples(of: stimulus, seed: 1) == first)
    #expect(try rendering.samples(of: stimulus, seed: 2) != first)
  }

  @Test("What is louder than the limit is refused by name, and not played softer")
  func limit() throws {
    let hda = try #require(Transducer.named("hda200"))
    let rendering = rendering(try calibration(hda), limit: 85)
    // 1 kHz: 5.5 dB SPL at 0 dB HL (ISO 389-8).
    let allowed = Stimulus(.tone, .left, frequency: 1000, level: HearingLevel(79.5), duration: 0.5)
    let samples = try rendering.samples(of: allowed)
    #expect(!samples.isEmpty)
    let louder = allowed.at(HearingLevel(80))
    let refusal = #expect(throws: StimulusRefusal.self) { try rendering.samples(of: louder) }
    #expect(refusal?.bound == .limit)
    #expect(
      refusal?.description
        == "80.0 dB HL at 1000.0 Hz in the left ear would be 85.5 dB SPL: at most 85.0 dB SPL may be played"
    )
  }

  @Test("Numbers that mean nothing are refused")
  func nonsense() throws {
    let hda = try #require(Transducer.named("hda200"))
    let rendering = rendering(try calibration(hda))
    for (level, duration, frequency) in [
      (Double.nan, 1.0, 1000.0), (.infinity, 1, 1000), (40, .nan, 1000), (40, -1, 1000), (40, 1e9, 1000),
      (40, 1, 0), (40, 1, .nan), (40, 1, 30_000),
    ] {
      let stimulus = Stimulus(
        .tone, .left, frequency: frequency, level: HearingLevel(level), duration: duration)
      #expect(throws: StimulusRefusal.self) { try rendering.samples(of: stimulus) }
    }
    for rise in [-1, 1.1, .nan, .infinity] {
      let stimulus = Stimulus(
        .tone, .left, frequency: 1000, level: HearingLevel(40), duration: 1, rise: rise)
      let refusal = #expect(throws: StimulusRefusal.self) { try rendering.samples(of: stimulus) }
      #expect(refusal?.bound == .nonsense)
    }
  }

  @Test("Without a transducer there is no dB HL, and no tone")
  func uncalibrated() throws {
    let rendering = rendering(.assumed)
    let stimulus = Stimulus(.tone, .left, frequency: 1000, level: HearingLevel(30), duration: 0.5)
    let refusal = #expect(throws: StimulusRefusal.self) { try rendering.samples(of: stimulus) }
    #expect(refusal?.bound == .earphone)
  }
}
