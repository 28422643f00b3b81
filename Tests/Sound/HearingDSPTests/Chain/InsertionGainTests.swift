import Acoustics
import CommonTesting
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

/// Steady tones through the whole chain, against the rule's own curve at the band's centre.
@Suite("Insertion gain of the chain") struct InsertionGainTests {
  static let frequencies: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]
  static let levels: [Double] = [50, 65, 80]
  /// Quick, so that tones settle in little time; the steady gain does not depend on it.
  static let dynamics = Dynamics(attack: 0.01, release: 0.05)

  /// Greatest errors found, dB, and how many tones they were found over.
  struct Errors {
    var lowest = 0.0
    var highest = 0.0
    var count = 0

    mutating func add(_ error: Double) {
      lowest = min(lowest, error)
      highest = max(highest, error)
      count += 1
    }
  }

  /// Curves for both ears, which have different audiograms.
  static func curves(
    _ left: StandardAudiogram, _ right: StandardAudiogram, ratio: Double
  ) throws -> Binaural<[GainCurve]> {
    let rule = try NALRPCompressive(compressionRatio: ratio)
    return Binaural(
      left: try rule.curves(for: left.audiogram, bands: .standard),
      right: try rule.curves(for: right.audiogram, bands: .standard))
  }

  /// Measures each tone at each level and adds the errors against `target`; leaves out what the output
  /// limit of 120 dB SPL would touch.
  static func measure(
    _ curves: Binaural<[GainCurve]>, at frequency: Double, sampleRate: Double = 44_100, frames: Int = 64,
    into errors: inout Errors, target: ([GainCurve], Double) -> Double
  ) throws {
    var rig = try ChainRig(
      curves.map { ChainRig.ear($0) }, dynamics: dynamics, sampleRate: sampleRate, frames: frames)
    for level in levels {
      let count = rig.count(0.8)
      let output = rig.run(Signal.tone(frequency, level: level, count: count, sampleRate: sampleRate))
      // 0.4 s: a whole number of periods of every frequency used.
      let steady = count - Int(0.4 * sampleRate)..<count
      for (ear, samples) in [(Ear.left, output.left), (.right, output.right)] {
        let wanted = target(curves[ear], level)
        guard level + wanted < 118 else { continue }
        errors.add(
          Measure.level(of: samples[steady], at: frequency, sampleRate: sampleRate) - level - wanted)
      }
    }
  }

  /// Errors of all ten audiograms; the right ear has the one at the other end of the list, so no two ears
  /// are alike.
  static func errors(ratio: Double, frequencies: [Double]) throws -> Errors {
    var errors = Errors()
    let audiograms = StandardAudiogram.allCases
    for (index, standard) in audiograms.enumerated() {
      let curves = try curves(standard, audiograms[audiograms.count - 1 - index], ratio: ratio)
      for frequency in frequencies {
        let band = try #require(BandLayout.standard.centres.firstIndex(of: frequency))
        try measure(curves, at: frequency, into: &errors) { $0[band].gain(at: SoundPressureLevel($1)) }
      }
    }
    return errors
  }

  @Test(
    "tones at all audiometric frequencies get the rule's gain within 1 dB up to a compression ratio of 2",
    arguments: cases([1.0, 1.5, 2.0]))
  func moderateCompression(ratio: Double) throws {
    let errors = try Self.errors(ratio: ratio, frequencies: Self.frequencies)
    // Of 600 tones the loudest through the strongest gains are above the limit.
    #expect(errors.count >= 550)
    #expect(errors.lowest >= -1 && errors.highest <= 1, "\(errors)")
  }

  @Test(
    "tones from 500 Hz up get the rule's gain within 2 dB up to a compression ratio of 3",
    arguments: [2.5, 3.0])
  func strongCompression(ratio: Double) throws {
    let errors = try Self.errors(ratio: ratio, frequencies: Self.frequencies.filter { $0 >= 500 })
    #expect(errors.count >= 500)
    #expect(errors.lowest >= -2 && errors.highest <= 2, "\(errors)")
  }

  struct Sizes: Sendable {
    var rate: Double
    var frames: Int
  }

  @Test(
    "the gain is the same within 1 dB at every sample rate and block size",
    arguments: [
      Sizes(rate: 48_000, frames: 64), Sizes(rate: 96_000, frames: 64), Sizes(rate: 96_000, frames: 1024),
      Sizes(rate: 44_100, frames: 16), Sizes(rate: 44_100, frames: 441), Sizes(rate: 44_100, frames: 1024),
    ])
  func sizes(_ sizes: Sizes) throws {
    let curves = try Self.curves(.n3, .s2, ratio: 2)
    var errors = Errors()
    for frequency in Self.frequencies {
      let band = try #require(BandLayout.standard.centres.firstIndex(of: frequency))
      try Self.measure(
        curves, at: frequency, sampleRate: sizes.rate, frames: sizes.frames, into: &errors
      ) { $0[band].gain(at: SoundPressureLevel($1)) }
    }
    #expect(errors.count == 60)
    #expect(errors.lowest >= -1 && errors.highest <= 1, "\(errors)")
  }

  /// A tone half-way between two centres is shared by both bands. Each reads it lower than it is: by 3 dB
  /// where its window is far narrower than the band, by less where the window's main lobe reaches across.
  /// So it gets up to 3·(1 − 1/CR) dB more than a tone at a centre, and never markedly less.
  @Test(
    "a tone between two band centres gets at most 3·(1 − 1/CR) dB too much", arguments: [1.0, 2.0, 3.0])
  func betweenCentres(ratio: Double) throws {
    let curves = try Self.curves(.n3, .s2, ratio: ratio)
    let centres = BandLayout.standard.centres
    var errors = Errors()
    for band in 1..<centres.count - 3 {
      let frequency = (5 * sqrt(centres[band] * centres[band + 1])).rounded() / 5
      try Self.measure(curves, at: frequency, into: &errors) { curves, level in
        let level = SoundPressureLevel(level)
        return (curves[band].gain(at: level) + curves[band + 1].gain(at: level)) / 2
      }
    }
    #expect(errors.count == 96)
    let allowed = 3 * (1 - 1 / ratio)
    // Besides, the window follows the corners of the gain curve only within its own length, as at the
    // centres.
    #expect(errors.lowest >= -0.6 && errors.highest <= allowed + 0.6, "\(errors)")
  }

  @Test("an earphone that is weaker at high frequencies is made up for")
  func unevenEarphone() throws {
    let curves = try ChainRig.flat(20)
    var ear = ChainRig.ear(curves)
    ear.inputAtFullScale = SoundPressureLevel(110)
    ear.outputAtFullScale = BandLayout.standard.centres.map { SoundPressureLevel(120 - $0 / 1000) }
    var rig = try ChainRig(Binaural(both: ear))
    for frequency in [500.0, 2000, 8000] {
      // 60 dB SPL at this microphone is −50 dB FS, which is 70 dB SPL on the bench's own scale.
      let tone = Signal.tone(frequency, level: 70, count: rig.count(0.8))
      let output = rig.run(tone)
      let reading = Measure.level(of: output.left[(tone.count - 17_640)...], at: frequency)
      // The same sample values make less sound here, by 1 dB per kHz.
      #expect(abs(reading - frequency / 1000 - 80) < 0.3)
    }
  }
}
