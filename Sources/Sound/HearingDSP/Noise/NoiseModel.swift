import Acoustics
import Glibc
import Realtime

/// Prevalence of noise in each band, learnt from voices in noise: one recurrent network over all bands at once.
///
/// Distances of all bands to the noise, now and over ``NoiseReduction/middle``, their levels, and what the ear hears
/// (``NoiseListener``) go through one layer of rectified sums into gated units (Cho et al. 2014, Learning phrase representations using RNN encoder–decoder, EMNLP) that remember what
/// was heard. A second, small network, the same for every band, joins them with the band's own distances and those of its four
/// neighbours. It was learnt by what HASPI and HASQI find behind the gain (docs/noise.md): a band closes where that takes least
/// from the shape of the spectrum. ``NoiseWeights`` has the numbers.
///
/// The network has the bands of `BandLayout.standard`. In another layout it hears for each of its bands the nearest one, and each
/// band does what the network's nearest one does.
///
/// - Threads: built on `control`, read on `audio`.
struct NoiseModel: ~Copyable {
  /// Bands of the network.
  static let bandCount = 20
  /// Bands beside the outermost ones that the small network reads: copies of those.
  static let margin = 2
  /// Values in each row of ``NoiseMemory/distances``.
  static let row = bandCount + 2 * margin
  /// Values of a band and its neighbours in the small network.
  private static let ownCount = 9
  /// Level that counts as 0, dB SPL; parts of 1 that a decibel counts; least and greatest that is counted. The network was
  /// learnt with these: they change together.
  private static let levelOrigin: Float = 45
  private static let levelScale: Float = 0.05
  private static let leastLevel: Float = -2
  private static let greatestLevel: Float = 2.5
  /// Greatest magnitudes that the layers read: of distances and levels, of rectified sums (below
  /// 32 with the weights there are, were all inputs greatest at once; so they are kept in steps of 1/512), and of units.
  static let greatestInput: Float = 2.5
  static let greatestReading: Float = 32
  static let greatestState: Float = 1

  /// Band of the layout that each of the network's hears, and of the network that each of the layout's does as.
  private let heard: AlignedBuffer<Int32>
  private let followed: AlignedBuffer<Int32>
  /// Rectified sums of what is common to all bands.
  private let reading: DenseLayer
  /// Their part of the three sums of every unit, and that of the units' former state.
  private let gates: DenseLayer
  private let gatesConstant: Buffer
  private let recurrence: DenseLayer
  private let recurrenceConstant: Buffer
  /// The units' part of the sums of the small network, and of each band's.
  private let shared: DenseLayer
  private let direct: DenseLayer
  /// - Shape: sums × ``ownCount``.
  private let own: Buffer
  /// Contribution of the band's position. - Shape: sums × ``bandCount``.
  private let place: Buffer
  /// One weight per sum.
  private let output: Buffer

  init(_ layout: BandLayout) {
    typealias Weights = NoiseWeights
    let (bands, units, sums) = (Self.bandCount, Weights.unitCount, Weights.sumCount)
    precondition(BandLayout.standard.count == bands, "the network was learnt with other bands")
    precondition(Weights.own.count == sums * Self.ownCount && Weights.place.count == 2 * sums)
    heard = Self.nearest(of: layout, to: .standard)
    followed = Self.nearest(of: .standard, to: layout)
    reading = DenseLayer(Weights.reading, inputs: 3 * bands, upTo: Self.greatestInput)
    gates = DenseLayer(Weights.gates, inputs: Weights.readingCount, upTo: Self.greatestReading)
    gatesConstant = Self.constants(Weights.gatesConstant)
    recurrence = DenseLayer(Weights.recurrence, inputs: units, upTo: Self.greatestState)
    recurrenceConstant = Self.constants([Float](repeating: 0, count: 2 * units) + Weights.candidateConstant)
    shared = DenseLayer(Weights.shared, inputs: units, upTo: Self.greatestState)
    direct = DenseLayer(Weights.direct, inputs: units, upTo: Self.greatestState)
    own = AlignedBuffer(count: Weights.own.count) { Weights.own[$0] }
    place = AlignedBuffer(count: sums * bands) {
      let (sum, band) = $0.quotientAndRemainder(dividingBy: bands)
      let position = 2 * Float(band) / Float(bands - 1) - 1
      return position * (Weights.place[sum] + position * Weights.place[sums + sum])
    }
    output = AlignedBuffer(count: sums) { Weights.output[$0] }
  }

  /// Constants of a layer, padded.
  private static func constants(_ numbers: [Float]) -> Buffer {
    AlignedBuffer(count: DenseLayer.padded(numbers.count)) { $0 < numbers.count ? numbers[$0] : 0 }
  }

  /// Index of the band of `from` whose centre is nearest, in octaves, to each of `to`.
  static func nearest(of from: BandLayout, to: BandLayout) -> AlignedBuffer<Int32> {
    AlignedBuffer(count: to.count) { band in
      let distances = from.centres.map { abs(log2($0 / to.centres[band])) }
      return Int32(distances.indices.min { distances[$0] < distances[$1] } ?? 0)
    }
  }

