import Realtime

/// Prevalence of noise in each band, learnt from voices in noise: one recurrent network over all bands at once.
///
/// The values common to all bands, their distances to the noise now and over ``NoiseReduction/middle`` and their levels, go through one
/// layer of rectified sums into gated units (Cho et al. 2014) that remember what was heard. A second, small network, the same for every
/// band, joins them with the band's own distances and those of its four neighbours; ``NoiseWeights`` has the numbers. It was learnt by
/// what HASPI and HASQI find behind the gain (docs/noise.md), so a band closes where this changes the spectrum's shape least.
///
/// - Threads: built on `control`, read on `audio`.
struct NoiseModel: ~Copyable {
  /// Values of every band and its neighbours in the small network.
  private static let ownCount = 9
  /// Bands around each row that ``evaluate(_:row:levels:memory:into:)`` reads: copies of the outermost ones.
  static let margin = 2
  /// Bands that the network was learnt with.
  static let bandCount = 20

  private let stride: Int
  /// The layout has as many bands as the network was learnt with; with others nothing is reduced.
  private let isApplicable: Bool
  /// Rectified sums of what is common to all bands.
  private let reading: DenseLayer
  /// Their part of the three sums of every unit, and that of the units' former state.
  private let gates: DenseLayer
  private let recurrence: DenseLayer
  /// The units' part of the sums of the small network, and of each band's.
  private let shared: DenseLayer
  private let direct: DenseLayer
  /// - Shape: sums × ``ownCount``.
  private let own: Buffer
  /// Contribution of the band's position. - Shape: sums × bands, padded.
  private let place: Buffer
  private let output: Buffer

  init(bandCount: Int, stride: Int) {
    isApplicable = bandCount == Self.bandCount
    let bandCount = Self.bandCount
    typealias W = NoiseWeights
    self.stride = stride
    reading = DenseLayer(
      W.reading, constant: W.readingConstant, inputs: 3 * bandCount, outputs: W.readingCount)
    gates = DenseLayer(W.gates, constant: W.gatesConstant, inputs: W.readingCount, outputs: 3 * W.unitCount)
    let none = [Float](repeating: 0, count: 2 * W.unitCount)
    recurrence = DenseLayer(
      W.recurrence, constant: none + W.candidateConstant, inputs: W.unitCount, outputs: 3 * W.unitCount)
    shared = DenseLayer(W.shared, constant: W.sharedConstant, inputs: W.unitCount, outputs: W.sumCount)
    direct = DenseLayer(W.direct, constant: W.directConstant, inputs: W.unitCount, outputs: bandCount)
    precondition(
      W.own.count == W.sumCount * Self.ownCount && W.output.count == W.sumCount
        && W.place.count == 2 * W.sumCount)
    own = AlignedBuffer(count: W.own.count) { W.own[$0] }
    output = AlignedBuffer(count: W.sumCount) { W.output[$0] }
    place = AlignedBuffer(count: W.sumCount * max(stride, bandCount)) {
      let (sum, band) = $0.quotientAndRemainder(dividingBy: stride)
      let position = 2 * Float(band) / Float(bandCount - 1) - 1
      return position * (W.place[sum] + position * W.place[W.sumCount + sum])
    }
  }

