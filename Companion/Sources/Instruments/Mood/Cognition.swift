extension Instrument {
  /// Answers are keyed so that 5 is best. Sums become T scores, 50 ± 10 in the population that they were scaled by, by the table of the makers alone: that
  /// has a licence of its own. With an item missing only the makers' response-pattern service scores, so that there is no score here.
  private static func cognition(_ count: Int) -> Instrument {
    Instrument(
      "promis-cognitive-\(count)", "PROMIS Cognitive Function, short form of \(count) items", .permission,
      by: "© PROMIS Health Organization", source: "Lai et al. 2014; scoring: HealthMeasures",
      items: InstrumentItem.numbered(count, .whole(1...5)), range: 0...100,
      bands: [Band(0, "one standard deviation or more below the mean"), Band(40, "usual")],
      tabulated: count...5 * count, rule: Rules.sum(Rules.codes(count)))
  }

  public static let promisCognitive4 = cognition(4)
  public static let promisCognitive6 = cognition(6)
  public static let promisCognitive8 = cognition(8)
}
