/// Median, least and greatest of many measurements.
struct Spread: Codable {
  let median: Double
  let least: Double
  let greatest: Double

  init(_ values: [Double]) {
    let sorted = values.sorted()
    median = Self.quantile(0.5, of: sorted)
    least = sorted[0]
    greatest = sorted[sorted.count - 1]
  }

  /// The least value that a share of all does not exceed.
  ///
  /// - Parameters:
  ///   - share: 0...1.
  ///   - sorted: Rising, at least one.
  static func quantile(_ share: Double, of sorted: [Double]) -> Double {
    sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
  }
}
