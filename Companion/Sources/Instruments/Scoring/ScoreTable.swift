/// Scores of sums, as the makers of an instrument publish them: a site's licensed file, of which nothing is here.
public struct ScoreTable: Sendable, Hashable {
  /// ``Instrument/id``.
  public let instrument: String
  private let scores: [Int: Double]

  /// A row, as it is read.
  public struct Row: Sendable, Hashable {
    public let sum: Int
    public let score: Double

    public init(_ sum: Int, _ score: Double) { (self.sum, self.score) = (sum, score) }
  }

  /// Reason why rows make no table of an instrument.
  public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
    /// Index of the row; nil: the table as a whole.
    public let row: Int?
    public let found: String
    public let expected: String

    public var description: String { "found \(found); expected \(expected)" }
  }

  /// - Parameter rows: One for each sum from the least to the greatest, in rising order; a higher sum has a higher score.
  /// - Throws: ``Fault`` with the first row that does not fit.
  public init(_ rows: [Row], of instrument: Instrument) throws(Fault) {
    guard let sums = instrument.tabulated else {
      throw Fault(row: nil, found: "a table of \(instrument.name)", expected: "none: its sum is its score")
    }
    for (index, row) in rows.enumerated() {
      let expected = sums.lowerBound + index
      guard row.sum == expected, sums.contains(expected) else {
        throw Fault(
          row: index, found: "the sum \(row.sum)",
          expected: sums.contains(expected) ? "\(expected)" : "no row behind that of \(sums.upperBound)")
      }
      guard row.score.isFinite, instrument.range.contains(row.score) else {
        throw Fault(
          row: index, found: "the score \(row.score)",
          expected: "a number from \(instrument.range.lowerBound) to \(instrument.range.upperBound)")
      }
      guard index == 0 || row.score > rows[index - 1].score else {
        throw Fault(
          row: index, found: "the score \(row.score) behind \(rows[index - 1].score)",
          expected: "one that is higher")
      }
    }
    guard rows.count == sums.count else {
      throw Fault(
        row: nil, found: "\(rows.count) rows",
        expected: "\(sums.count), for \(sums.lowerBound) to \(sums.upperBound)")
    }
    self.instrument = instrument.id
    scores = Dictionary(rows.map { ($0.sum, $0.score) }) { first, _ in first }
  }

  /// The score of a sum; nil beyond the ends.
  public subscript(sum: Int) -> Double? { scores[sum] }
}
