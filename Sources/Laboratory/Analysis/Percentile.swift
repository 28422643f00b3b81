/// Percentiles of a set of values.
enum Percentile {
  /// The value below which `percent` of a hundred lie; between two values linear in rank.
  ///
  /// - Parameters:
  ///   - sorted: Rising, not empty.
  ///   - percent: 0…100.
  static func value(_ sorted: [Double], _ percent: Double) -> Double {
    let place = percent / 100 * Double(sorted.count - 1)
    let low = min(max(Int(place), 0), sorted.count - 1)
    let high = min(low + 1, sorted.count - 1)
    return sorted[low] + (place - Double(low)) * (sorted[high] - sorted[low])
  }
}
