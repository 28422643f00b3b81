import Acoustics
import Glibc
import Realtime
import Testing

@testable import HearingDSP

@Suite("Spectra of a pair") struct PairSpectrumTests {
  private static let length = 64

  /// Two unlike signals without any symmetry.
  private static func signal(_ n: Int, ear: Int) -> Double {
    ear == 0 ? sin(0.7 * Double(n)) + 0.1 * Double(n % 5) : cos(1.9 * Double(n) + 0.3) - 0.2 * Double(n % 3)
  }

  private static func read() -> PairSpectrum {
    var spectrum = PairSpectrum(length: length)
    var history = AlignedBuffer<Float>(count: 4 * length)
    for n in 0..<length {
      for ear in 0..<2 { history[2 * length + 2 * n + ear] = Float(signal(n, ear: ear)) }
    }
    spectrum.process(history)
    return spectrum
  }

  /// The transform by its definition.
  private static func definition(_ k: Int, ear: Int) -> (re: Double, im: Double) {
    (0..<length).reduce((0, 0)) { sum, n in
      let angle = 2 * .pi * Double(k * n) / Double(length)
      let value = signal(n, ear: ear)
      return (sum.0 + value * cos(angle), sum.1 - value * sin(angle))
    }
  }

  @Test("each ear's spectrum is twice the transform of its own newest frames, and mirrors at both ends")
  func takenApart() {
    let spectrum = Self.read()
    for k in -1...Self.length / 2 + 1 {
      let (left, right) = (Self.definition(k, ear: 0), Self.definition(k, ear: 1))
      // Sums of 64 numbers of size 1 in single precision: 1e-4.
      #expect(unsafe abs(Double(spectrum.ears.left.re[k]) - 2 * left.re) < 1e-4)
      #expect(unsafe abs(Double(spectrum.ears.left.im[k]) - 2 * left.im) < 1e-4)
      #expect(unsafe abs(Double(spectrum.ears.right.re[k]) - 2 * right.re) < 1e-4)
      #expect(unsafe abs(Double(spectrum.ears.right.im[k]) - 2 * right.im) < 1e-4)
    }
  }

  @Test("Hann power is that of the windowed signal, one-sided mean square")
  func hannPower() {
    let spectrum = Self.read()
    let bins = Self.length / 2
    var powers = Binaural<AlignedBuffer<Float>> { _ in AlignedBuffer(count: bins) }
    spectrum.hannPower(bins: bins, into: &powers)
    for k in 0..<bins {
      let own = Self.definition(k, ear: 0)
      let (below, above) = (Self.definition(k - 1, ear: 0), Self.definition(k + 1, ear: 0))
      let re = own.re / 2 - (below.re + above.re) / 4
      let im = own.im / 2 - (below.im + above.im) / 4
      // 2·|X_w|² / (N·Σw²), Σw² = 3N/8 (Harris 1978).
      let power = 2 * (re * re + im * im) / (Double(Self.length * Self.length) * 3 / 8)
      #expect(abs(Double(powers.left[k]) - power) < 1e-6 + 1e-5 * power)
    }
  }
}
