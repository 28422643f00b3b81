import Glibc

extension Instrument {
  /// Interference needs four of seven: from memory. The score is the mean severity, without bands: those that are published are
  /// of the worst pain.
  public static let bpi: Instrument = {
    let severity = ["worst", "least", "average", "now"]
    let interference = (1...7).map { "interference.\($0)" }
    return Instrument(
      "bpi", "Brief Pain Inventory, short form", .permission, by: "© C. S. Cleeland",
      source: "Cleeland & Ryan 1994",
      items: (severity + interference).map { InstrumentItem($0, .whole(0...10)) }, range: 0...10,
      parts: [
        Part(name: "interference", rule: Rules.mean(interference, atLeast: 4)),
        Part(name: "worst pain", rule: Rules.sum(["worst"])),
      ], rule: Rules.mean(severity))
  }()

  /// A missing item counts as 0, as published; without a single answer there is no score.
  public static let medas = Instrument(
    "medas", "Mediterranean Diet Adherence Screener", .unknown, by: "PREDIMED",
    source: "Schröder et al. 2011",
    items: InstrumentItem.numbered(14, .whole(0...1)), range: 0...14,
    bands: [Band(0, "low"), Band(6, "medium"), Band(10, "high")],
    rule: { answers in
      answers.values.isEmpty
        ? .absent("no item answered") : .value(answers.of(Rules.codes(14)).reduce(0, +))
    })

  /// The mean of the two items on morning stiffness counts as one of five (Garrett et al. 1994).
  public static let basdai = Instrument(
    "basdai", "Bath Ankylosing Spondylitis Disease Activity Index", .unknown,
    by: "Garrett, Jenkinson, Calin and colleagues", source: "Garrett et al. 1994",
    items: InstrumentItem.numbered(6, .number(0...10)), range: 0...10,
    bands: [Band(0, "not active"), Band(4, "active")],
    rule: { answers in
      let values = answers.of(Rules.codes(6))
      guard values.count == 6 else { return Rules.missing(Rules.codes(6), answers) }
      return .value((values[0..<4].reduce(0, +) + (values[4] + values[5]) / 2) / 5)
    })

  private static let activity = ["back", "stiffness", "global", "peripheral"]
  private static let activityBands = [
    Band(0, "inactive"), Band(1.3, "low"), Band(2.1, "high"), Band((3.5).nextUp, "very high"),
  ]

  /// From the term of 2 mg/L to tens, 10 · (0.121 + 0.058 + 0.110 + 0.073), and the term of 500.
  private static let rangeByCRP: ClosedRange<Double> = {
    let (least, most): (Double, Double) = (log(3.0), log(501.0))
    return 0.579 * least...3.62 + 0.579 * most
  }()

  /// From 0 to tens, 10 · (0.079 + 0.069 + 0.113 + 0.086), and the term of 200.
  private static let rangeByESR: ClosedRange<Double> = 0...3.47 + 0.293 * (200.0).squareRoot()

  /// Lukas et al. 2009, Machado et al. 2015; C-reactive protein in mg/L, at least 2.
  public static let asdasCRP = Instrument(
    "asdas-crp", "Ankylosing Spondylitis Disease Activity Score, CRP", .unknown, by: "ASAS",
    source: "Lukas et al. 2009; Machado et al. 2015",
    items: activity.map { InstrumentItem($0, .number(0...10)) } + [InstrumentItem("crp", .number(0...500))],
    range: rangeByCRP,
    bands: activityBands,
    rule: { answers in
      weighted(answers, [0.121, 0.058, 0.110, 0.073], "crp") { 0.579 * log(max($0, 2) + 1) }
    })

  /// Erythrocyte sedimentation rate in mm/h.
  public static let asdasESR = Instrument(
    "asdas-esr", "Ankylosing Spondylitis Disease Activity Score, ESR", .unknown, by: "ASAS",
    source: "Lukas et al. 2009",
    items: activity.map { InstrumentItem($0, .number(0...10)) } + [InstrumentItem("esr", .number(0...200))],
    range: rangeByESR,
    bands: activityBands,
    rule: { answers in weighted(answers, [0.079, 0.069, 0.113, 0.086], "esr") { 0.293 * $0.squareRoot() } })

  private static func weighted(
    _ answers: ItemAnswers, _ weights: [Double], _ laboratory: String, _ term: (Double) -> Double
  ) -> Score.Outcome {
    let values = answers.of(activity)
    guard values.count == activity.count, let measured = answers[laboratory] else {
      return Rules.missing(activity + [laboratory], answers)
    }
    return .value(zip(values, weights).map(*).reduce(0, +) + term(measured))
  }
}
