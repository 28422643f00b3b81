/// Reference threshold levels by frequency, each row known to be read in a source or not.
///
/// Between rows: linear in dB over log2 of frequency. Outside: refused, since a threshold cannot be
/// guessed.
public struct ReferenceTable<Reference: Level>: Sendable, Hashable {
  private let table: LogFrequencyTable

  /// Frequencies of rows that were not found in any source read, only remembered, Hz.
  public let unverifiedFrequencies: Set<Double>

  /// Rows as `frequency: level`, rising.
  init(_ rows: KeyValuePairs<Double, Double>, unverified: Set<Double> = []) {
    table = LogFrequencyTable(rows.map(\.key), rows.map(\.value))
    unverifiedFrequencies = unverified
  }

  /// Frequencies of the rows, Hz, rising.
  public var frequencies: [Double] { table.frequencies }

  /// First and last frequency, Hz.
  public var range: ClosedRange<Double> { table.range }

  /// The level at a frequency, Hz; provisional when a row it is made from is unverified.
  ///
  /// - Throws: ``CalibrationError/frequencyOutsideTable(frequency:range:)``.
  public func level(at frequency: Double) throws(CalibrationError) -> Calibrated<Reference> {
    guard let level = table.value(at: frequency) else {
      throw .frequencyOutsideTable(frequency: frequency, range: range)
    }
    let below = frequencies.last { $0 <= frequency }
    let above = frequencies.first { $0 >= frequency }
    let isVerified = [below, above].compactMap(\.self).allSatisfy { !unverifiedFrequencies.contains($0) }
    return Calibrated(Reference(level), status: isVerified ? .verified : .provisional)
  }
}
