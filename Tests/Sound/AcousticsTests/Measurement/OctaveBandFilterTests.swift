import Glibc
import Testing

@testable import Acoustics

@Suite("Octave bands") struct OctaveBandFilterTests {
  /// IEC 61260-1 class 1, from memory: distance from the middle in octaves of 10^0.3, least and greatest attenuation, dB.
  private static let limits: [(octaves: Double, least: Double, greatest: Double)] = [
    (0, -0.3, 0.3), (0.125, -0.3, 0.4), (0.25, -0.3, 0.6), (0.375, -0.3, 1.3), (0.499, -0.3, 5),
    (0.501, 2, .infinity),
    (1, 17.5, .infinity), (2, 42, .infinity), (3, 61, .infinity), (4, 70, .infinity),
  ]

  @Test("every band holds class 1 below half the sample rate", arguments: [44_100.0, 48_000, 96_000])
  func classOne(rate: Double) throws {
    for nominal in OctaveBandFilter.nominalCentres {
      let filter = try OctaveBandFilter(nominal: nominal, sampleRate: rate)
      for (octaves, least, greatest) in Self.limits {
        for side in [-1.0, 1] {
          let frequency = filter.centre * pow(10, 0.3 * octaves * side)
          guard frequency < 0.49 * rate else { continue }
          let attenuation = -20 * log10(filter.magnitude(at: frequency, sampleRate: rate))
          #expect(
            attenuation >= least && attenuation <= greatest,
            "\(nominal) Hz at \(rate): \(attenuation) dB, \(octaves * side) octaves away")
        }
      }
    }
  }

  /// IEC 61260-1, class 1, from memory: the level of pink noise is that of an ideal band within 0.4 dB.
  @Test(
    "the effective bandwidth of every band is an octave within 0.4 dB",
    arguments: [44_100.0, 48_000, 96_000])
  func effectiveBandwidth(rate: Double) throws {
    for nominal in OctaveBandFilter.nominalCentres {
      let filter = try OctaveBandFilter(nominal: nominal, sampleRate: rate)
      // Power of pink noise: the integral over the logarithm of the frequency.
      let step = 0.002
      let top = log10(0.499 * rate / filter.centre)
      let power = stride(from: -2.0, through: top, by: step).reduce(0) {
        $0 + pow(filter.magnitude(at: filter.centre * pow(10, $1), sampleRate: rate), 2) * step
      }
      #expect(abs(10 * log10(power / 0.3)) <= 0.4, "\(nominal) Hz at \(rate)")
    }
  }

  @Test("a sine in the middle passes as it is, and one two octaves away is 42 dB softer")
  func sines() throws {
    var filter = try OctaveBandFilter(nominal: 1000, sampleRate: 48_000)
    func level(_ frequency: Double) -> Double {
      filter.reset()
      var sum = 0.0
      for n in 0..<48_000 {
        let y = filter.filtered(Float(sin(2 * .pi * frequency * Double(n) / 48_000)))
        if n >= 24_000 { sum += y * y }
      }
      return 10 * log10(sum / 12_000)
    }
    #expect(abs(level(1000)) < 0.01)
    #expect(level(4000) < -42 && level(250) < -42)
  }

  @Test("the middle of 8 kHz is 7943 Hz; a band beyond the sample rate is refused")
  func centres() throws {
    #expect(abs(try OctaveBandFilter(nominal: 8000, sampleRate: 48_000).centre - 7943.3) < 0.1)
    #expect(throws: AcousticsError.self) { try OctaveBandFilter(nominal: 16_000, sampleRate: 44_100) }
    #expect(throws: AcousticsError.self) { try OctaveBandFilter(nominal: 1000, sampleRate: 4000) }
    #expect(throws: AcousticsError.self) { try OctaveBandFilter(nominal: .nan, sampleRate: 48_000) }
  }
}
