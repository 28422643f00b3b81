import Realtime

/// Prevalence of noise in each band, learnt from voices in noise: one small network, the same for every
/// band.
///
/// Its input is the ratio of a band and its four neighbours to the noise, now and over two longer times,
/// the means of the lower and the upper half of all bands, and the band's position. So a weak band opens
/// with its syllable, and a chance peak of noise, which stands alone, stays closed. One layer of rectified
/// sums and a logistic function; ``NoiseWeights`` has the numbers.
///
/// - Threads: built on `control`, read on `audio`.
struct NoiseModel: ~Copyable {
  /// Values of every band and its neighbours.
  static let ownCount = 9
  /// Values common to all bands.
  static let commonCount = 5
  /// Values per sum in ``NoiseWeights``: those, the band's place, its square and a constant.
  private static let width = ownCount + commonCount + 3
  /// Room for sums: the values common to all bands are added up for all of them at once.
  private static let mostSums = 16
  /// Bands around each row that ``evaluate(_:row:shared:into:)`` reads: copies of the outermost ones.
  static let margin = 2

  private let bandCount: Int
  private let stride: Int
  /// - Shape: sums × ``ownCount``.
  private let own: Buffer
  /// - Shape: ``commonCount`` × ``mostSums``.
  private let common: Buffer
  /// Contribution of the band's position and of the constant. - Shape: sums × bands, padded.
  private let constant: Buffer
  private let output: Buffer

  init(bandCount: Int, stride: Int) {
    let hidden = NoiseWeights.hiddenCount
    precondition(NoiseWeights.input.count == hidden * Self.width && NoiseWeights.output.count == hidden + 1)
    precondition(hidden <= Self.mostSums)
    self.bandCount = bandCount
    self.stride = stride
    let weight = { sum, index in NoiseWeights.input[sum * Self.width + index] }
    own = AlignedBuffer(count: hidden * Self.ownCount) { weight($0 / Self.ownCount, $0 % Self.ownCount) }
    common = AlignedBuffer(count: Self.commonCount * Self.mostSums) {
      let (index, sum) = $0.quotientAndRemainder(dividingBy: Self.mostSums)
      return sum < hidden ? weight(sum, Self.ownCount + index) : 0
    }
    let (greatest, last) = (Float(max(1, bandCount - 1)), Self.width - 1)
    constant = AlignedBuffer(count: hidden * stride) {
      let (sum, band) = $0.quotientAndRemainder(dividingBy: stride)
      let place = 2 * Float(band) / greatest - 1
      return weight(sum, last - 2) * place + weight(sum, last - 1) * place * place + weight(sum, last)
    }
    output = AlignedBuffer(count: hidden + 1) { NoiseWeights.output[$0] }
  }

  /// Share of the full reduction due in each band, 0...1.
  ///
  /// - Parameters:
  ///   - ratios: Posterior ratios on the model's scale: now, over ``NoiseReduction/middle`` and over
  ///     ``NoiseReduction/long``. - Shape: 3 × (``margin``, bands padded, ``margin`` and padding).
  ///   - row: Elements from one of the three to the next.
  ///   - shared: Values common to all bands.
  ///   - result: One per band, padded.
  func evaluate(
    _ ratios: borrowing Buffer, row: Int, shared: InlineArray<5, Float>, into result: borrowing Buffer
  ) {
    precondition(ratios.count >= 3 * row && row >= stride + 2 * Self.margin && result.count >= stride)
    let now = unsafe ratios.pointer + Self.margin
    let (middle, long) = unsafe (now + row, now + 2 * row)
    let (weights, fixed) = unsafe (own.pointer, constant.pointer)
    let (last, sink) = unsafe (output.pointer, result.pointer)
    let folded = fold(shared)
    var base = 0
    // Four bands at a time: nine values, two sums and a weight fit the registers of every processor.
    while base < bandCount {
      let (a, b, c) = unsafe (now[lanes: base], now[lanes: base - 1], now[lanes: base + 1])
      let (d, e, f) = unsafe (now[lanes: base - 2], now[lanes: base + 2], middle[lanes: base])
      let (g, h, i) = unsafe (middle[lanes: base - 1], middle[lanes: base + 1], long[lanes: base])
      var logit = unsafe SIMD4<Float>(repeating: last[NoiseWeights.hiddenCount])
      for sum in 0..<NoiseWeights.hiddenCount {
        let w = unsafe weights + sum * Self.ownCount
        var z = unsafe fixed[lanes: sum * stride + base] + folded[sum]
        unsafe z += a * w[0] + b * w[1] + c * w[2]
        unsafe z += d * w[3] + e * w[4] + f * w[5]
        unsafe z += g * w[6] + h * w[7] + i * w[8]
        z.replace(with: 0, where: z .< 0)
        unsafe logit += z * last[sum]
      }
      unsafe sink[lanes: base] = logit
      base += 4
    }
    for band in 0..<bandCount { unsafe sink[band] = Self.logistic(sink[band]) }
  }

  /// Contribution of the values common to all bands to each sum.
  @inline(__always) private func fold(_ shared: InlineArray<5, Float>) -> SIMD16<Float> {
    var result = SIMD16<Float>()
    for index in 0..<Self.commonCount {
      let row = unsafe UnsafeRawPointer(common.pointer + index * Self.mostSums)
      unsafe result += row.loadUnaligned(as: SIMD16<Float>.self) * shared[index]
    }
    return result
  }

  /// `1/(1 + e^−x)`.
  @inline(__always) private static func logistic(_ x: Float) -> Float {
    let octaves = -1.442_695 * x
    // 2^±30 is certain enough, and within what the exponential takes.
    let upper: Float = octaves < 30 ? octaves : 30
    let bounded: Float = upper > -30 ? upper : -30
    return 1 / (1 + ComplexExponential.magnitude(bounded))
  }
}
