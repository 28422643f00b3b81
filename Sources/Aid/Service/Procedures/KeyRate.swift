/// Bounds what a flood of keys writes to a record.
struct KeyRate {
  /// Keys a second that are kept: a key that is held down comes 30 times (Linux's usual repeat is 25, from memory).
  static let greatest = 30
  private var second = -1.0
  private var count = 0

  /// True of a key that is to be kept.
  mutating func keeps(at moment: Double) -> Bool {
    if moment.rounded(.down) != second { (second, count) = (moment.rounded(.down), 0) }
    count += 1
    return count <= Self.greatest
  }
}
