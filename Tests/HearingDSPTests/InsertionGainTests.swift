import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP

@Suite("Insertion gain of the chain") struct InsertionGainTests {
  static let frequencies: [Double] = [250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000]

  @Test("steady tones at 50, 65 and 80 dB SPL get the rule's gain", arguments: [1.0, 1.5, 2.0, 3.0])
  func steadyTones(compressionRatio: Double) throws {
    let rule = try NALRPCompressive(compressionRatio: compressionRatio)
    let audiograms = StandardAudiogram.allCases
    var worst: [Double: ClosedRange<Double>] = [:]
    for (index, standard) in audiograms.enumerated() {
      // The other ear has the audiogram at the other end of the list, so no two ears are alike.
      let other = audiograms[audiograms.count - 1 - index]
      let curves = Binaural(
        left: try rule.curves(for: standard.audiogram, bands: .standard),
        right: try rule.curves(for: other.audiogram, bands: .standard))
      for frequency in Self.frequencies {
        let band = try #require(BandLayout.standard.centres.firstIndex(of: frequency))
        var rig = try ChainRig(curves.map { ChainRig.ear($0) }, dynamics: Dynamics(attack: 0.01, release: 0.05))
        for level in [50.0, 65, 80] {
          let count = 64 * 620
          let tone = ChainRig.tone(frequency, level: level, count: count)
          let output = rig.run(tone, tone)
          let steady = count - 22_050..<count
          for (ear, samples) in [(Ear.left, output.left), (.right, output.right)] {
            let target = curves[ear][band].gain(at: SoundPressureLevel(level))
            let gain = ChainRig.level(of: samples[steady], at: frequency) - level
            guard level + target < 118 else { continue }
            let error = gain - target
            let old = worst[frequency] ?? error...error
            worst[frequency] = min(old.lowerBound, error)...max(old.upperBound, error)
          }
        }
      }
    }
    for (f, e) in worst.sorted(by: { $0.key < $1.key }) { print(compressionRatio, f, e) }
  }
}
