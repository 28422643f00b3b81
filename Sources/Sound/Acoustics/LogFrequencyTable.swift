import Base
import Glibc

/// Values at increasing frequencies, read between them on the axes of an audiogram.
///
/// Between points: linear in the value over log2 of frequency, as the audiogram form draws it. What holds
/// outside the points is for the caller to decide.
package struct LogFrequencyTable: Sendable, Hashable {
  /// Hz, strictly increasing, positive, not empty.
  package let frequencies: [Double]
  /// One per frequency.
  package let values: [Double]

  package init(_ frequencies: [Double], _ values: [Double]) {
    precondition(!frequencies.isEmpty && frequencies.count == values.count, "table of unequal columns")
    (self.frequencies, self.values) = (frequencies, values)
  }

  /// First and last frequency, Hz.
  package var range: ClosedRange<Double> { frequencies[0]...frequencies[frequencies.count - 1] }

  /// The value at `frequency`, that of the nearest end outside the table.
  package func held(at frequency: Double) -> Double {
    guard frequency > frequencies[0] else { return values[0] }
    guard let next = frequencies.firstIndex(where: { $0 >= frequency }) else {
      return values[values.count - 1]
    }
    // Interpolation with a share of 1 would miss the row's value by a rounding.
    guard frequency < frequencies[next] else { return values[next] }
    let share = log2(frequency / frequencies[next - 1]) / log2(frequencies[next] / frequencies[next - 1])
    return values[next - 1] + share * (values[next] - values[next - 1])
  }

  /// The value at `frequency`.
  ///
  /// - Throws: ``AcousticsError`` outside the table: values are not extrapolated.
  package func value(at frequency: Double) throws(AcousticsError) -> Double {
    guard range.contains(frequency) else {
      throw AcousticsError(
        "\(frequency.shortText) Hz lies outside the table, \(range.lowerBound.shortText) to "
          + "\(range.upperBound.shortText) Hz")
    }
    return held(at: frequency)
  }
}
