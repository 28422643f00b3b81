/// A questionnaire that others have published, with the rule by which it is scored.
///
/// Of most only codes and rules are here: their sentences belong to somebody, and a site brings its licensed text.
///
/// - Threads: any.
public struct Instrument: Sendable {
  /// Such as "phq-9".
  public let id: String
  public let name: String
  /// Of the rules here.
  public let version: Int
  public let licence: Licence
  /// Its makers, to be shown wherever it is asked or its score is.
  public let attribution: String
  /// Publication that the rules are from.
  public let source: String
  public let items: [InstrumentItem]
  /// Lowest score of each, in rising order; empty where none are agreed on.
  public let bands: [Band]
  /// Scores that there can be.
  public let range: ClosedRange<Double>
  /// Sums of the items that a licensed table of the site turns into scores; nil: no table is needed.
  public let tabulated: ClosedRange<Int>?
  let rule: @Sendable (ItemAnswers) -> Score.Outcome
  let parts: [Part]

  init(
    _ id: String, _ name: String, version: Int = 1, _ licence: Licence, by attribution: String,
    source: String,
    items: [InstrumentItem], range: ClosedRange<Double>, bands: [Band] = [], parts: [Part] = [],
    tabulated: ClosedRange<Int>? = nil,
    rule: @escaping @Sendable (ItemAnswers) -> Score.Outcome
  ) {
    (self.id, self.name, self.version, self.licence) = (id, name, version, licence)
    (self.attribution, self.source, self.items, self.range) = (attribution, source, items, range)
    (self.bands, self.parts, self.rule, self.tabulated) = (bands, parts, rule, tabulated)
  }

  /// Terms that bind whoever asks it.
  public enum Licence: String, Sendable, Hashable, CaseIterable {
    /// Its sentences are in this repository.
    case free
    /// Text of the site, which is not commercial.
    case freeNonCommercial = "free-non-commercial"
    /// Text and permission of the site.
    case permission
    /// As ``permission``, until somebody has settled it.
    case unknown

    /// True when its sentences may be in this repository.
    public var shipsText: Bool { self == .free }
  }

  /// A range of scores with a name for people. A screening band, never a diagnosis.
  public struct Band: Sendable, Hashable {
    /// Its lowest score.
    public let from: Double
    public let label: String

    init(_ from: Double, _ label: String) { (self.from, self.label) = (from, label) }
  }

  /// A score of some of the items.
  struct Part: Sendable {
    let name: String
    let rule: @Sendable (ItemAnswers) -> Score.Outcome
  }
}

/// An item of an instrument, without its sentence.
public struct InstrumentItem: Sendable, Hashable {
  /// Its name within the instrument.
  public let code: String
  /// Answers that it takes.
  public let values: Values
  /// True when a higher answer lowers the score.
  public let isReversed: Bool
  /// Per cent of an answer on the instrument's form for 1 of ``values``; nil: the form asks for these themselves.
  public let percentPerPoint: Double?

  public enum Values: Sendable, Hashable {
    /// Whole numbers.
    case whole(ClosedRange<Int>)
    /// These alone.
    case listed([Int])
    /// Any number.
    case number(ClosedRange<Double>)

    public func contains(_ value: Double) -> Bool {
      switch self {
      case .whole(let range):
        value.rounded() == value && Double(range.lowerBound)...Double(range.upperBound) ~= value
      case .listed(let values): values.contains { Double($0) == value }
      case .number(let range): value.isFinite && range.contains(value)
      }
    }

    /// The greatest of them.
    package var greatest: Double {
      switch self {
      case .whole(let range): Double(range.upperBound)
      case .listed(let values): Double(values.max() ?? 0)
      case .number(let range): range.upperBound
      }
    }
  }

  init(_ code: String, _ values: Values, isReversed: Bool = false, percentPerPoint: Double? = nil) {
    (self.code, self.values, self.isReversed) = (code, values, isReversed)
    self.percentPerPoint = percentPerPoint
  }

  /// Items 1…count with the same answers.
  static func numbered(_ count: Int, _ values: Values) -> [InstrumentItem] {
    (1...count).map { InstrumentItem("\($0)", values) }
  }
}
