import Base

/// Parameters of a call by name, read with what was expected of each.
struct CallParameters {
  private let fields: [String: RPCValue]

  init(_ fields: [String: RPCValue]) { self.fields = fields }

  /// - Throws: ``ControlFailure`` when it is missing or no text.
  func text(_ name: String) throws(ControlFailure) -> String {
    guard let text = try optionalText(name) else { throw missing(name, "a text") }
    return text
  }

  func optionalText(_ name: String) throws(ControlFailure) -> String? {
    switch fields[name] {
    case nil, .null: nil
    case .string(let text): text
    case .some(let other): throw refusal(name, other.kind, "a text")
    }
  }

  /// - Throws: ``ControlFailure`` when it is missing, no whole number or outside `range`.
  func whole(_ name: String, _ range: ClosedRange<Int>) throws(ControlFailure) -> Int {
    guard let number = try optionalWhole(name, range) else { throw missing(name, words(range)) }
    return number
  }

  func optionalWhole(_ name: String, _ range: ClosedRange<Int>) throws(ControlFailure) -> Int? {
    switch fields[name] {
    case nil, .null: return nil
    case .integer(let number):
      guard let whole = Int(exactly: number), range.contains(whole) else {
        throw refusal(name, "\(number)", words(range))
      }
      return whole
    case .some(let other): throw refusal(name, other.kind, words(range))
    }
  }

  /// - Throws: ``ControlFailure`` when it is no number or outside `range`.
  func optionalNumber(_ name: String, _ range: ClosedRange<Double>) throws(ControlFailure) -> Double? {
    let number: Double
    switch fields[name] {
    case nil, .null: return nil
    case .integer(let whole): number = Double(whole)
    case .number(let value): number = value
    case .some(let other): throw refusal(name, other.kind, words(range))
    }
    guard range.contains(number) else { throw refusal(name, NumberText.exact(number), words(range)) }
    return number
  }

  private func words(_ range: ClosedRange<Double>) -> String {
    "a number, \(NumberText.exact(range.lowerBound)) to \(NumberText.exact(range.upperBound))"
  }

  private func words(_ range: ClosedRange<Int>) -> String {
    "a whole number, \(range.lowerBound) to \(range.upperBound)"
  }

  private func missing(_ name: String, _ expected: String) -> ControlFailure {
    refusal(name, "nothing", expected)
  }

  private func refusal(_ name: String, _ found: String, _ expected: String) -> ControlFailure {
    ControlFailure(.invalidParameters, "\(name): found \(found), expected \(expected).")
  }
}
