import Glibc
import Realtime
import Testing

@testable import HearingDSP
@testable import HearingDSPTesting

@Suite("Dense layer") struct DenseLayerTests {
  /// One sum for each number: the numbers as the layer reads them.
  static func read(_ numbers: [Float], upTo greatest: Float, isRectified: Bool = false) -> [Float] {
    let count = numbers.count
    let identity = (0..<count * count).map { Float($0 % (count + 1) == 0 ? 1 : 0) }
    let layer = DenseLayer(identity, inputs: count, upTo: greatest)
    return sums(layer, numbers, count: count, upTo: greatest, isRectified: isRectified)
  }

  static func sums(
    _ layer: borrowing DenseLayer, _ numbers: [Float], constant: [Float] = [], count: Int,
    upTo greatest: Float, isRectified: Bool = false
  ) -> [Float] {
    var rounded = RoundedNumbers(count: numbers.count, upTo: greatest, isRectified: isRectified)
    let input = Buffer(count: RoundedNumbers.padded(numbers.count)) {
      $0 < numbers.count ? numbers[$0] : 0
    }
    rounded.take(input)
    let added = Buffer(count: DenseLayer.padded(count)) { $0 < constant.count ? constant[$0] : 0 }
    var result = Buffer(count: DenseLayer.padded(count))
    layer.apply(rounded, constant: added, into: &result)
    return (0..<count).map { result[$0] }
  }

  // Numbers up to 30 are kept in steps of 1/1024: 30720 of them fit into 16 bits, twice as many do not.
  @Test("numbers are rounded to the nearest step, and of two as near to the even one")
  func rounding() {
    let step: Float = 1 / 1024
    #expect(
      Self.read([0.4 * step, 0.6 * step, -0.6 * step, 0.5 * step, 1.5 * step, -29.9999, 30], upTo: 30)
        == [0, step, -step, 0, 2 * step, -30, 30])
  }

  @Test(
    "numbers beyond 16 bits are cut, negative ones are 0 where they are rectified, and nothing is lost on infinite ones"
  )
  func ends() {
    let end = Float(Int16.max) / 1024
    #expect(Self.read([1000, -1000, .infinity, -.infinity, 1], upTo: 30) == [end, -end, end, -end, 1])
    #expect(Self.read([1000, -1000, -0.5, 0.5], upTo: 30, isRectified: true) == [end, 0, 0, 0.5])
    let numberless = Self.read([.nan, 1], upTo: 30)
    #expect(numberless[0].isFinite && numberless[1] == 1)
  }

  // Integers below 2^24 are exact in single precision.
  @Test(
    "sums of whole steps are exact, for odd and even numbers of inputs and for sums beside a whole block",
    arguments: [1, 2, 7, 40])
  func exactness(inputs: Int) {
    var random = Seeded(UInt64(inputs))
    let outputs = 19
    let numbers = (0..<inputs).map { _ in Float(Int.random(in: -1024...1024, using: &random)) / 1024 }
    let weights = (0..<inputs * outputs).map { _ in
      Float(Int.random(in: -1024...1024, using: &random)) / 1024
    }
    let constant = (0..<outputs).map { Float($0) / 8 }
    let layer = DenseLayer(weights, inputs: inputs, upTo: 30)
    let found = Self.sums(layer, numbers, constant: constant, count: outputs, upTo: 30)
    for output in 0..<outputs {
      let expected = (0..<inputs).reduce(Double(constant[output])) {
        $0 + Double(numbers[$1]) * Double(weights[$1 * outputs + output])
      }
      #expect(Double(found[output]) == expected)
    }
  }

  @Test(
    "sums are the same to the bit in vectors of 128 and of 256 bits",
    .enabled(if: VectorWidths.areTwo, "this processor has no vectors of 256 bits"))
  func widths() {
    var random = Seeded(9)
    let (inputs, outputs) = (32, 120)
    let weights = (0..<inputs * outputs).map { _ in Float.random(in: -1...1, using: &random) }
    let numbers = (0..<inputs).map { _ in Float.random(in: -30...30, using: &random) }
    let constant = (0..<outputs).map { _ in Float.random(in: -1...1, using: &random) }
    let layer = DenseLayer(weights, inputs: inputs, upTo: 30)
    let sums = VectorWidths.both {
      Self.sums(layer, numbers, constant: constant, count: outputs, upTo: 30)
    }
    #expect(sums.wide == sums.narrow)
  }

  @Test(
    "no sum of products exceeds 32 bits, however great all inputs are at once",
    arguments: [Float(0.01), 0.1, 0.5])
  func greatest(weight: Float) {
    let inputs = 120
    let layer = DenseLayer(
      [Float](repeating: weight, count: inputs), inputs: inputs, upTo: 30)
    let end = Double(Int16.max) / 1024
    for sign in [Float(1), -1] {
      let found = Self.sums(layer, [Float](repeating: sign * .infinity, count: inputs), count: 1, upTo: 30)[
        0]
      let expected = Double(sign) * Double(inputs) * Double(weight) * end
      // A weight is kept to half of 1/1024 at least.
      #expect(abs(Double(found) - expected) <= Double(inputs) * end * 0.5 / 1024)
    }
  }
}
