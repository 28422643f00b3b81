import Realtime

/// Memory of ``NoiseModel`` for one ear, and its room for sums.
///
/// - Threads: built on `control`, used on `audio`.
struct NoiseMemory: ~Copyable {
  /// State of the gated units, and the same as the layers read it.
  var state = NoiseMemory.room(for: NoiseWeights.unitCount)
  var roundedState = RoundedNumbers(count: NoiseWeights.unitCount, upTo: NoiseModel.greatestState)
  /// Distances of the network's bands to the noise, now, over ``NoiseReduction/middle`` and over
  /// ``NoiseReduction/long``, with copies of the outermost ones around. - Shape: 3 × ``NoiseModel/row``.
  var distances = Buffer(count: 3 * NoiseModel.row)
  /// The first two of those, and levels. - Shape: 3 × bands of the network, padded.
  var input = NoiseMemory.room(for: 3 * NoiseModel.bandCount)
  var roundedInput = RoundedNumbers(count: 3 * NoiseModel.bandCount, upTo: NoiseModel.greatestInput)
  /// Sums of the input, and the same rectified.
  var reading = NoiseMemory.room(for: NoiseWeights.readingCount)
  var roundedReading = RoundedNumbers(
    count: NoiseWeights.readingCount, upTo: NoiseModel.greatestReading, isRectified: true)
  /// Contribution of the reading to the units' three sums, and of their former state.
  var gates = NoiseMemory.room(for: 3 * NoiseWeights.unitCount)
  var former = NoiseMemory.room(for: 3 * NoiseWeights.unitCount)
  /// Contribution of the units to the sums of the small network.
  var shared = NoiseMemory.room(for: NoiseWeights.sumCount)
  /// Contribution of the units to each band; then the share of the full reduction of each.
  var bands = NoiseMemory.room(for: NoiseModel.bandCount)

  private static func room(for sums: Int) -> Buffer { Buffer(count: DenseLayer.padded(sums)) }

  /// Forgets everything heard.
  mutating func reset() {
    state.fill(0)
    roundedState.reset()
  }
}
