/// Result of an instrument.
public struct Score: Sendable, Hashable {
  public let instrument: String
  /// ``Instrument/version``.
  public let rules: Int
  public let outcome: Outcome
  /// Nil without a value, and where the instrument has no bands.
  public let band: Instrument.Band?
  /// Of parts of the items, by their names.
  public let parts: [String: Outcome]
  /// Items that were answered.
  public let answered: Int

  public init(
    instrument: String, rules: Int, outcome: Outcome, band: Instrument.Band?, parts: [String: Outcome],
    answered: Int
  ) {
    (self.instrument, self.rules, self.outcome) = (instrument, rules, outcome)
    (self.band, self.parts, self.answered) = (band, parts, answered)
  }

  /// A number, or the reason why there is none: never a guess.
  public enum Outcome: Sendable, Hashable {
    case value(Double)
    /// Something that decides is not known.
    case range(ClosedRange<Double>)
    case absent(String)

    public var value: Double? { if case .value(let value) = self { value } else { nil } }
  }
}

/// Answers of items by their codes.
public struct ItemAnswers: Sendable, Hashable {
  let values: [String: Double]

  public init(_ values: [String: Double]) { self.values = values }

  /// Number of items that were answered.
  public var count: Int { values.count }

  subscript(code: String) -> Double? { values[code] }

  /// Those of these items that are there.
  func of(_ codes: [String]) -> [Double] { codes.compactMap { values[$0] } }
}

/// An answer that an instrument has not.
public struct InstrumentRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  public let instrument: String
  public let item: String
  public let found: Double
  public let expected: String

  public var description: String { "\(instrument), item \(item): found \(found); expected \(expected)" }
}

extension Instrument {
  /// Scores answers.
  ///
  /// - Parameters:
  ///   - answers: By item code; an item that was not answered is left out.
  ///   - table: Of an instrument whose sums need one (``tabulated``); others have no use for it.
  /// - Throws: ``InstrumentRefusal`` for an unknown item, and for a value that an item has not.
  public func score(
    _ answers: ItemAnswers, by table: ScoreTable? = nil
  ) throws(InstrumentRefusal) -> Score {
    let known = Dictionary(items.map { ($0.code, $0.values) }) { first, _ in first }
    for (code, value) in answers.values.sorted(by: { $0.key < $1.key }) {
      guard let values = known[code] else {
        throw InstrumentRefusal(instrument: id, item: code, found: value, expected: "an item of \(name)")
      }
      guard values.contains(value) else {
        throw InstrumentRefusal(instrument: id, item: code, found: value, expected: values.words)
      }
    }
    let outcome = tabulated == nil ? rule(answers) : tabulated(rule(answers), by: table)
    return Score(
      instrument: id, rules: version, outcome: outcome, band: outcome.value.flatMap(band),
      parts: Dictionary(parts.map { ($0.name, $0.rule(answers)) }) { first, _ in first },
      answered: answers.count)
  }

  /// The score of a sum.
  private func tabulated(_ sum: Score.Outcome, by table: ScoreTable?) -> Score.Outcome {
    guard let value = sum.value else { return sum }
    guard let table, table.instrument == id else {
      return .absent("the site's table of scores is not there; the sum of the answers is no score")
    }
    return table[Int(value)].map { .value($0) }
      ?? .absent("the site's table has no score for \(Int(value))")
  }

  /// The band of a score; nil where it lies below the lowest, or there are none.
  public func band(_ value: Double) -> Band? { bands.last { $0.from <= value } }
}

extension InstrumentItem.Values {
  /// "a whole number from 0 to 3".
  public var words: String {
    switch self {
    case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .listed(let values): "one of " + values.map(String.init).joined(separator: ", ")
    case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
    }
  }
}
