import Glibc

/// A complex Fourier transform of a power-of-two length in double precision, for measurements: what
/// measures the chain does not use the chain's arithmetic.
///
/// Radix 2, decimation in time (Cooley & Tukey 1965): X[k] = Σ x[n]·e^(−2πi·kn/N).
///
/// - Threads: any.
public struct FourierTransform: Sendable {
  /// Samples, a power of two.
  public let count: Int
  private let cosines: [Double]
  private let sines: [Double]
  private let reversed: [Int]

  /// - Parameter count: Samples of a block; a power of two.
  public init(count: Int) {
    precondition(count > 1 && count & (count - 1) == 0, "a length that is no power of two")
    self.count = count
    cosines = (0..<count / 2).map { cos(2 * .pi * Double($0) / Double(count)) }
    sines = (0..<count / 2).map { -sin(2 * .pi * Double($0) / Double(count)) }
    let bits = count.trailingZeroBitCount
    reversed = (0..<count).map { index in (0..<bits).reduce(0) { $0 << 1 | index >> $1 & 1 } }
  }

  /// Transforms in place.
  ///
  /// - Shape: `count` each.
  public func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
    precondition(real.count == count && imaginary.count == count, "a sound of another length")
    for (index, other) in reversed.enumerated() where index < other {
      real.swapAt(index, other)
      imaginary.swapAt(index, other)
    }
    real.withUnsafeMutableBufferPointer { re in
      imaginary.withUnsafeMutableBufferPointer { im in
        cosines.withUnsafeBufferPointer { c in
          sines.withUnsafeBufferPointer { s in
            Self.butterflies(re.baseAddress!, im.baseAddress!, c.baseAddress!, s.baseAddress!, count)
          }
        }
      }
    }
  }

  private static func butterflies(
    _ re: UnsafeMutablePointer<Double>, _ im: UnsafeMutablePointer<Double>, _ c: UnsafePointer<Double>,
    _ s: UnsafePointer<Double>, _ count: Int
  ) {
    var half = 1
    while half < count {
      let turn = count / (2 * half)
      var start = 0
      while start < count {
        for k in 0..<half {
          let (a, b) = (start + k, start + k + half)
          let (x, y) = (c[k * turn], s[k * turn])
          let r = re[b] * x - im[b] * y
          let i = re[b] * y + im[b] * x
          (re[b], im[b]) = (re[a] - r, im[a] - i)
          (re[a], im[a]) = (re[a] + r, im[a] + i)
        }
        start += 2 * half
      }
      half *= 2
    }
  }

  /// Spectra of two real signals by one transform: bins 0…count/2 of each.
  public func spectra(
    _ first: [Double], _ second: [Double]
  ) -> (first: FourierSpectrum, second: FourierSpectrum) {
    var (re, im) = (first, second)
    transform(&re, &im)
    func half(_ value: (_ bin: Int, _ mirrored: Int) -> Double) -> [Double] {
      (0...count / 2).map { value($0, (count - $0) & (count - 1)) / 2 }
    }
    return (
      FourierSpectrum(real: half { re[$0] + re[$1] }, imaginary: half { im[$0] - im[$1] }),
      FourierSpectrum(real: half { im[$0] + im[$1] }, imaginary: half { re[$1] - re[$0] })
    )
  }
}

/// Bins of a real signal's transform.
public struct FourierSpectrum: Sendable {
  /// Real part of each bin.
  public let real: [Double]
  /// Imaginary part of each bin.
  public let imaginary: [Double]

  /// |X[k]|².
  public func power(_ k: Int) -> Double { real[k] * real[k] + imaginary[k] * imaginary[k] }
}
