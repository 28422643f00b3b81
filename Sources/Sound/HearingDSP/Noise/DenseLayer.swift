import CLanes
import Realtime

/// Numbers rounded to 16 bits on a scale of their own, the input of a ``DenseLayer``.
///
/// - Threads: built on `control`, used on `audio`.
struct RoundedNumbers: ~Copyable {
  fileprivate var integers: AlignedBuffer<Int16>
  private let scale: Float
  private let least: Int16

  /// - Parameters:
  ///   - count: Of numbers.
  ///   - greatest: Greatest magnitude expected; what exceeds it twice over may be cut.
  ///   - isRectified: Negative numbers count as 0.
  init(count: Int, upTo greatest: Float, isRectified: Bool = false) {
    integers = AlignedBuffer(count: Self.padded(count))
    scale = Self.scale(upTo: greatest)
    least = isRectified ? 0 : -.max
  }

  /// A number of numbers rounded up to whole vectors.
  static func padded(_ count: Int) -> Int { (count + 7) / 8 * 8 }

  /// Greatest power of two by which numbers up to `greatest` fit into 16 bits.
  fileprivate static func scale(upTo greatest: Float) -> Float {
    powerOfTwo(atMost: Float(Int16.max) / greatest)
  }

  /// Exact on every processor, which a logarithm is not.
  fileprivate static func powerOfTwo(atMost limit: Float) -> Float {
    Float(sign: .plus, exponent: limit.exponent, significand: 1)
  }

  /// Rounds numbers.
  ///
  /// - Parameter numbers: ``padded(_:)``.
  @_semantics("no_performance_analysis") @inline(never) mutating func take(_ numbers: borrowing Buffer) {
    precondition(numbers.count >= integers.count)
    unsafe clanes_round(numbers.pointer, Int32(integers.count), scale, least, integers.pointer)
  }

  /// All are 0.
  mutating func reset() { integers.fill(0) }
}

/// One layer of a network: sums of all inputs, each with its weights, in integers of 16 bits.
///
/// Half the memory of floating-point weights, and a third of the time: they stay in the processor's first cache. Weights and
/// inputs are rounded on scales that are powers of two, chosen so that no sum of products can exceed 32 bits.
///
/// - Threads: built on `control`, read on `audio`.
struct DenseLayer: ~Copyable {
  private static let block = Int(CLANES_BLOCK)

  private let pairCount: Int
  private let blockCount: Int
  /// - Shape: blocks × pairs of inputs × ``block`` × 2.
  private let weights: AlignedBuffer<Int16>
  /// Value of one in a sum of integers.
  private let factor: Float

  /// - Parameters:
  ///   - weights: One row for each input, one column for each sum.
  ///   - inputs: Of ``RoundedNumbers`` up to `greatest`.
  init(_ weights: [Float], inputs: Int, upTo greatest: Float) {
    let (block, outputs) = (Self.block, weights.count / inputs)
    precondition(weights.count == inputs * outputs, "weights of another size")
    let pairs = (inputs + 1) / 2
    pairCount = pairs
    blockCount = Self.padded(outputs) / block
    let scale = Self.scale(of: weights, outputs: outputs)
    factor = 1 / (scale * RoundedNumbers.scale(upTo: greatest))
    self.weights = AlignedBuffer(count: blockCount * pairs * block * 2) {
      let (row, place) = $0.quotientAndRemainder(dividingBy: 2 * block)
      let (part, pair) = row.quotientAndRemainder(dividingBy: pairs)
      let (output, input) = (part * block + place / 2, 2 * pair + place % 2)
      return output < outputs && input < inputs
        ? Int16((weights[input * outputs + output] * scale).rounded()) : 0
    }
  }

  /// Greatest power of two with which every weight fits into 16 bits, and every sum of products into 32, whatever the input.
  private static func scale(of weights: [Float], outputs: Int) -> Float {
    var (single, sum) = (Float(0), Float(0))
    for output in 0..<outputs {
      let magnitudes = Swift.stride(from: output, to: weights.count, by: outputs).map { abs(weights[$0]) }
      single = max(single, magnitudes.max() ?? 0)
      // Half of the last place of each may be added by rounding: as if each were greater by so much at a scale of 1024.
      sum = max(sum, magnitudes.reduce(0) { $0 + $1 + 0.5 / 1024 })
    }
    let scale = min(
      RoundedNumbers.powerOfTwo(atMost: Float(Int16.max) / single),
      RoundedNumbers.powerOfTwo(atMost: Float(Int32.max) / (sum * Float(Int16.max))))
    precondition(scale >= 1024, "weights too great for 16 bits")
    return scale
  }

  /// A number of sums rounded up to whole blocks.
  static func padded(_ count: Int) -> Int { (count + block - 1) / block * block }

  /// Adds up.
  ///
  /// - Parameters:
  ///   - input: One value per input.
  ///   - constant: One per sum, ``padded(_:)``.
  ///   - result: The sums, ``padded(_:)``.
  @_semantics("no_performance_analysis") @inline(never) func apply(
    _ input: borrowing RoundedNumbers, constant: borrowing Buffer, into result: inout Buffer
  ) {
    let sums = blockCount * Self.block
    precondition(input.integers.count >= 2 * pairCount && constant.count >= sums && result.count >= sums)
    unsafe clanes_add_products(
      input.integers.pointer, Int32(pairCount), weights.pointer, Int32(blockCount), constant.pointer,
      factor, result.pointer)
  }
}
