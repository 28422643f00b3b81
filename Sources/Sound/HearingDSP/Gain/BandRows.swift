import Realtime

/// What each band contributes to each place, as rows of eight places, stored only where a band contributes.
///
/// Eight consecutive places are a group. Each group keeps one row for every band from the first to the last
/// that reaches into it.
///
/// - Threads: built on `control`, read on `audio`.
struct BandRows: ~Copyable {
  /// Places per group.
  static let group = 8

  /// Number of groups that cover all places.
  let groupCount: Int
  /// First band of each group. - Shape: `groupCount`.
  private var firstBand: AlignedBuffer<Int32>
  /// Where each group's rows begin. - Shape: `groupCount + 1`.
  private var start: AlignedBuffer<Int32>
  private var rows: AlignedBuffer<SIMD8<Float>>
  /// Bands that ``sum(_:_:group:)`` may read.
  let bandCount: Int

  /// - Parameters:
  ///   - values: Contribution of each band. - Shape: `[band][place]`.
  ///   - negligible: A band none of whose contributions to a group is greater is left out there.
  init(_ values: [[Double]], negligible: Double) {
    let places = values[0].count
    bandCount = values.count
    groupCount = (places + Self.group - 1) / Self.group
    firstBand = AlignedBuffer(count: groupCount)
    start = AlignedBuffer(count: groupCount + 1)
    var found: [SIMD8<Float>] = []
    for group in 0..<groupCount {
      let range = group * Self.group..<min(places, (group + 1) * Self.group)
      let reaching = values.indices.filter { band in values[band][range].contains { abs($0) > negligible } }
      start[group] = Int32(found.count)
      guard let first = reaching.first, let last = reaching.last else { continue }
      firstBand[group] = Int32(first)
      found += values[first...last].map { Self.eight($0[range]) }
    }
    start[groupCount] = Int32(found.count)
    rows = AlignedBuffer(count: found.count)
    for (index, row) in found.enumerated() { rows[index] = row }
  }

  /// Adds up one group of places for both ears, whose rows are then read only once: `Σ gain_b · row_b`.
  ///
  /// - Parameters:
  ///   - left: Left ear's gains, `bandCount` of them.
  ///   - right: Right ear's gains.
  ///   - group: In `0..<groupCount`.
  @inline(__always) @unsafe
  func sum(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, group: Int
  ) -> (left: SIMD8<Float>, right: SIMD8<Float>) {
    let begin = Int(start[group])
    let band = Int(firstBand[group])
    var (leftSum, rightSum) = (SIMD8<Float>(), SIMD8<Float>())
    for index in 0..<Int(start[group + 1]) - begin {
      let row = unsafe rows[unchecked: begin + index]
      unsafe leftSum += row * left[band + index]
      unsafe rightSum += row * right[band + index]
    }
    return (leftSum, rightSum)
  }

  /// Up to eight values, zero behind them.
  private static func eight(_ values: ArraySlice<Double>) -> SIMD8<Float> {
    var result = SIMD8<Float>()
    for (lane, value) in values.enumerated() { result[lane] = Float(value) }
    return result
  }
}
