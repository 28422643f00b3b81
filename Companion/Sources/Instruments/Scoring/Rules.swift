/// Rules that several instruments share.
enum Rules {
  typealias Rule = @Sendable (ItemAnswers) -> Score.Outcome

  static func missing(_ codes: [String], _ answers: ItemAnswers) -> Score.Outcome {
    let left = codes.filter { answers[$0] == nil }
    return .absent("\(left.count == 1 ? "item" : "items") \(left.joined(separator: ", ")) not answered")
  }

  /// The sum of all; up to `missing` items may be, and count as the mean of the others, the sum rounded.
  static func sum(_ codes: [String], prorating most: Int = 0) -> Rule {
    { answers in
      let found = answers.of(codes)
      guard codes.count - found.count <= most, !found.isEmpty else { return missing(codes, answers) }
      let sum = found.reduce(0, +)
      guard found.count < codes.count else { return .value(sum) }
      return .value((sum * Double(codes.count) / Double(found.count)).rounded())
    }
  }

  /// The mean of those answered, of which there must be so many, times a factor.
  static func mean(_ codes: [String], atLeast least: Int? = nil, times factor: Double = 1) -> Rule {
    { answers in
      let found = answers.of(codes)
      guard found.count >= least ?? codes.count, !found.isEmpty else { return missing(codes, answers) }
      return .value(found.reduce(0, +) / Double(found.count) * factor)
    }
  }

  /// Codes 1…count.
  static func codes(_ count: Int) -> [String] { (1...count).map { "\($0)" } }
  static func codes(_ numbers: [Int]) -> [String] { numbers.map { "\($0)" } }
}

extension Instrument {
  /// The sum of all items, each with the same whole numbers.
  static func summed(
    _ id: String, _ name: String, _ licence: Licence, by attribution: String, source: String, _ count: Int,
    _ values: ClosedRange<Int>, bands: [Band], prorating most: Int = 0, parts: [Part] = []
  ) -> Instrument {
    Instrument(
      id, name, licence, by: attribution, source: source,
      items: InstrumentItem.numbered(count, .whole(values)),
      range: Double(count * values.lowerBound)...Double(count * values.upperBound), bands: bands,
      parts: parts,
      rule: Rules.sum(Rules.codes(count), prorating: most))
  }

  /// Every instrument that is scored here.
  public static let all: [Instrument] = [
    .phq9, .phq8, .phq2, .gad7, .gad2, .isi, .ess, .stopBang, .berlin, .psqi, .dbas16, .psas, .fss, .fosq10,
    .meq, .bpi, .medas, .basdai,
    .asdasCRP, .asdasESR, .thi, .tfi, .hhieS, .miniTQ,
    .promisCognitive4, .promisCognitive6, .promisCognitive8,
  ]
}
