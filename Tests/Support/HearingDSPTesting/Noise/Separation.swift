import Acoustics
import Fitting
import Glibc
import HearingDSP

/// Speech and noise after the chain, told apart by phase inversion (Hagerman & Olofsson 2004, Acta Acustica
/// 90:356): speech plus noise and speech minus noise are played, and half the sum is the speech, half the
/// difference the noise, as far as the gain is the same in both.
struct Separation {
  /// Noise alone that both chains hear first, uncounted, 4 s: noise that sets in after silence is held to be speech
  /// until NoiseFloor knows it, 2.3 s, and the trial is of noise that is there.
  static let lead = 44_100 * 4 / 64 * 64

  let speech: [Float]
  let noise: [Float]

  /// Behind a chain that has had time to settle, and knows the noise.
  init(_ speech: [Float], _ noise: [Float], treatment: Treatment, ear: EarFitting? = nil) throws {
    try self.init(speech, noise, after: Self.lead) { try ChainRig.treated(treatment, ear: ear) }
  }

  /// - Parameters:
  ///   - lead: Noise that is heard first, samples.
  ///   - rig: Makes the chain, twice the same.
  init(_ speech: [Float], _ noise: [Float], after lead: Int, rig: () throws -> ChainRig) throws {
    let before = Array(noise[..<min(lead, noise.count)])
    var first = try rig()
    _ = first.run(before)
    let sum = first.run(zip(speech, noise).map { $0 + $1 }).left
    var second = try rig()
    _ = second.run(before)
    let difference = second.run(zip(speech, noise).map { $0 - $1 }).left
    self.speech = zip(sum, difference).map { ($0 + $1) / 2 }
    self.noise = zip(sum, difference).map { ($0 - $1) / 2 }
  }

  /// Ratio of the powers of the whole, without the first second, dB.
  var ratio: Double {
    let heard = 44_100..<speech.count
    return Measure.level(of: speech[heard]) - Measure.level(of: noise[heard])
  }

  /// Kurtosis of the power of the noise at single frequencies, `E[P⁴]/E[P²]²` with `P` over its own mean at the
  /// frequency (moments about zero, as Uemura et al. 2008, IWAENC), over Hann windows of 11.6 ms; for
  /// Gaussian noise 6 in the limit.
  ///
  /// - Parameter parts: Stretches of samples to look at.
  func kurtosis(in parts: [Range<Int>]) -> Double {
    let (length, step) = (512, 128)
    let window = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length)) }
    var (second, fourth, count) = (0.0, 0.0, 0)
    for k in stride(from: 3, to: 140, by: 7) {
      let turn = 2 * .pi * Double(k) / Double(length)
      let cosine = (0..<length).map { window[$0] * cos(turn * Double($0)) }
      let sine = (0..<length).map { window[$0] * sin(turn * Double($0)) }
      var powers: [Double] = []
      for part in parts {
        for start in stride(from: part.lowerBound, through: part.upperBound - length, by: step) {
          var (re, im) = (0.0, 0.0)
          for n in 0..<length {
            let sample = Double(noise[start + n])
            re += sample * cosine[n]
            im += sample * sine[n]
          }
          powers.append(re * re + im * im)
        }
      }
      let mean = powers.reduce(0, +) / Double(powers.count)
      for power in powers {
        let square = (power / mean) * (power / mean)
        second += square
        fourth += square * square
      }
      count += powers.count
    }
    return fourth / Double(count) / (second / Double(count) * second / Double(count))
  }
}
