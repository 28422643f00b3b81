import Glibc

/// Third octaves between two powers of the base-ten series: exact centres 1000·10^(n/10) Hz (IEC 61260-1).
struct ThirdOctaves: Sendable {
  /// Exact centres, Hz.
  let centres: [Double]
  /// Bins of each band with the share of their power that lies in it.
  private let shares: [[(bin: Int, share: Double)]]

  /// - Parameters:
  ///   - steps: n of the first and last band; −7 is 200 Hz, 8 is 6.3 kHz.
  ///   - spacing: Distance of the bins, Hz.
  ///   - binCount: Bins there are.
  init(_ steps: ClosedRange<Int>, spacing: Double, binCount: Int) {
    centres = steps.map { 1000 * pow(10, Double($0) / 10) }
    shares = centres.map { centre in
      let (low, high) = (centre * pow(10, -0.05), centre * pow(10, 0.05))
      let (first, last) = (Int((low / spacing).rounded()), Int((high / spacing).rounded()))
      return (first...min(last, binCount - 1)).map { bin in
        let (from, to) = ((Double(bin) - 0.5) * spacing, (Double(bin) + 0.5) * spacing)
        return (bin, max(0, min(to, high) - max(from, low)) / spacing)
      }
    }
  }

  /// Sum over each band of what `power` gives for a bin.
  func sums(_ power: (Int) -> Double) -> [Double] {
    shares.map { $0.reduce(0) { $0 + $1.share * power($1.bin) } }
  }
}
