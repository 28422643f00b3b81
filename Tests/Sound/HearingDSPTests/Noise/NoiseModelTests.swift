import Acoustics
import Glibc
import Realtime
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Noise model") struct NoiseModelTests {
  /// Random distances and levels, a little beyond what the model counts.
  struct Surroundings {
    var ratios: [[Double]]
    var levels: [Double]

    init(bands: Int, _ random: inout Seeded) {
      ratios = (0..<3).map { _ in (0..<bands).map { _ in .random(in: -0.5...2, using: &random) } }
      levels = (0..<bands).map { _ in .random(in: -10...110, using: &random) }
    }
  }

  // Weights are kept in steps of 1/4096, sums of the reading in steps of 1/1024: 32 products of both are off by 4e-4 each step,
  // which units that keep three quarters make 8e-4, and the small network has weights up to 1.3. 0.002 of a share is 0.03 dB.
  @Test(
    "shares are those of the equations of a gated unit (Cho et al. 2014) in double precision, over 300 steps, for any ear",
    arguments: [UInt64(3), 7, 8])
  func equations(seed: UInt64) {
    let model = NoiseModel(.standard)
    var random = Seeded(seed)
    let aided = seed == 3 ? nil : (0..<20).map { _ in Double.random(in: -20...80, using: &random) }
    let listener = NoiseListener(aided, layout: .standard)
    var memory = NoiseMemory()
    var reference = GatedNetwork(aided)
    var result = Buffer(count: 20)
    for _ in 0..<300 {
      let now = Surroundings(bands: 20, &random)
      model.evaluate(now, listener, &memory, into: &result)
      let expected = reference.shares(now.ratios, levels: now.levels)
      for band in 0..<20 { #expect(abs(Double(result[band]) - expected[band]) < 2e-3, "band \(band)") }
    }
  }

  @Test("after a reset the model hears as if for the first time")
  func forgetting() {
    let model = NoiseModel(.standard)
    let listener = NoiseListener(nil, layout: .standard)
    var memory = NoiseMemory()
    var fresh = NoiseMemory()
    var random = Seeded(4)
    var first = Buffer(count: 20)
    var second = Buffer(count: 20)
    for _ in 0..<50 { model.evaluate(Surroundings(bands: 20, &random), listener, &memory, into: &first) }
    memory.reset()
    let now = Surroundings(bands: 20, &random)
    model.evaluate(now, listener, &memory, into: &first)
    model.evaluate(now, listener, &fresh, into: &second)
    for band in 0..<20 { #expect(first[band] == second[band]) }
  }

  @Test("no input and no ear makes a rectified sum that 16 bits would cut")
  func greatestReading() {
    typealias Weights = NoiseWeights
    let count = Weights.readingCount
    for sum in 0..<count {
      var bound = abs(Weights.readingConstant[sum])
      for (weights, greatest) in [
        (Weights.reading, NoiseModel.greatestInput), (Weights.aidedReading, NoiseListener.greatest),
      ] {
        for input in 0..<weights.count / count { bound += greatest * abs(weights[input * count + sum]) }
      }
      #expect(bound < NoiseModel.greatestReading, "sum \(sum): \(bound)")
    }
  }

  @Test("levels that are no numbers leave shares between 0 and 1, then and later")
  func numberless() {
    let model = NoiseModel(.standard)
    let listener = NoiseListener(nil, layout: .standard)
    var memory = NoiseMemory()
    var result = Buffer(count: 20)
    var random = Seeded(6)
    for value in [Double.nan, .infinity, -.infinity, 1e30] {
      var broken = Surroundings(bands: 20, &random)
      for band in stride(from: 0, to: 20, by: 3) { broken.levels[band] = value }
      model.evaluate(broken, listener, &memory, into: &result)
      for band in 0..<20 { #expect(result[band] >= 0 && result[band] <= 1) }
      for _ in 0..<3 { model.evaluate(Surroundings(bands: 20, &random), listener, &memory, into: &result) }
      for band in 0..<20 { #expect(result[band] >= 0 && result[band] <= 1) }
    }
  }

  @Test(
    "a layout with other bands has for each the share of the network's nearest band",
    arguments: [[1000], [250, 1000, 4000], (1...40).map { 300.0 * Double($0) }])
  func layouts(centres: [Double]) throws {
    let layout = try BandLayout(centres: centres)
    var random = Seeded(5)
    let now = Surroundings(bands: layout.count, &random)
    let octaves = { (a: Double, b: Double) in abs(log2(a / b)) }
    let standard = BandLayout.standard.centres
    let heard = standard.map { centre in
      layout.centres.indices.min {
        octaves(layout.centres[$0], centre) < octaves(layout.centres[$1], centre)
      }!
    }
    let aided = layout.centres.indices.map { 10 * Double($0 % 5) }
    var reference = GatedNetwork(heard.map { aided[$0] })
    let shares = reference.shares(
      now.ratios.map { row in heard.map { row[$0] } }, levels: heard.map { now.levels[$0] })
    var memory = NoiseMemory()
    var result = Buffer(count: layout.stride)
    NoiseModel(layout).evaluate(
      now, NoiseListener(aided, layout: layout), &memory, into: &result, stride: layout.stride)
    for (band, centre) in layout.centres.enumerated() {
      let nearest = standard.indices.min { octaves(standard[$0], centre) < octaves(standard[$1], centre) }!
      #expect(abs(Double(result[band]) - shares[nearest]) < 2e-3, "band \(band)")
    }
  }
}

extension NoiseModel {
  func evaluate(
    _ now: NoiseModelTests.Surroundings, _ listener: borrowing NoiseListener, _ memory: inout NoiseMemory,
    into result: inout Buffer, stride: Int = 20
  ) {
    var ratios = Buffer(count: 3 * stride)
    var levels = Buffer(count: stride)
    for band in now.levels.indices {
      levels[band] = Float(now.levels[band])
      for time in 0..<3 { ratios[time * stride + band] = Float(now.ratios[time][band]) }
    }
    evaluate(ratios, levels: levels, listener: listener, memory: &memory, into: &result)
  }
}

/// The network by its equations, one number after another, in double precision.
private struct GatedNetwork {
  private typealias Weights = NoiseWeights
  private var state = [Double](repeating: 0, count: Weights.unitCount)
  /// Aided thresholds on the network's scale.
  private let aided: [Double]

  /// - Parameter aided: dB HL; nil: not known.
  init(_ aided: [Double]?) {
    self.aided = aided?.map { min(max(($0 - 20) / 20, -1.5), 2.5) } ?? [Double](repeating: 0, count: 20)
  }

  /// A layer's constants for this ear.
  private func constants(_ base: [Float], _ weights: [Float]) -> [Float] {
    base.indices.map { index in
      Float(
        aided.indices.reduce(Double(base[index])) {
          $0 + aided[$1] * Double(weights[$1 * base.count + index])
        })
    }
  }

  mutating func shares(_ ratios: [[Double]], levels: [Double]) -> [Double] {
    let scaled = levels.map { min(max(($0 - 45) / 20, -2), 2.5) }
    let reading = Self.layer(
      ratios[0] + ratios[1] + scaled, Weights.reading,
      constants(Weights.readingConstant, Weights.aidedReading)
    ).map { max($0, 0) }
    let units = Weights.unitCount
    let new = Self.layer(reading, Weights.gates, Weights.gatesConstant)
    let old = Self.layer(
      state, Weights.recurrence, [Float](repeating: 0, count: 2 * units) + Weights.candidateConstant)
    for unit in 0..<units {
      let reset = Self.logistic(new[unit] + old[unit])
      let keep = Self.logistic(new[units + unit] + old[units + unit])
      let candidate = tanh(new[2 * units + unit] + reset * old[2 * units + unit])
      state[unit] = keep * state[unit] + (1 - keep) * candidate
    }
    let shared = Self.layer(
      state, Weights.shared, constants(Weights.sharedConstant, Weights.aidedShared))
    let direct = Self.layer(
      state, Weights.direct, constants(Weights.directConstant, Weights.aidedDirect))
    return levels.indices.map { band in
      let beside = { (time: Int, by: Int) in ratios[time][min(max(band + by, 0), levels.count - 1)] }
      let own = [
        beside(0, 0), beside(0, -1), beside(0, 1), beside(0, -2), beside(0, 2),
        beside(1, 0), beside(1, -1), beside(1, 1), beside(2, 0),
      ]
      let place = 2 * Double(band) / Double(levels.count - 1) - 1
      let sums = (0..<Weights.sumCount).map { sum in
        let weighted = own.indices.reduce(0) { $0 + own[$1] * Double(Weights.own[sum * own.count + $1]) }
        let positioned =
          place * Double(Weights.place[sum]) + place * place * Double(Weights.place[Weights.sumCount + sum])
        return max(0, shared[sum] + weighted + positioned) * Double(Weights.output[sum])
      }
      return Self.logistic(direct[band] + sums.reduce(0, +))
    }
  }

  private static func layer(_ input: [Double], _ weights: [Float], _ constant: [Float]) -> [Double] {
    constant.indices.map { output in
      input.indices.reduce(Double(constant[output])) {
        $0 + input[$1] * Double(weights[$1 * constant.count + output])
      }
    }
  }

  private static func logistic(_ x: Double) -> Double { 1 / (1 + exp(-x)) }
}