  /// Moves the memory by one step and sets the share of the full reduction due in each band, 0...1.
  ///
  /// - Parameters:
  ///   - ratios: Posterior ratios on the model's scale: now, over ``NoiseReduction/middle`` and over ``NoiseReduction/long``.
  ///     - Shape: 3 × (``margin``, bands padded, ``margin`` and padding).
  ///   - row: Elements from one of the three to the next.
  ///   - levels: Level of each band on the model's scale.
  ///   - memory: The ear's.
  ///   - result: One per band, padded.
  func evaluate(
    _ ratios: borrowing Buffer, row: Int, levels: borrowing Buffer, memory: borrowing NoiseMemory,
    into result: borrowing Buffer
  ) {
    guard isApplicable else { return }
    let count = Self.bandCount
    precondition(ratios.count >= 3 * row && row >= stride + 2 * Self.margin && result.count >= stride)
    precondition(levels.count >= count && memory.input.count >= 3 * count)
    let (now, sink) = unsafe (ratios.pointer + Self.margin, result.pointer)
    let (middle, input, level) = unsafe (now + row, memory.input.pointer, levels.pointer)
    for band in 0..<count {
      unsafe input[band] = now[band]
      unsafe input[count + band] = middle[band]
      unsafe input[2 * count + band] = level[band]
    }
    move(memory)
    shared.apply(memory.state, into: memory.shared)
    direct.apply(memory.state, into: memory.direct)
    let (long, weights, places) = unsafe (now + 2 * row, own.pointer, place.pointer)
    let (common, logits) = unsafe (memory.shared.pointer, memory.direct.pointer)
    // Four bands at a time: nine values, two sums and a weight fit the registers of every processor.
    for base in Swift.stride(from: 0, to: count, by: 4) {
      let (a, b, c) = unsafe (now[lanes: base], now[lanes: base - 1], now[lanes: base + 1])
      let (d, e, f) = unsafe (now[lanes: base - 2], now[lanes: base + 2], middle[lanes: base])
      let (g, h, i) = unsafe (middle[lanes: base - 1], middle[lanes: base + 1], long[lanes: base])
      var logit = unsafe logits[lanes: base]
      for sum in 0..<NoiseWeights.sumCount {
        let w = unsafe weights + sum * Self.ownCount
        var z = unsafe places[lanes: sum * stride + base] + common[sum]
        unsafe z += a * w[0] + b * w[1] + c * w[2]
        unsafe z += d * w[3] + e * w[4] + f * w[5]
        unsafe z += g * w[6] + h * w[7] + i * w[8]
        z.replace(with: 0, where: z .< 0)
        unsafe logit += z * output[unchecked: sum]
      }
      unsafe sink[lanes: base] = Self.logistic(logit)
    }
  }

  /// Moves the gated units by one step: `h ← k h + (1 − k) tanh(…)`, `k` the gate that keeps.
  private func move(_ memory: borrowing NoiseMemory) {
    reading.apply(memory.input, into: memory.reading)
    let read = unsafe memory.reading.pointer
    for base in Swift.stride(from: 0, to: NoiseWeights.readingCount, by: 4) {
      var sum = unsafe read[lanes: base]
      sum.replace(with: 0, where: sum .< 0)
      unsafe read[lanes: base] = sum
    }
    gates.apply(memory.reading, into: memory.gates)
    recurrence.apply(memory.state, into: memory.former)
    let (new, old, state) = unsafe (memory.gates.pointer, memory.former.pointer, memory.state.pointer)
    let units = NoiseWeights.unitCount
    for base in Swift.stride(from: 0, to: units, by: 4) {
      let reset = unsafe Self.logistic(new[lanes: base] + old[lanes: base])
      let keep = unsafe Self.logistic(new[lanes: units + base] + old[lanes: units + base])
      let sum = unsafe new[lanes: 2 * units + base] + reset * old[lanes: 2 * units + base]
      // tanh x = 2/(1 + e^−2x) − 1
      let candidate = 2 * Self.logistic(2 * sum) - 1
      unsafe state[lanes: base] = candidate + keep * (state[lanes: base] - candidate)
    }
  }

  /// `1/(1 + e^−x)`.
  @inline(__always) private static func logistic(_ x: SIMD4<Float>) -> SIMD4<Float> {
    var octaves = -1.442_695 * x
    // 2^±30 is certain enough, and within what the exponential takes.
    octaves.replace(with: 30, where: octaves .> 30)
    octaves.replace(with: -30, where: octaves .< -30)
    return 1 / (1 + ComplexExponential.magnitude(octaves))
  }
}

