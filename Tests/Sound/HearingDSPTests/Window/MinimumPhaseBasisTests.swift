import Acoustics
import Fitting
import Glibc
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Minimum-phase basis") struct MinimumPhaseBasisTests {
  static let geometry = Result { try ChainGeometry(sampleRate: 44_100, blockFrames: 64) }

  /// Impulse response of a gain window, by a direct inverse transform in double precision.
  static func response(_ gains: [Double], basis: MinimumPhaseBasis) -> [Double] {
    let half = basis.magnitude[0].count - 1
    let nepers = log(10.0) / 20
    let bins = (0...half).map { k in
      let exponent = gains.indices.reduce(0) { $0 + gains[$1] * nepers * basis.magnitude[$1][k] }
      let angle = gains.indices.reduce(0) { $0 + gains[$1] * nepers * basis.phase[$1][k] }
      return (real: exp(exponent) * cos(angle), imaginary: exp(exponent) * sin(angle))
    }
    let length = 2 * half
    return (0..<length).map { n in
      var sum = bins[0].real + (n % 2 == 0 ? 1 : -1) * bins[half].real
      for k in 1..<half {
        let phase = 2 * .pi * Double(k * n % length) / Double(length)
        sum += 2 * (bins[k].real * cos(phase) - bins[k].imaginary * sin(phase))
      }
      return sum / Double(length)
    }
  }

  @Test("the bands' weights add up to one at every bin, so a flat prescription is flat and has no phase")
  func partition() throws {
    let basis = try MinimumPhaseBasis(bands: .standard, geometry: Self.geometry.get())
    for k in basis.magnitude[0].indices {
      #expect(abs(basis.magnitude.reduce(0) { $0 + $1[k] } - 1) < 1e-9)
      // Sums of 8,192 numbers in double precision, twice.
      #expect(abs(basis.phase.reduce(0) { $0 + $1[k] }) < 1e-10)
    }
  }

  /// The Hilbert transform written as the sum it is for a sampled, periodic and even function of frequency:
  /// φ(m) = −(1/M)·Σ over odd distances of L(k)·2·cot(π(m − k)/M), on a fine grid of M points.
  @Test(
    "each band's phase is the Hilbert transform of its magnitude, computed directly",
    arguments: [0, 3, 9, 14, 19])
  func hilbert(band: Int) throws {
    let basis = try MinimumPhaseBasis(bands: .standard, geometry: Self.geometry.get())
    let fine = 8192
    let weights = (0..<fine).map { k in
      let mirrored = min(k, fine - k)
      return MinimumPhaseBasis.weight(
        BandLayout.standard.centres, band, at: Double(mirrored) * 44_100 / Double(fine))
    }
    for bin in [1, 3, 7, 20, 60, 130, 200, 255] {
      let m = bin * 16
      var sum = 0.0
      for k in stride(from: (m + 1) % 2, to: fine, by: 2) {
        sum += weights[k] * 2 / tan(.pi * Double(m - k) / Double(fine))
      }
      #expect(abs(basis.phase[band][bin] + sum / Double(fine)) < 1e-10, "bin \(bin)")
    }
  }

  @Test(
    "a window's energy lies at its beginning: 99 % within 1 ms, and less than −50 dB in its last eighth",
    arguments: StandardAudiogram.allCases)
  func concentrated(_ standard: StandardAudiogram) throws {
    let gains = try NALR(revised: true).insertionGains(
      for: standard.audiogram, at: BandLayout.standard.centres)
    let basis = try MinimumPhaseBasis(bands: .standard, geometry: Self.geometry.get())
    let response = Self.response(gains, basis: basis)
    let energy = response.map { $0 * $0 }
    let whole = energy.reduce(0, +)
    #expect(energy.prefix(44).reduce(0, +) > 0.99 * whole)
    #expect(energy.suffix(64).reduce(0, +) < 1e-5 * whole)
  }
}
