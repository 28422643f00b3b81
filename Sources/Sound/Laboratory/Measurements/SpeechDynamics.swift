import Acoustics
import Glibc

/// Speech-like sound before and after, as IEC 60118-15 looks at it: percentiles of the level in third
/// octaves, read in windows of 125 ms that overlap by half, the first 15 s left out (from memory).
package struct SpeechDynamics: Sendable, Equatable {
  /// One third octave.
  package struct Band: Sendable, Equatable {
    /// Exact centre, Hz.
    package var frequency: Double
    /// Levels of the input below which it lies 30, 65 and 99 % of the time, dB SPL.
    package var input: Percentiles
    /// Of the output, dB SPL.
    package var output: Percentiles
    /// Long-term level of the input, dB SPL.
    package var inputLevel: Double
    /// Long-term gain, dB.
    package var gain: Double

    /// Spread of the input between the 30th and the 99th percentile over that of the output.
    package var compressionRatio: Double {
      (input.peaks - input.valleys) / max(output.peaks - output.valleys, 1e-6)
    }
  }

  package struct Percentiles: Sendable, Equatable {
    /// 30th.
    package var valleys: Double
    /// 65th.
    package var middle: Double
    /// 99th.
    package var peaks: Double
  }

  /// Input, dB SPL.
  package var level: Double
  package var bands: [Band]

  /// Input levels of the standard, dB SPL.
  package static let levels = [55.0, 65, 80]
  /// s.
  static let window = 0.125
  static let discarded = 15.0

  /// Median of the bands' ratios.
  package var compressionRatio: Double {
    let ratios = bands.map(\.compressionRatio).sorted()
    return ratios.isEmpty ? 1 : Percentile.value(ratios, 50)
  }

  /// - Parameters:
  ///   - speech: ``SpeechLikeSignal`` for each microphone.
  ///   - level: Long-term level, dB SPL.
  static func measure<Path: SoundPath & ~Copyable>(
    _ speech: Binaural<SpeechLikeSignal>, level: Double, discarded: Double = discarded,
    on bench: inout Bench<Path>
  ) -> Binaural<SpeechDynamics> {
    let factor = Float(pow(10, (level - SpeechLikeSignal.referenceLevel) / 20))
    let whole = speech.left.samples.count / bench.path.blockFrames * bench.path.blockFrames
    let input = speech.map { $0.samples.prefix(whole).map { $0 * factor } }
    let output = bench.play(input)
    let start = Int(discarded * bench.sampleRate)
    func reading(_ ear: Ear) -> SpeechDynamics {
      let windows = ThirdOctaveCourse(
        input[ear], output[ear], from: start, sampleRate: bench.sampleRate, before: bench.microphones[ear],
        after: bench.earphones[ear])
      return SpeechDynamics(level: level, bands: windows.bands)
    }
    return Binaural(left: reading(.left), right: reading(.right))
  }
}