/// Memory of the noise model for one ear, and its room for sums.
///
/// - Threads: built on `control`, used on `audio`.
struct NoiseMemory: ~Copyable {
  /// State of the gated units.
  fileprivate let state: Buffer
  fileprivate let input: Buffer
  fileprivate let reading: Buffer
  fileprivate let gates: Buffer
  fileprivate let former: Buffer
  fileprivate let shared: Buffer
  fileprivate let direct: Buffer

  init() {
    let padded = DenseLayer.padded
    state = AlignedBuffer(count: padded(NoiseWeights.unitCount))
    input = AlignedBuffer(count: padded(3 * NoiseModel.bandCount))
    reading = AlignedBuffer(count: padded(NoiseWeights.readingCount))
    gates = AlignedBuffer(count: padded(3 * NoiseWeights.unitCount))
    former = AlignedBuffer(count: padded(3 * NoiseWeights.unitCount))
    shared = AlignedBuffer(count: padded(NoiseWeights.sumCount))
    direct = AlignedBuffer(count: padded(NoiseModel.bandCount))
  }

  /// Forgets everything.
  mutating func reset() {
    let units = unsafe state.pointer
    for index in 0..<state.count { unsafe units[index] = 0 }
  }
}

/// Sums of all inputs, each with its weights, sixteen sums at a time.
///
/// - Threads: built on `control`, read on `audio`.
struct DenseLayer: ~Copyable {
  /// Sums per block: four vectors, so that none waits for the one before.
  private static let block = 16

  private let inputCount: Int
  private let blockCount: Int
  /// - Shape: blocks × inputs × ``block``.
  private let weights: Buffer
  /// - Shape: blocks × ``block``.
  private let constant: Buffer

  /// - Parameter weights: One row of `outputs` for each input.
  init(_ weights: [Float], constant: [Float], inputs: Int, outputs: Int) {
    precondition(weights.count == inputs * outputs && constant.count == outputs, "weights of another size")
    let block = Self.block
    inputCount = inputs
    blockCount = Self.padded(outputs) / block
    self.weights = AlignedBuffer(count: blockCount * inputs * block) {
      let (row, lane) = $0.quotientAndRemainder(dividingBy: block)
      let (part, input) = row.quotientAndRemainder(dividingBy: inputs)
      let output = part * block + lane
      return output < outputs ? weights[input * outputs + output] : 0
    }
    self.constant = AlignedBuffer(count: blockCount * block) { $0 < outputs ? constant[$0] : 0 }
  }

  /// A number of sums rounded up to whole blocks.
  static func padded(_ count: Int) -> Int { (count + block - 1) / block * block }

  /// - Parameters:
  ///   - input: `inputs` values.
  ///   - result: One sum per output, padded to whole blocks.
  func apply(_ input: borrowing Buffer, into result: borrowing Buffer) {
    precondition(input.count >= inputCount && result.count >= blockCount * Self.block)
    let (values, sums) = unsafe (input.pointer, result.pointer)
    let (rows, fixed) = unsafe (weights.pointer, constant.pointer)
    for part in 0..<blockCount {
      let first = part * Self.block
      var (a, b) = unsafe (fixed[lanes: first], fixed[lanes: first + 4])
      var (c, d) = unsafe (fixed[lanes: first + 8], fixed[lanes: first + 12])
      let begin = unsafe rows + part * inputCount * Self.block
      for index in 0..<inputCount {
        let (value, row) = unsafe (values[index], begin + index * Self.block)
        unsafe a += row[lanes: 0] * value
        unsafe b += row[lanes: 4] * value
        unsafe c += row[lanes: 8] * value
        unsafe d += row[lanes: 12] * value
      }
      unsafe sums[lanes: first] = a
      unsafe sums[lanes: first + 4] = b
      unsafe sums[lanes: first + 8] = c
      unsafe sums[lanes: first + 12] = d
    }
  }
}