  /// Share of the full reduction due in each band, 0...1, after one step of the units.
  ///
  /// - Parameters:
  ///   - ratios: Distances to the noise on the model's scale: now, over ``NoiseReduction/middle`` and over
  ///     ``NoiseReduction/long``. - Shape: 3 × bands of the layout, padded.
  ///   - levels: Of the same bands, dB SPL.
  ///   - listener: This ear.
  ///   - memory: Of this ear.
  ///   - result: One per band of the layout.
  func evaluate(
    _ ratios: borrowing Buffer, levels: borrowing Buffer, listener: borrowing NoiseListener,
    memory: inout NoiseMemory, into result: inout Buffer
  ) {
    gather(ratios, levels, into: &memory)
    moveUnits(&memory, listener)
    shared.apply(memory.roundedState, constant: listener.shared, into: &memory.shared)
    direct.apply(memory.roundedState, constant: listener.direct, into: &memory.bands)
    joinBands(&memory)
    for band in 0..<followed.count { result[band] = memory.bands[Int(followed[band])] }
  }

  /// Reads the network's bands out of the layout's.
  private func gather(
    _ ratios: borrowing Buffer, _ levels: borrowing Buffer, into memory: inout NoiseMemory
  ) {
    let (count, margin, row, stride) = (Self.bandCount, Self.margin, Self.row, ratios.count / 3)
    precondition(levels.count >= stride && stride >= followed.count && memory.distances.count >= 3 * row)
    precondition(memory.input.count >= 3 * count && heard.count == count)
    let (source, loud, sources) = unsafe (ratios.pointer, levels.pointer, heard.pointer)
    let (input, distances) = unsafe (memory.input.pointer, memory.distances.pointer)
    for band in 0..<count {
      let from = unsafe Int(sources[band])
      let (now, middle) = unsafe (source[from], source[stride + from])
      unsafe (input[band], distances[margin + band]) = (now, now)
      unsafe (input[count + band], distances[row + margin + band]) = (middle, middle)
      unsafe distances[2 * row + margin + band] = source[2 * stride + from]
      let level = unsafe (loud[from] - Self.levelOrigin) * Self.levelScale
      let upper: Float = level < Self.greatestLevel ? level : Self.greatestLevel
      unsafe input[2 * count + band] = upper > Self.leastLevel ? upper : Self.leastLevel
    }
    for first in Swift.stride(from: margin, to: 3 * row, by: row) {
      let last = first + count - 1
      for distance in 1...margin {
        unsafe distances[first - distance] = distances[first]
        unsafe distances[last + distance] = distances[last]
      }
    }
  }

  /// Moves the gated units by one step: `h ← k h + (1 − k) tanh(…)`, `k` the gate that keeps.
  private func moveUnits(_ memory: inout NoiseMemory, _ listener: borrowing NoiseListener) {
    memory.roundedInput.take(memory.input)
    reading.apply(memory.roundedInput, constant: listener.reading, into: &memory.reading)
    memory.roundedReading.take(memory.reading)
    gates.apply(memory.roundedReading, constant: gatesConstant, into: &memory.gates)
    recurrence.apply(memory.roundedState, constant: recurrenceConstant, into: &memory.former)
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
    memory.roundedState.take(memory.state)
  }

  /// The small network, four bands at a time: nine values, two sums and a weight fit the registers of every processor.
  private func joinBands(_ memory: inout NoiseMemory) {
    let (count, sums) = (Self.bandCount, NoiseWeights.sumCount)
    let now = unsafe memory.distances.pointer + Self.margin
    let (middle, long) = unsafe (now + Self.row, now + 2 * Self.row)
    let (weights, places, last) = unsafe (own.pointer, place.pointer, output.pointer)
    let (common, bands) = unsafe (memory.shared.pointer, memory.bands.pointer)
    for base in Swift.stride(from: 0, to: count, by: 4) {
      let (a, b, c) = unsafe (now[lanes: base], now[lanes: base - 1], now[lanes: base + 1])
      let (d, e, f) = unsafe (now[lanes: base - 2], now[lanes: base + 2], middle[lanes: base])
      let (g, h, i) = unsafe (middle[lanes: base - 1], middle[lanes: base + 1], long[lanes: base])
      var logit = unsafe bands[lanes: base]
      for sum in 0..<sums {
        let w = unsafe weights + sum * Self.ownCount
        var z = unsafe places[lanes: sum * count + base] + common[sum]
        unsafe z += a * w[0] + b * w[1] + c * w[2]
        unsafe z += d * w[3] + e * w[4] + f * w[5]
        unsafe z += g * w[6] + h * w[7] + i * w[8]
        z.replace(with: 0, where: z .< 0)
        unsafe logit += z * last[sum]
      }
      unsafe bands[lanes: base] = Self.logistic(logit)
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
