import Acoustics
import Base
import Glibc

/// Noise in thirds of an octave, each with its level: lines of equal distance with random phases, so that the level of its whole
/// length is exact and nothing lies outside the bands.
///
/// Within a band the power of a hertz falls with frequency, as pink noise's does, so that neighbouring bands join without a step.
struct BandNoise {
  let samples: [Double]

  /// - Parameters:
  ///   - bands: Middles of thirds of an octave with the level of each.
  ///   - frames: Length.
  init(_ bands: [StimulusLevel.Band], rate: Double, frames: Int, seed: UInt64) {
    var count = 2
    while count < frames { count *= 2 }
    var random = SeededNumbers(seed: seed)
    var (real, imaginary) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
    for band in bands {
      let edges = exp2(-1.0 / 6)...exp2(1.0 / 6)
      let lines = (1..<count / 2).filter {
        let ratio = Double($0) * rate / Double(count) / band.frequency
        return edges.contains(ratio)
      }
      let share = lines.reduce(0) { $0 + 1 / Double($1) }
      for line in lines {
        // A sine of peak p has the power of the level's definition: p² is the share of the band.
        let peak = band.digital.sinePeak * (1 / Double(line) / share).squareRoot()
        let phase = Double.random(in: 0..<2 * .pi, using: &random)
        // The transform's own direction: the imaginary part of the sum of p·e^(iφ)·e^(−iωt) is a sine of peak p.
        real[line] += peak * cos(phase)
        imaginary[line] += peak * sin(phase)
      }
    }
    FourierTransform(count: count).transform(&real, &imaginary)
    samples = Array(real.prefix(frames))
  }
}
