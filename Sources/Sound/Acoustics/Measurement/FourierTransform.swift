import Glibc

/// A complex Fourier transform of a power-of-two length in double precision, for measurements: what
/// measures the chain does not use the chain's arithmetic.
///
/// Radix 2, decimation in time (Cooley & Tukey 1965): X[k] = Σ x[n]·e^(−2πi·kn/N).
///
/// - Threads: any.
public struct FourierTransform: Sendable {
  /// Samples, a power of two from 4 on.
  public let count: Int
  /// Factors of the stage whose butterflies lie `half` apart, from index `half` on: cos(πk/half), and
  /// −sin(πk/half).
  private let cosines: [Double]
  private let sines: [Double]
  /// Places that change places with each other before the first stage: those with mirrored bits.
  private let swapped: [(Int, Int)]

  /// - Parameter count: Samples of a block; a power of two from 4 on.
  public init(count: Int) {
    precondition(count > 3 && count & (count - 1) == 0, "a length that is no power of two")
    self.count = count
    let halves = sequence(first: 1) { $0 * 2 }.prefix { $0 < count }
    let angles = halves.flatMap { half in (0..<half).map { .pi * Double($0) / Double(half) } }
    cosines = [0] + angles.map { cos($0) }
    sines = [0] + angles.map { -sin($0) }
    let bits = count.trailingZeroBitCount
    var reversed = [Int](repeating: 0, count: count)
    for index in 1..<count { reversed[index] = reversed[index / 2] / 2 | (index % 2) << (bits - 1) }
    swapped = reversed.enumerated().filter { $0 < $1 }
  }

  /// Transforms in place.
  ///
  /// - Shape: `count` each.
  public func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
    precondition(real.count == count && imaginary.count == count, "a sound of another length")
    real.withUnsafeMutableBufferPointer { re in
      imaginary.withUnsafeMutableBufferPointer { im in
        for (index, other) in swapped {
          re.swapAt(index, other)
          im.swapAt(index, other)
        }
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
    for start in stride(from: 0, to: count, by: 4) { firstStages(re + start, im + start) }
    var half = 4
    while half < count {
      for start in stride(from: 0, to: count, by: 2 * half) {
        for a in stride(from: start, to: start + half, by: 4) {
          let (b, place) = (a + half, half + a - start)
          let (x, y) = (c[four: place], s[four: place])
          let (re1, im1, re2, im2) = (re[four: a], im[four: a], re[four: b], im[four: b])
          let (r, i) = (re2 * x - im2 * y, re2 * y + im2 * x)
          (re[four: a], im[four: a]) = (re1 + r, im1 + i)
          (re[four: b], im[four: b]) = (re1 - r, im1 - i)
        }
      }
      half *= 2
    }
  }

  /// The first two stages of four values, whose factors are 1 and −i.
  private static func firstStages(_ re: UnsafeMutablePointer<Double>, _ im: UnsafeMutablePointer<Double>) {
    let (sums, differences) = (
      (re: (re[0] + re[1], re[2] + re[3]), im: (im[0] + im[1], im[2] + im[3])),
      (re: (re[0] - re[1], re[2] - re[3]), im: (im[0] - im[1], im[2] - im[3]))
    )
    (re[0], im[0]) = (sums.re.0 + sums.re.1, sums.im.0 + sums.im.1)
    (re[1], im[1]) = (differences.re.0 + differences.im.1, differences.im.0 - differences.re.1)
    (re[2], im[2]) = (sums.re.0 - sums.re.1, sums.im.0 - sums.im.1)
    (re[3], im[3]) = (differences.re.0 - differences.im.1, differences.im.0 + differences.re.1)
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

extension UnsafePointer<Double> {
  /// Elements `start ..< start + 4`.
  fileprivate subscript(four start: Int) -> SIMD4<Double> {
    UnsafeRawPointer(self + start).loadUnaligned(as: SIMD4<Double>.self)
  }
}

extension UnsafeMutablePointer<Double> {
  /// Elements `start ..< start + 4`.
  fileprivate subscript(four start: Int) -> SIMD4<Double> {
    get { UnsafeRawPointer(self + start).loadUnaligned(as: SIMD4<Double>.self) }
    nonmutating set {
      UnsafeMutableRawPointer(self + start).storeBytes(of: newValue, as: SIMD4<Double>.self)
    }
  }
}
