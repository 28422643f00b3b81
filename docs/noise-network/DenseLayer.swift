import Realtime

/// One layer of a network: sums of all inputs, each with its weights, sixteen sums at a time.
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

  /// - Parameters:
  ///   - weights: One row of `constant.count` for each input.
  ///   - constant: One per sum.
  init(_ weights: [Float], constant: [Float], inputs: Int) {
    let (block, outputs) = (Self.block, constant.count)
    precondition(weights.count == inputs * outputs, "weights of another size")
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

  /// Adds up.
  ///
  /// - Parameters:
  ///   - input: One value per input; more are not read.
  ///   - result: One sum per output, ``padded(_:)``.
  func apply(_ input: borrowing Buffer, into result: inout Buffer) {
    precondition(input.count >= inputCount && result.count >= blockCount * Self.block)
    let (values, sums) = unsafe (input.pointer, result.pointer)
    let (rows, fixed) = unsafe (weights.pointer, constant.pointer)
    for part in 0..<blockCount {
      let first = part * Self.block
      var (a, b) = unsafe (fixed[lanes: first], fixed[lanes: first + 4])
      var (c, d) = unsafe (fixed[lanes: first + 8], fixed[lanes: first + 12])
      let begin = unsafe rows + first * inputCount
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
